package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.Exhaustion.Probe;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/** Asks the database whether a pool is empty, and remembers it. Safe for use by many threads. */
final class PoolProbe {
  private static final SqlFile PROBE = SqlFile.load(PoolProbe.class, "probe");

  private final PoolContext context;
  private final Exhaustion exhaustion;

  PoolProbe(PoolContext context, Exhaustion exhaustion) {
    this.context = context;
    this.exhaustion = exhaustion;
  }

  /** Runs the statement once and forgets the result: its first run on a connection is slow. */
  void warmUp() {
    Probe unused = probe(Long.MAX_VALUE, Long.MAX_VALUE, 1);
  }

  /**
   * Finds out whether fewer values are free than a claim lacks, after a sweep if one is due, and
   * remembers it if none is free. Empty if enough values are free but locked, or have just become
   * free: the clients may ask again.
   *
   * @param missing how many values the claim lacks, at least 1
   * @throws UnknownPoolException if the pool was deleted
   */
  Optional<Exhausted> findExhausted(int missing) {
    Optional<Exhausted> remembered = exhaustion.rejection();
    if (remembered.isPresent()) {
      return remembered;
    }
    long epoch = exhaustion.epoch();
    long sentNanos = System.nanoTime();
    Probe probe = probe(exhaustion.lastToken(), exhaustion.horizon(), missing);
    if (!probe.known()) {
      throw context.unknown();
    }
    boolean due = probe.nextDue() != null && !probe.nextDue().isAfter(probe.at());
    if (probe.enoughFree() || (due && context.sweep().run() > 0)) {
      return Optional.empty();
    }
    context.lacksValues();
    return Optional.of(
        probe.anyFree() ? exhaustion.answer(probe) : exhaustion.learn(probe, epoch, sentNanos));
  }

  /**
   * Checks that the database has the pool.
   *
   * @throws UnknownPoolException if the pool was deleted
   */
  void checkKnown() {
    if (!probe(Long.MAX_VALUE, Long.MAX_VALUE, 1).known()) {
      throw context.unknown();
    }
  }

  private Probe probe(long afterToken, long afterXact, int missing) {
    return context
        .prompt()
        .query(
            PROBE,
            row -> readProbe(row, afterToken),
            context.poolId(),
            bind("after_token", afterToken),
            bind("after_xact", afterXact),
            bind("missing", missing),
            bind("holders_max", exhaustion.holdersPerProbe()))
        .get(0);
  }

  private Probe readProbe(ResultSet row, long afterToken) throws SQLException {
    Instant at = ClaimRow.instant(row, "at").orElseThrow();
    return new Probe(
        row.getBoolean("known"),
        row.getBoolean("any_free"),
        row.getBoolean("enough_free"),
        at,
        context.dueOrSupplied(ClaimRow.instant(row, "next_due").orElse(null), at),
        afterToken,
        row.getBoolean("is_complete"),
        row.getLong("last_token"),
        row.getLong("last_drawn"),
        row.getLong("horizon"),
        Arrays.asList((String[]) row.getArray("holders").getArray()));
  }
}
