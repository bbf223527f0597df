package dev.mintmark.postgres.pool.numbers;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.NumberRange;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.SqlName;
import dev.mintmark.postgres.internal.Transactions.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The state of a sequence and its feed, at one moment.
 *
 * @param permanent whether a crash leaves it as it is: it is neither unlogged nor temporary
 * @param last the number before the one that it returns next
 * @param hereTimeline the timeline of this database; empty if it is not read
 * @param home the database in which it was fed last; empty if it never was
 * @param timeline the timeline of the database when a refill looked at it last
 * @param abandoned whether the present run must be left, however many numbers are left
 * @param bounds its bounds since it was moved last
 * @param presentSize how many numbers its present run has
 * @param waiting a run that was drawn and not used yet
 */
record FeedLook(
    String type,
    long increment,
    boolean cycles,
    boolean permanent,
    long min,
    long max,
    long last,
    boolean owned,
    boolean readable,
    String here,
    String database,
    Optional<String> hereTimeline,
    Optional<String> pool,
    Optional<String> home,
    Optional<String> intent,
    Optional<String> timeline,
    boolean abandoned,
    Optional<NumberRange> bounds,
    long presentSize,
    Optional<NumberRange> waiting) {
  private static final SqlFile LOOK = SqlFile.load(FeedLook.class, "feed_look");

  /**
   * Reads the state; empty if there is no such sequence.
   *
   * @param sequence its schema, a dot and its name
   */
  static Optional<FeedLook> read(Statements statements, String sequence, boolean withTimeline)
      throws SQLException {
    int dot = sequence.indexOf('.');
    Optional<FeedLook> look =
        statements
            .query(
                LOOK,
                FeedLook::of,
                bind("sequence", sequence),
                bind("schema", sequence.substring(0, dot)),
                bind("name", sequence.substring(dot + 1)),
                bind("with_timeline", withTimeline))
            .stream()
            .findFirst();
    return look.isPresent() && look.get().readable
        ? Optional.of(look.get().at(last(statements, sequence)))
        : look;
  }

  private static FeedLook of(ResultSet row) throws SQLException {
    Optional<NumberRange> bounds = range(row, "first_number", "last_number");
    return new FeedLook(
        row.getString("type"),
        row.getLong("increment_by"),
        row.getBoolean("cycle"),
        row.getBoolean("permanent"),
        row.getLong("min_value"),
        row.getLong("max_value"),
        row.getLong("min_value") - 1,
        row.getBoolean("owned"),
        row.getBoolean("readable"),
        row.getString("here"),
        row.getString("database"),
        Optional.ofNullable(row.getString("here_timeline")),
        Optional.ofNullable(row.getString("pool")),
        Optional.ofNullable(row.getString("home")),
        Optional.ofNullable(row.getString("intent")),
        Optional.ofNullable(row.getString("timeline")),
        row.getBoolean("abandoned"),
        bounds,
        row.getLong("present_size"),
        range(row, "waiting_first", "waiting_last"));
  }

  private static Optional<NumberRange> range(ResultSet row, String first, String last)
      throws SQLException {
    return row.getObject(first) == null
        ? Optional.empty()
        : Optional.of(new NumberRange(row.getLong(first), row.getLong(last)));
  }

  /** Does not use {@code pg_sequences}: it has no position of a sequence that was restarted. */
  private static long last(Statements statements, String sequence) throws SQLException {
    String sql = "select last_value, is_called from " + SqlName.quotedTable(sequence);
    return statements
        .query(sql, row -> row.getBoolean("is_called") ? row.getLong(1) : row.getLong(1) - 1)
        .get(0);
  }

  private FeedLook at(long last) {
    return new FeedLook(
        type,
        increment,
        cycles,
        permanent,
        min,
        max,
        last,
        owned,
        readable,
        here,
        database,
        hereTimeline,
        pool,
        home,
        intent,
        timeline,
        abandoned,
        bounds,
        presentSize,
        waiting);
  }

  long remaining() {
    return max - last;
  }

  /** Whether the timeline of this database is another one than the feed has recorded. */
  boolean isOnAnotherTimeline() {
    return home.isPresent() && hereTimeline.isPresent() && !hereTimeline.equals(timeline);
  }

  /** Whether it may have returned numbers without a run, up to this one or beyond. */
  boolean wasInUseTo(long number) {
    return !isWithinRuns() && last >= number;
  }

  /** Whether its bounds are those of runs: it was fed, and not altered since. */
  boolean isWithinRuns() {
    return bounds.filter(runs -> min == runs.first() && max == runs.last()).isPresent();
  }
}
