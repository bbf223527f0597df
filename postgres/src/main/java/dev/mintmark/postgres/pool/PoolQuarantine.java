package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.DurationText;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import dev.mintmark.postgres.pool.PoolLayout.Place;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Quarantines values of a pool on request. Safe for use by many threads. */
final class PoolQuarantine {
  private static final SqlFile QUARANTINE_VALUE =
      SqlFile.load(PoolQuarantine.class, "quarantine_value");
  private static final SqlFile JUMP_TOKENS = SqlFile.load(PoolQuarantine.class, "jump_tokens");
  private static final SqlFile CLOSE_BLOCKS = SqlFile.load(PoolQuarantine.class, "close_blocks");
  private static final SqlFile AWAIT_RELEASES =
      SqlFile.load(PoolQuarantine.class, "await_releases");
  private static final SqlFile PROLONG_ALL = SqlFile.load(PoolQuarantine.class, "prolong_all");
  private static final SqlFile QUARANTINE_ALL =
      SqlFile.load(PoolQuarantine.class, "quarantine_all");
  private static final SqlFile RESUME_POOL = SqlFile.load(PoolQuarantine.class, "resume_pool");

  /** How far tokens jump: more than are drawn between two backups. */
  static final long TOKEN_JUMP = 1_000_000_000_000L;

  private static final int TRIES_MAX = 8;

  private final PoolContext context;

  PoolQuarantine(PoolContext context) {
    this.context = context;
  }

  /** Quarantines a value, as {@link Pool#quarantine} says. */
  Optional<Instant> quarantine(String value, Duration length) {
    check(length);
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      Place place = context.requirePlace(value);
      Optional<Long> version = context.versionOf(place);
      if (version.isEmpty()) {
        context.reload();
        continue;
      }
      List<Instant> until =
          context
              .database()
              .query(
                  QUARANTINE_VALUE,
                  row -> ClaimRow.instant(row, "until").orElseThrow(),
                  context.poolId(),
                  bind("block_id", place.block()),
                  bind("place", place.place()),
                  bind("version", version.get()),
                  bind("millis", length.toMillis()));
      if (!until.isEmpty()) {
        return Optional.of(until.get(0));
      }
      if (context.find(value).isPresent()) {
        return Optional.empty();
      }
      if (context.reload().layout().excludes(place)) {
        throw new IllegalArgumentException(
            "pool %s excludes %s".formatted(Quoted.of(context.name()), Quoted.of(value)));
      }
      // The lease of the last holder may have ended without a sweep since.
      context.sweep().run();
    }
    return Optional.empty();
  }

  /** Quarantines all values, as {@link Pool#quarantineAll} says. */
  void quarantineAll(Duration length) {
    check(length);
    PoolDatabase database = context.database();
    boolean unused =
        database.single(
            statements -> {
              jumpTokens(context.fence().seenToken(), statements);
              close(statements, context.poolId(), length);
              return true;
            });
    context.sweep().run();
    unused =
        database.single(
            statements -> {
              statements.query(AWAIT_RELEASES, row -> "", context.poolId());
              moveAll(statements, context.poolId());
              return true;
            });
    resume();
    context.checkKnown();
  }

  /** Lets a stopped pool grant values again. False if it is not stopped. */
  boolean resume() {
    return context.database().single(statements -> statements.update(RESUME_POOL, context.poolId()))
        > 0;
  }

  /**
   * Moves the tokens on, by {@link #TOKEN_JUMP}, beyond any that may have been drawn.
   *
   * @param floor a token that was drawn, or may have been, though the database does not know
   */
  static void jumpTokens(long floor, Statements statements) throws SQLException {
    statements.query(
        JUMP_TOKENS,
        row -> row.getLong("token"),
        bind("floor", floor),
        bind("distance", TOKEN_JUMP));
  }

  /** Closes the blocks of a pool for a time, as close_blocks.sql says. */
  static void close(Statements statements, Bind poolId, Duration length) throws SQLException {
    statements.update(CLOSE_BLOCKS, poolId, bind("millis", length.toMillis()));
  }

  /** Quarantines all values of a pool that are not held until their blocks are open again. */
  static void moveAll(Statements statements, Bind poolId) throws SQLException {
    PoolDatabase.untilNothingIsFound(
        () -> moved(PROLONG_ALL, statements, poolId) + moved(QUARANTINE_ALL, statements, poolId));
  }

  private static long moved(SqlFile statement, Statements statements, Bind poolId)
      throws SQLException {
    return statements.query(statement, row -> row.getLong("moved"), poolId).get(0);
  }

  private static void check(Duration length) {
    if (length.isNegative() || length.isZero() || length.compareTo(PoolSpec.DURATION_MAX) > 0) {
      throw new IllegalArgumentException(
          "quarantine is %s: expected more than 0s, up to %s"
              .formatted(DurationText.format(length), DurationText.format(PoolSpec.DURATION_MAX)));
    }
  }
}
