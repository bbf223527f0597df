package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.PoolSpec.AfterFailover;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import dev.mintmark.postgres.pool.Failover.Settled;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Settles a pool for the latest epoch: does what the pool declares for the time after a failover,
 * before it grants values again. One session at a time does it; it may stop at any statement, and
 * the next one starts again. Safe for use by many threads.
 */
final class PoolSettlement {
  private static final SqlFile LOAD_SETTLEMENT =
      SqlFile.load(PoolSettlement.class, "load_settlement");
  private static final SqlFile SETTLE_POOL = SqlFile.load(PoolSettlement.class, "settle_pool");

  private final String name;
  private final PoolDatabase database;
  private final Bind poolId;
  private final PoolSweep sweep;
  private final Consumer<Settled> settled;

  /**
   * @param settled is told what was done here
   */
  PoolSettlement(
      String name, PoolDatabase database, int poolId, PoolSweep sweep, Consumer<Settled> settled) {
    this.name = name;
    this.database = database;
    this.poolId = bind("pool_id", poolId);
    this.sweep = sweep;
    this.settled = settled;
  }

  private record Due(
      String epoch, boolean settled, AfterFailover conduct, long restMillis, Instant at) {
    static Due read(ResultSet row) throws SQLException {
      return new Due(
          row.getString("epoch"),
          row.getBoolean("settled"),
          AfterFailover.parse(row.getString("conduct")),
          row.getLong("rest_millis"),
          ClaimRow.instant(row, "at").orElseThrow());
    }

    boolean rests() {
      return conduct == AfterFailover.QUARANTINE;
    }
  }

  /**
   * Settles the pool unless it is settled, or was deleted.
   *
   * @return whether there is nothing left to do; otherwise another session has it in hand
   */
  boolean run() {
    Optional<List<Due>> due = inTransaction(this::begin);
    if (due.isEmpty()) {
      return false;
    }
    Optional<Due> open = due.get().stream().filter(one -> !one.settled).findFirst();
    if (open.isEmpty()) {
      return true;
    }
    if (open.get().rests()) {
      sweep.run();
      if (inTransaction(this::end).isEmpty()) {
        return false;
      }
    }
    settled.accept(new Settled(name, open.get().conduct, restUntil(open.get())));
    return true;
  }

  private static Optional<Instant> restUntil(Due due) {
    return due.rests() ? Optional.of(due.at.plusMillis(due.restMillis)) : Optional.empty();
  }

  /** Empty if another session has it in hand. */
  private Optional<List<Due>> inTransaction(Step step) {
    return database.transaction(
        Claimer.PATIENCE,
        statements -> {
          List<Due> due = statements.query(LOAD_SETTLEMENT, Due::read, poolId);
          if (!due.isEmpty() && !due.get(0).settled) {
            step.run(due.get(0), statements);
          }
          return due;
        },
        done -> true);
  }

  private interface Step {
    void run(Due due, Statements statements) throws SQLException;
  }

  /**
   * Closes the blocks of a pool that rests, for all sessions to see before its values are moved: a
   * sweep of another session would free some of them else.
   */
  private void begin(Due due, Statements statements) throws SQLException {
    if (due.rests()) {
      PoolQuarantine.close(statements, poolId, Duration.ofMillis(due.restMillis));
    } else {
      settle(due, statements);
    }
  }

  private void end(Due due, Statements statements) throws SQLException {
    PoolQuarantine.moveAll(statements, poolId);
    settle(due, statements);
  }

  private void settle(Due due, Statements statements) throws SQLException {
    statements.update(
        SETTLE_POOL,
        poolId,
        bind("epoch", due.epoch),
        bind("stops", due.conduct == AfterFailover.STOP));
  }
}
