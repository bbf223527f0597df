package dev.mintmark.app.view;

import dev.mintmark.Block;
import dev.mintmark.DurationText;
import dev.mintmark.PoolSpec;
import dev.mintmark.ValueList;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolStats;
import dev.mintmark.postgres.pool.PoolStats.BlockStats;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A pool as JSON: its declaration, and how many of its values are in each state, in total and by
 * block. The keys of the declaration are those of {@code mintmark.yaml} in snake case. Counts are
 * exact integers of any size.
 *
 * @param database the database that it is in; null if there is only one
 * @param blocks its blocks, but for lists
 * @param lists the names of its lists
 * @param blocksFrom the pool that it gets its blocks from; null if it has blocks of its own
 * @param keepFree with fewer free values, it gets another block; null if it has blocks of its own
 * @param perOwner the most values that one owner may hold; null without a limit
 * @param lease how long a claim lasts unless it is renewed; null if claims do not expire
 * @param history how long ended claims are kept; null if they are not kept
 * @param afterFailover what happens to free values after a failover, as declared or by default
 * @param thresholds shares of values that are not free, in percent, that are reported
 * @param stoppedAt since when a failover has stopped the pool; null if it is not stopped
 * @param neverIssued of the free values, those that were never drawn from their block
 * @param draining values of blocks that are being drained and are not held
 */
public record PoolJson(
    String name,
    @Nullable String database,
    List<String> blocks,
    List<String> lists,
    @Nullable String blocksFrom,
    @Nullable Long keepFree,
    List<String> exclude,
    String order,
    int perClient,
    @Nullable Integer perOwner,
    boolean sticky,
    @Nullable String lease,
    String quarantine,
    @Nullable String history,
    @Nullable Ipv6EmbeddingJson ipv6,
    String afterFailover,
    List<Integer> thresholds,
    @Nullable String stoppedAt,
    BigInteger capacity,
    BigInteger free,
    BigInteger neverIssued,
    BigInteger held,
    BigInteger quarantined,
    BigInteger draining,
    List<BlockUsageJson> utilisation) {

  public static PoolJson of(Pool pool) {
    return of(pool, pool.stats());
  }

  /** Returns a pool with counts that were read before. */
  public static PoolJson of(Pool pool, PoolStats stats) {
    BlockStats total = stats.total();
    PoolSpec spec = pool.spec();
    return new PoolJson(
        spec.name(),
        spec.database().orElse(null),
        spec.blocks().stream().filter(block -> !isList(block)).map(Block::toString).toList(),
        spec.blocks().stream().filter(PoolJson::isList).map(Block::toString).toList(),
        spec.source().map(PoolSpec.Source::pool).orElse(null),
        spec.source().map(PoolSpec.Source::keepFree).orElse(null),
        spec.exclude().stream().map(Block::toString).toList(),
        spec.order().name().toLowerCase(Locale.ROOT),
        spec.perClient(),
        spec.perOwner().orElse(null),
        spec.sticky(),
        spec.lease().map(DurationText::format).orElse(null),
        DurationText.format(spec.quarantine()),
        spec.history().map(DurationText::format).orElse(null),
        spec.ipv6().map(Ipv6EmbeddingJson::of).orElse(null),
        spec.afterFailoverOrDefault().label(),
        spec.thresholds(),
        pool.stoppedAt().map(Instant::toString).orElse(null),
        total.capacity(),
        total.free(),
        total.neverIssued(),
        total.held(),
        total.quarantined(),
        total.draining(),
        stats.blocks().stream().map(BlockUsageJson::of).toList());
  }

  private static boolean isList(Block block) {
    return block instanceof ValueList;
  }
}
