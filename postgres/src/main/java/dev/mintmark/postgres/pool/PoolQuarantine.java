package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.DurationText;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.pool.PoolLayout.Place;
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
  private static final SqlFile PROLONG_ALL = SqlFile.load(PoolQuarantine.class, "prolong_all");
  private static final SqlFile QUARANTINE_ALL =
      SqlFile.load(PoolQuarantine.class, "quarantine_all");

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
    database.query(JUMP_TOKENS, row -> row.getLong("token"));
    int unused =
        database.single(
            statements ->
                statements.update(
                    CLOSE_BLOCKS, context.poolId(), bind("millis", length.toMillis())));
    context.sweep().run();
    PoolDatabase.untilNothingIsFound(() -> moved(PROLONG_ALL) + moved(QUARANTINE_ALL));
  }

  private long moved(SqlFile statement) {
    return context
        .database()
        .query(statement, row -> row.getLong("moved"), context.poolId())
        .get(0);
  }

  private static void check(Duration length) {
    if (length.isNegative() || length.isZero() || length.compareTo(PoolSpec.DURATION_MAX) > 0) {
      throw new IllegalArgumentException(
          "quarantine is %s: expected more than 0s, up to %s"
              .formatted(DurationText.format(length), DurationText.format(PoolSpec.DURATION_MAX)));
    }
  }
}
