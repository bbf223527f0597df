package dev.mintmark.operations.migrate;

import dev.mintmark.Catalog;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Who keeps a step or a plan from its locks. */
final class LockHolders {
  private static final SqlFile HOLDERS = SqlFile.load(LockHolders.class, "lock_holders");

  private LockHolders() {}

  /**
   * Which tables are locked, and by whom: a guess, since they may have let go meanwhile.
   *
   * @return such as {@code public.orders is locked by process 4711 (psql) since 2026-01-31
   *     08:15:00+00}
   */
  static String describe(Connection connection, Step step) throws SQLException {
    List<TableLock> locks = wanted(step);
    String[] tables = locks.stream().map(TableLock::table).toArray(String[]::new);
    String[] modes = locks.stream().map(lock -> lock.mode().name()).toArray(String[]::new);
    String holders = describe(connection, tables, modes, "%s is locked by %s (%s)%s");
    return holders.isEmpty()
        ? Stream.of(tables).distinct().collect(Collectors.joining(", ")) + " was locked by others"
        : holders;
  }

  /** The same of those that may have locked rows of what a step works on. */
  static String describeRows(Connection connection, Step step) throws SQLException {
    String[] tables = {step.target()};
    String[] modes = {"ROWS"};
    String holders = describe(connection, tables, modes, "rows of %s are locked by %s (%s)%s");
    return holders.isEmpty() ? "rows of " + step.target() + " were locked by others" : holders;
  }

  /**
   * The same of what keeps a plan from reading the tables of a catalog.
   *
   * @param reason receives, as suppressed, why the holders cannot be read
   */
  static String describeReading(Connection connection, Catalog catalog, SQLException reason) {
    String[] tables =
        catalog.collections().stream()
            .flatMap(collection -> collection.table().stream())
            .map(SqlName::quotedTable)
            .toArray(String[]::new);
    String[] modes = Stream.of(tables).map(table -> "ACCESS_SHARE").toArray(String[]::new);
    String holders = "";
    try {
      holders = describe(connection, tables, modes, "%s is locked by %s (%s)%s");
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
    return holders.isEmpty()
        ? "a table of the catalog, or one that refers to it, was locked by others"
        : holders;
  }

  private static String describe(
      Connection connection, String[] tables, String[] modes, String format) throws SQLException {
    return HOLDERS
        .query(
            connection,
            Map.of("tables", tables, "modes", modes),
            row ->
                format.formatted(
                    row.getString("relation"),
                    process(row.getString("pid")),
                    row.getString("application_name"),
                    Optional.ofNullable(row.getString("since"))
                        .map(since -> " since " + since)
                        .orElse("")))
        .stream()
        .collect(Collectors.joining("; "));
  }

  private static String process(String pid) {
    return Character.isDigit(pid.charAt(0)) ? "process " + pid : pid;
  }

  /** A step that names no locks wants the strongest one on what it works on. */
  private static List<TableLock> wanted(Step step) {
    return step.locks().isEmpty()
        ? List.of(
            new TableLock(step.target(), TableLock.Mode.ACCESS_EXCLUSIVE, TableLock.Held.BRIEFLY))
        : step.locks();
  }
}
