package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.Exhaustion.Probe;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;

/** Asks the database whether a pool is empty, and remembers it. Used by one thread at a time. */
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
    Probe unused = probe(Long.MAX_VALUE);
  }

  /**
   * Finds out whether nothing is free, after a sweep if one is due, and remembers it if so. Empty
   * if values are free but locked, or have just become free: the clients may ask again.
   *
   * @throws UnknownPoolException if the pool was deleted
   */
  Optional<Exhausted> findExhausted() {
    Optional<Exhausted> remembered = exhaustion.rejection();
    if (remembered.isPresent()) {
      return remembered;
    }
    long epoch = exhaustion.epoch();
    long sentNanos = System.nanoTime();
    Probe probe = probe();
    boolean due = probe.nextDue() != null && !probe.nextDue().isAfter(probe.at());
    if (probe.anyFree() || (due && context.sweep().run() > 0)) {
      return Optional.empty();
    }
    return Optional.of(exhaustion.learn(probe, epoch, sentNanos));
  }

  /**
   * The answer for a client that got no value although one may be free.
   *
   * @throws UnknownPoolException if the pool was deleted
   */
  Exhausted askWhenNext() {
    return exhaustion.answer(probe());
  }

  private Probe probe() {
    Probe probe = probe(exhaustion.lastToken());
    if (!probe.known()) {
      throw context.unknown();
    }
    return probe;
  }

  private Probe probe(long afterToken) {
    return context
        .database()
        .query(
            PROBE,
            PoolProbe::readProbe,
            context.poolId(),
            bind("after_token", afterToken),
            bind("holders_max", Exhaustion.HOLDERS_MAX))
        .get(0);
  }

  private static Probe readProbe(ResultSet row) throws SQLException {
    return new Probe(
        row.getBoolean("known"),
        row.getBoolean("any_free"),
        ClaimRow.instant(row, "at").orElseThrow(),
        ClaimRow.instant(row, "next_due").orElse(null),
        row.getLong("last_token"),
        row.getLong("last_drawn"),
        Arrays.asList((String[]) row.getArray("holders").getArray()));
  }
}
