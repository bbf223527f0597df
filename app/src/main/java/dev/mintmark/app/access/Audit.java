package dev.mintmark.app.access;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The audit in the database: who changed what, when, and from where. What is about to be changed is
 * stored before, without an outcome, so that a process that ends in between leaves a trace. Safe
 * for use by many threads.
 */
public final class Audit {
  /** The most entries of a page. */
  public static final int PAGE_MAX = 1_000;

  private static final AccessSql INSERT = AccessSql.load("insert_audit");
  private static final AccessSql END = AccessSql.load("end_audit");
  private static final AccessSql LIST = AccessSql.load("list_audit");
  private static final AccessSql PRUNE = AccessSql.load("prune_audit");

  /** How long a list waits for another one to end. */
  private static final Duration LIST_PATIENCE = Duration.ofMillis(500);

  private final AccessTables tables;

  /**
   * One list at a time: a search of a large audit takes long, and must not take all the connections
   * with which keys are read and the audit is stored.
   */
  private final Semaphore listing = new Semaphore(1);

  private Audit(AccessTables tables) {
    this.tables = tables;
  }

  /** The audit of a database that has its table. */
  public static Audit over(DataSource connections) {
    return new Audit(new AccessTables(connections));
  }

  /**
   * Stores that something begins.
   *
   * @return the entry with its id, for {@link #end}
   * @throws AccessUnavailableException if the database fails: then it must not begin
   */
  public AuditEntry begin(AuditEntry entry) {
    return entry.withId(
        tables.inTransaction(
            entry, (connection, storable) -> append(connection, List.of(storable)).get(0)));
  }

  /**
   * Stores the target and the outcome of something that has begun.
   *
   * @param ended what {@link #begin} returned, with an outcome
   * @throws AccessUnavailableException if the database fails
   */
  public void end(AuditEntry ended) {
    var unused = tables.inTransaction(ended, Audit::end);
  }

  private static int end(Connection connection, AuditEntry ended) throws SQLException {
    return END.update(
        connection,
        Map.of(
            "audit_id",
            ended.id(),
            "target",
            ended.target(),
            "outcome",
            ended.outcome().orElseThrow()));
  }

  /**
   * Stores entries in one transaction: new ones, and the ends of those that {@link #begin} has
   * stored.
   *
   * @throws AccessUnavailableException if the database fails, or rejects one of them: then none is
   *     stored
   */
  void append(List<AuditEntry> entries) {
    var unused = tables.inTransaction(connection -> store(connection, entries));
  }

  private static List<Long> store(Connection connection, List<AuditEntry> entries)
      throws SQLException {
    for (AuditEntry entry : entries) {
      if (entry.id() != 0) {
        var unused = end(connection, entry);
      }
    }
    return append(connection, entries.stream().filter(entry -> entry.id() == 0).toList());
  }

  static List<Long> append(Connection connection, List<AuditEntry> entries) throws SQLException {
    return INSERT.query(
        connection,
        Map.of(
            "ats", column(entries, entry -> entry.at().toString()),
            "actors", column(entries, AuditEntry::actor),
            "actor_names", column(entries, AuditEntry::actorName),
            "sources", column(entries, AuditEntry::source),
            "actions", column(entries, AuditEntry::action),
            "targets", column(entries, AuditEntry::target),
            "details", column(entries, AuditEntry::detail),
            "outcomes", column(entries, entry -> entry.outcome().orElse(null)),
            "request_ids", column(entries, entry -> entry.requestId().orElse(null))),
        row -> row.getLong("audit_id"));
  }

  private static @Nullable String[] column(
      List<AuditEntry> entries, Function<AuditEntry, @Nullable String> part) {
    return entries.stream().map(part).toArray(String[]::new);
  }

  /**
   * Lists entries, the latest first.
   *
   * @param before only entries with smaller ids: the last id of the page before
   * @param limit the most entries, 1 to {@value #PAGE_MAX}
   * @throws IllegalArgumentException if the limit is out of range
   * @throws AccessUnavailableException if the database fails, or another list has not ended
   */
  public List<AuditEntry> list(AuditFilter filter, OptionalLong before, int limit) {
    if (limit < 1 || limit > PAGE_MAX) {
      throw new IllegalArgumentException(
          "limit is %s: expected 1 to %s".formatted(limit, PAGE_MAX));
    }
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("before", before.orElse(Long.MAX_VALUE));
    values.put("actor", filter.actor().orElse(null));
    values.put("action", filter.action().orElse(null));
    values.put("target", filter.target().orElse(null));
    values.put("request", filter.requestId().orElse(null));
    values.put("since", filter.since().map(Keys::stored).orElse(null));
    values.put("until", filter.until().map(Keys::stored).orElse(null));
    values.put("entries_max", limit);
    return alone(
        connection ->
            LIST.query(
                connection,
                values,
                row ->
                    new AuditEntry(
                        row.getLong("audit_id"),
                        Keys.instant(row, "at").orElseThrow(),
                        row.getString("actor"),
                        row.getString("actor_name"),
                        row.getString("source"),
                        row.getString("action"),
                        row.getString("target"),
                        row.getString("detail"),
                        Optional.ofNullable(row.getString("request_id")),
                        Optional.ofNullable(row.getString("outcome")))));
  }

  private <T> T alone(AccessTables.Work<T> work) {
    try {
      if (!listing.tryAcquire(LIST_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AccessUnavailableException("another search of the audit has not ended");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AccessUnavailableException("the search of the audit was interrupted");
    }
    try {
      return tables.inTransaction(work);
    } finally {
      listing.release();
    }
  }

  /**
   * Deletes the entries before a time, in one transaction with the entry that says so.
   *
   * @return how many were deleted
   */
  public long prune(Instant before, AuditEntry pruning, String outcome) {
    return tables.inTransaction(
        pruning.ended(outcome),
        (connection, storable) -> {
          int pruned = PRUNE.update(connection, Map.of("before", Keys.stored(before)));
          append(connection, List.of(storable));
          return (long) pruned;
        });
  }
}
