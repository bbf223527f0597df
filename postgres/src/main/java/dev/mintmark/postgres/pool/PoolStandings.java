package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;
import static dev.mintmark.postgres.internal.Transactions.Bind.bindTime;

import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where a pool of one of several databases is: here, on its way, or moved (V12__databases.sql). */
final class PoolStandings {
  private static final SqlFile POOL_STANDING = SqlFile.load(PoolStandings.class, "pool_standing");
  private static final SqlFile LAST_DEPARTURE = SqlFile.load(PoolStandings.class, "last_departure");
  private static final SqlFile HAS_DEPARTED = SqlFile.load(PoolStandings.class, "has_departed");
  private static final SqlFile MOVED_SINCE = SqlFile.load(PoolStandings.class, "moved_since");
  private static final SqlFile MAY_ARRIVE = SqlFile.load(PoolStandings.class, "may_arrive");
  private static final SqlFile READ_CLOCK = SqlFile.load(PoolStandings.class, "read_clock");
  private static final SqlFile PROLONG_LEASES = SqlFile.load(PoolStandings.class, "prolong_leases");
  private static final SqlFile ARRIVE = SqlFile.load(PoolStandings.class, "arrive");

  private static final SqlFile HAS_ARRIVED = SqlFile.load(PoolStandings.class, "has_arrived");

  private static final SqlFile END_DEPARTURES = SqlFile.load(PoolStandings.class, "end_departures");

  /** Takes a statement a fraction of a second. */
  private static final int PROLONGED_AT_ONCE = 5_000;

  /** How long a move has begun before it has locked the pool; then its program was killed. */
  private static final Duration BEGINS_WITHIN = Duration.ofSeconds(5);

  private PoolStandings() {}

  /**
   * How a pool stands in a database that has it, or a copy of it.
   *
   * @param arrival the move that brought it; null: it was created here
   * @param isArriving whether it is a copy that is not used yet
   */
  record Standing(int poolId, @Nullable Arrival arrival, boolean isArriving) {
    private static Standing read(ResultSet row) throws SQLException {
      String moveId = row.getString("move_id");
      return new Standing(
          row.getInt("pool_id"),
          moveId == null
              ? null
              : new Arrival(moveId, row.getString("source"), row.getInt("source_pool_id")),
          row.getBoolean("arriving"));
    }

    /** Whether the pool was moved here from a pool of another database. */
    boolean cameFrom(String database, int poolId) {
      return !isArriving && arrival != null && arrival.isFrom(database, poolId);
    }
  }

  /** A move, with the database that the pool came from, and its id there. */
  record Arrival(String moveId, String source, int sourcePoolId) {
    boolean isFrom(String database, int poolId) {
      return source.equals(database) && sourcePoolId == poolId;
    }
  }

  /** How a pool stands; empty if the database has none of that name. */
  static Optional<Standing> of(PoolDatabase database, String pool) {
    return database.prompt().query(POOL_STANDING, Standing::read, bind("name", pool)).stream()
        .findFirst();
  }

  /** The move that has left a copy of a pool, which has not arrived as far as is known. */
  static Optional<Arrival> copy(PoolDatabase database, String pool) {
    return database.prompt().single(statements -> copy(statements, pool));
  }

  /** As {@link #copy(PoolDatabase, String)}, as a part of a transaction. */
  static Optional<Arrival> copy(Statements statements, String pool) throws SQLException {
    return statements.query(POOL_STANDING, Standing::read, bind("name", pool)).stream()
        .filter(Standing::isArriving)
        .map(Standing::arrival)
        .findFirst();
  }

  /**
   * Where a pool is that was here; empty if it was not moved. It may have come back meanwhile: one
   * statement reads both, since the departure is deleted then.
   */
  static Optional<String> movedSince(PoolDatabase database, String pool) {
    return database
        .prompt()
        .query(
            MOVED_SINCE,
            row -> row.getString("database"),
            bind("name", pool),
            bind("here", database.name().orElse("")))
        .stream()
        .filter(name -> !name.isEmpty())
        .findFirst();
  }

  /** To which database a pool was moved last; empty if it never was. */
  static Optional<String> movedTo(PoolDatabase database, String pool) {
    return database
        .prompt()
        .query(LAST_DEPARTURE, row -> row.getString("database"), bind("name", pool))
        .stream()
        .findFirst();
  }

  /** Whether a move is complete in the database that the pool left. */
  static boolean hasDeparted(PoolDatabase database, String moveId) {
    return !database
        .prompt()
        .query(HAS_DEPARTED, row -> row.getBoolean("departed"), bind("move_id", moveId))
        .isEmpty();
  }

  /** Whether the database that a copy came from has the pool still, or has let it go. */
  static boolean mayArrive(PoolDatabase source, Arrival arrival) {
    return source
        .prompt()
        .query(
            MAY_ARRIVE,
            row -> row.getBoolean("may_arrive"),
            bind("move_id", arrival.moveId()),
            bind("pool_id", arrival.sourcePoolId()))
        .get(0);
  }

  /**
   * Ends the departure of a pool whose move was given up; of all pools if {@code poolId} is null.
   */
  static void endDepartures(PoolDatabase database, @Nullable Integer poolId) {
    endDepartures(database, poolId, BEGINS_WITHIN);
  }

  /** The move of a pool was given up: it grants again, unless it has departed, or is about to. */
  static void endDeparture(PoolDatabase database, int poolId) {
    endDepartures(database, poolId, Duration.ZERO);
  }

  private static void endDepartures(
      PoolDatabase database, @Nullable Integer poolId, Duration begunBefore) {
    int unused =
        database.single(
            statements ->
                statements.update(
                    END_DEPARTURES,
                    bind("pool_id", poolId),
                    bind("millis", begunBefore.toMillis())));
  }

  /**
   * Makes a copy the pool, after it has departed where it came from. No lease ends because it could
   * not be renewed on the way.
   *
   * @throws PoolUnavailableException if the database failed, or does not have the copy any more
   */
  static void arrive(PoolDatabase database, int poolId, String moveId) {
    Instant at = clock(database);
    prolongLeases(database, poolId, at, false);
    prolongLeases(database, poolId, at, true);
    Bind[] move = {bind("pool_id", poolId), bind("move_id", moveId)};
    int arrived = database.prompt().single(statements -> statements.update(ARRIVE, move));
    if (arrived == 0 && database.prompt().query(HAS_ARRIVED, row -> "", move).isEmpty()) {
      throw new PoolUnavailableException(
          "a pool that was moved to the database %s is not there: another program has deleted it, or moved it on"
              .formatted(database.name().orElse("")));
    }
  }

  /** Reads the clock of a database. */
  static Instant clock(PoolDatabase database) {
    return database
        .prompt()
        .query(READ_CLOCK, row -> ClaimRow.instant(row, "at").orElseThrow())
        .get(0);
  }

  private static void prolongLeases(PoolDatabase database, int poolId, Instant at, boolean ended) {
    PoolDatabase.untilNothingIsFound(
        () ->
            database
                .prompt()
                .single(
                    statements ->
                        statements.update(
                            PROLONG_LEASES,
                            bind("pool_id", poolId),
                            bindTime("at", Optional.of(at)),
                            bind("ended", ended),
                            bind("batch", PROLONGED_AT_ONCE))));
  }
}
