package dev.mintmark.postgres.page;

import dev.mintmark.postgres.internal.SqlName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** Builds and runs the statements that read rows of a table, in one scope. */
final class PageQuery<T> {
  /** The prefix of the aliases of the columns of the order, which follow the requested columns. */
  private static final String KEY_ALIAS = "mintmark_key_";

  /** PostgreSQL's own operator: those of types by which pages can be ordered. */
  private static final String OPERATOR = "operator(pg_catalog.%s)";

  private final Connection connection;
  private final PageTable table;
  private final PageColumns<T> columns;
  private final List<SqlFragment> scope;

  /**
   * @param scope the conditions for the rows of the scope
   */
  PageQuery(
      Connection connection, PageTable table, PageColumns<T> columns, List<SqlFragment> scope) {
    this.connection = connection;
    this.table = table;
    this.columns = columns;
    this.scope = scope;
  }

  /** A row, and its values in the columns of the order. */
  record Row<T>(List<String> keys, T value) {}

  /**
   * Rows from a position, in the order of reading.
   *
   * @param more whether more rows follow
   */
  record Rows<T>(List<Row<T>> rows, boolean more) {
    List<T> values() {
      return rows.stream().map(Row::value).toList();
    }

    /** Returns the position before the rows in the order; {@code fallback} if there are no rows. */
    Position before(boolean backwards, Position fallback) {
      return rows.isEmpty()
          ? fallback
          : Position.before(rows.get(backwards ? rows.size() - 1 : 0).keys());
    }

    /** Returns the position after the rows in the order; {@code fallback} if there are no rows. */
    Position after(boolean backwards, Position fallback) {
      return rows.isEmpty()
          ? fallback
          : Position.after(rows.get(backwards ? 0 : rows.size() - 1).keys());
    }
  }

  /**
   * Reads rows.
   *
   * @param from the position to begin at; empty for the start of the order, backwards for its end
   * @param conditions further conditions for the rows
   */
  Rows<T> read(
      List<PageOrder.Key> keys,
      Optional<Position> from,
      boolean backwards,
      List<SqlFragment> conditions,
      int limit)
      throws SQLException {
    if (backwards && from.equals(Optional.of(Position.START))) {
      return new Rows<>(List.of(), false);
    }
    List<SqlFragment> where = new ArrayList<>(scope);
    from.filter(position -> !position.equals(Position.START))
        .ifPresent(position -> where.add(beyond(keys, position, backwards)));
    where.addAll(conditions);
    SqlFragment sql =
        SqlFragment.join(
            "\n",
            List.of(
                SqlFragment.of("select " + selected(keys)),
                SqlFragment.of("from " + table.quoted()),
                where(where),
                SqlFragment.of("order by " + orderBy(keys, backwards)),
                SqlFragment.of("limit ?", limit + 1)));
    try (PreparedStatement statement = sql.prepare(connection);
        ResultSet result = statement.executeQuery()) {
      return rows(result, keys.size(), limit);
    }
  }

  /** Returns whether the scope has a row for which these conditions hold. */
  boolean exists(List<SqlFragment> conditions) throws SQLException {
    List<SqlFragment> where = new ArrayList<>(scope);
    where.addAll(conditions);
    SqlFragment sql =
        where(where).between("select exists (select from " + table.quoted() + "\n", ")");
    try (PreparedStatement statement = sql.prepare(connection);
        ResultSet result = statement.executeQuery()) {
      return result.next() && result.getBoolean(1);
    }
  }

  /** Returns the least value of a {@code uuid} column in the scope for which a condition holds. */
  Optional<UUID> least(String column, SqlFragment condition) throws SQLException {
    List<SqlFragment> where = new ArrayList<>(scope);
    where.add(condition);
    String quoted = SqlName.quoted(column);
    SqlFragment sql =
        where(where)
            .between(
                "select %s from %s\n".formatted(quoted, table.quoted()),
                "\norder by %s limit 1".formatted(quoted));
    try (PreparedStatement statement = sql.prepare(connection);
        ResultSet result = statement.executeQuery()) {
      return result.next() ? Optional.of(result.getObject(1, UUID.class)) : Optional.empty();
    }
  }

  /**
   * Returns the condition that compares a column with a value.
   *
   * @param type a type of PostgreSQL
   */
  static SqlFragment compare(String column, String operator, String type, Object value) {
    return SqlFragment.of(
        "%s %s ?::pg_catalog.%s"
            .formatted(SqlName.quoted(column), OPERATOR.formatted(operator), type),
        value instanceof Long number ? number.toString() : value);
  }

  /**
   * Returns the condition for rows whose transaction, in the snapshot of the statement, has not
   * begun yet.
   */
  static SqlFragment ahead(String xid) {
    String column = SqlName.quoted(xid);
    return SqlFragment.of(
        """
        %1$s operator(pg_catalog.>=) pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())
          and coalesce(%1$s operator(pg_catalog.<>) pg_catalog.pg_current_xact_id_if_assigned(), true)"""
            .formatted(column));
  }

  /** Returns the condition for rows beyond a position in the direction of reading. */
  SqlFragment beyond(List<PageOrder.Key> keys, Position position, boolean backwards) {
    if (keys.stream().map(PageOrder.Key::descending).distinct().count() == 1) {
      List<String> names = keys.stream().map(key -> SqlName.quoted(key.column())).toList();
      List<SqlFragment> values = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        values.add(value(keys.get(i), position, i));
      }
      String operator =
          OPERATOR.formatted(position.operator(backwards, backwards != keys.get(0).descending()));
      return SqlFragment.join(", ", values)
          .between("(" + String.join(", ", names) + ") " + operator + " (", ")");
    }
    return beyondMixed(keys, position, backwards, 0);
  }

  /**
   * Returns the same condition for columns with different directions: {@code a >= ? and (a > ? or
   * ...)}. With the first comparison, an index scan can begin at the first column.
   */
  private SqlFragment beyondMixed(
      List<PageOrder.Key> keys, Position position, boolean backwards, int index) {
    PageOrder.Key key = keys.get(index);
    String column = SqlName.quoted(key.column());
    SqlFragment value = value(key, position, index);
    boolean down = backwards != key.descending();
    if (index == keys.size() - 1) {
      return value.between(
          column + " " + OPERATOR.formatted(position.operator(backwards, down)) + " ", "");
    }
    SqlFragment rest = beyondMixed(keys, position, backwards, index + 1);
    return SqlFragment.join(
        "",
        List.of(
            value.between(
                "(" + column + " " + OPERATOR.formatted(down ? "<=" : ">=") + " ", " and ("),
            value.between(column + " " + OPERATOR.formatted(down ? "<" : ">") + " ", " or "),
            rest.between("", "))")));
  }

  private SqlFragment value(PageOrder.Key key, Position position, int index) {
    return SqlFragment.of("?::" + table.type(key.column()), position.keys().get(index));
  }

  private String selected(List<PageOrder.Key> keys) {
    List<String> selected = new ArrayList<>(columns.selected(table));
    for (int i = 0; i < keys.size(); i++) {
      // As JSON, so that the text of a time does not depend on the settings of the session.
      selected.add(
          "pg_catalog.to_jsonb(%s) operator(pg_catalog.#>>) '{}' as %s%s"
              .formatted(SqlName.quoted(keys.get(i).column()), KEY_ALIAS, i + 1));
    }
    return String.join(", ", selected);
  }

  /** With the name of the table: a name alone could be that of a joined column. */
  private String orderBy(List<PageOrder.Key> keys, boolean backwards) {
    return keys.stream()
        .map(
            key ->
                table.quotedAlone()
                    + "."
                    + SqlName.quoted(key.column())
                    + (backwards != key.descending() ? " desc" : ""))
        .collect(Collectors.joining(", "));
  }

  private static SqlFragment where(List<SqlFragment> conditions) {
    return conditions.isEmpty()
        ? SqlFragment.of("")
        : SqlFragment.join("\n  and ", conditions).between("where ", "");
  }

  private Rows<T> rows(ResultSet result, int keys, int limit) throws SQLException {
    List<Row<T>> rows = new ArrayList<>();
    while (result.next()) {
      if (rows.size() == limit) {
        return new Rows<>(rows, true);
      }
      List<String> texts = new ArrayList<>();
      for (int i = 1; i <= keys; i++) {
        texts.add(result.getString(columns.count() + i));
      }
      T value = Objects.requireNonNull(columns.reader().read(result), "a row was read as null");
      rows.add(new Row<>(List.copyOf(texts), value));
    }
    return new Rows<>(rows, false);
  }
}
