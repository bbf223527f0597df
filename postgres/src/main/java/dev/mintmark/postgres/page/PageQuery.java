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
import java.util.stream.Collectors;

/** Writes and runs the statements that read rows of a table, in one scope. */
final class PageQuery<T> {
  /** What the columns of the order are called where they stand behind those asked for. */
  private static final String KEY_ALIAS = "mintmark_key_";

  private final Connection connection;
  private final PageTable table;
  private final PageColumns<T> columns;
  private final List<Sql> scope;

  /**
   * @param scope the conditions that hold for the rows of the scope
   */
  PageQuery(Connection connection, PageTable table, PageColumns<T> columns, List<Sql> scope) {
    this.connection = connection;
    this.table = table;
    this.columns = columns;
    this.scope = scope;
  }

  /** A row, and where it stands in the order. */
  record Row<T>(List<String> keys, T value) {}

  /**
   * Some rows from a gap, in the order of reading.
   *
   * @param more whether there was a row too many, which is not among them
   */
  record Rows<T>(List<Row<T>> rows, boolean more) {
    List<T> values() {
      return rows.stream().map(Row::value).toList();
    }

    /** In front of the rows, seen in the order; {@code otherwise} where there are none. */
    Gap before(boolean backwards, Gap otherwise) {
      return rows.isEmpty()
          ? otherwise
          : Gap.before(rows.get(backwards ? rows.size() - 1 : 0).keys());
    }

    /** Behind the rows, seen in the order. */
    Gap after(boolean backwards, Gap otherwise) {
      return rows.isEmpty()
          ? otherwise
          : Gap.after(rows.get(backwards ? 0 : rows.size() - 1).keys());
    }
  }

  /**
   * Reads rows.
   *
   * @param from where to begin: at the end of the order where it is empty
   * @param conditions what else holds for the rows
   */
  Rows<T> read(
      List<PageOrder.Key> keys,
      Optional<Gap> from,
      boolean backwards,
      List<Sql> conditions,
      int limit)
      throws SQLException {
    if (backwards && from.equals(Optional.of(Gap.START))) {
      return new Rows<>(List.of(), false);
    }
    List<Sql> where = new ArrayList<>(scope);
    from.filter(gap -> !gap.equals(Gap.START))
        .ifPresent(gap -> where.add(beyond(keys, gap, backwards)));
    where.addAll(conditions);
    Sql sql =
        Sql.join(
            "\n",
            List.of(
                Sql.of("select " + selected(keys)),
                Sql.of("from " + table.quoted()),
                where(where),
                Sql.of("order by " + orderBy(keys, backwards)),
                Sql.of("limit ?", limit + 1)));
    try (PreparedStatement statement = sql.prepare(connection);
        ResultSet result = statement.executeQuery()) {
      return rows(result, keys.size(), limit);
    }
  }

  /** Asks whether the scope has a row for which these conditions hold. */
  boolean exists(List<Sql> conditions) throws SQLException {
    List<Sql> where = new ArrayList<>(scope);
    where.addAll(conditions);
    Sql sql = where(where).between("select exists (select from " + table.quoted() + "\n", ")");
    try (PreparedStatement statement = sql.prepare(connection);
        ResultSet result = statement.executeQuery()) {
      return result.next() && result.getBoolean(1);
    }
  }

  /** The condition that compares a column with a value. */
  static Sql compare(String column, String operator, String type, Object value) {
    return Sql.of(
        SqlName.quoted(column) + " " + operator + " ?::" + type,
        value instanceof Long number ? number.toString() : value);
  }

  /**
   * The condition of rows whose transaction, seen from the statement's own snapshot, is yet to
   * begin.
   */
  static Sql ahead(String xid) {
    String column = SqlName.quoted(xid);
    return Sql.of(
        column
            + " >= pg_snapshot_xmax(pg_current_snapshot()) and "
            + column
            + " is distinct from pg_current_xact_id_if_assigned()");
  }

  /** The condition that rows beyond a gap fulfil. */
  Sql beyond(List<PageOrder.Key> keys, Gap gap, boolean backwards) {
    if (keys.stream().map(PageOrder.Key::descending).distinct().count() == 1) {
      List<String> names = keys.stream().map(key -> SqlName.quoted(key.column())).toList();
      List<Sql> values = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        values.add(value(keys.get(i), gap, i));
      }
      String operator = gap.operator(backwards, backwards != keys.get(0).descending());
      return Sql.join(", ", values)
          .between("(" + String.join(", ", names) + ") " + operator + " (", ")");
    }
    return beyondMixed(keys, gap, backwards, 0);
  }

  /**
   * The same for directions that differ: {@code a >= ? and (a > ? or (a = ? and ...))}, so that an
   * index can be entered at the first column.
   */
  private Sql beyondMixed(List<PageOrder.Key> keys, Gap gap, boolean backwards, int index) {
    PageOrder.Key key = keys.get(index);
    String column = SqlName.quoted(key.column());
    Sql value = value(key, gap, index);
    boolean down = backwards != key.descending();
    if (index == keys.size() - 1) {
      return value.between(column + " " + gap.operator(backwards, down) + " ", "");
    }
    Sql rest = beyondMixed(keys, gap, backwards, index + 1);
    return Sql.join(
        "",
        List.of(
            value.between("(" + column + (down ? " <= " : " >= "), " and ("),
            value.between(column + (down ? " < " : " > "), " or "),
            rest.between("", "))")));
  }

  private Sql value(PageOrder.Key key, Gap gap, int index) {
    return Sql.of("?::" + table.type(key.column()), gap.keys().get(index));
  }

  private String selected(List<PageOrder.Key> keys) {
    List<String> selected = new ArrayList<>();
    columns.names().forEach(column -> selected.add(SqlName.quoted(column)));
    for (int i = 0; i < keys.size(); i++) {
      // As JSON writes it, so that no setting of the session says what a time looks like.
      selected.add(
          "to_jsonb(%s) #>> '{}' as %s%d"
              .formatted(SqlName.quoted(keys.get(i).column()), KEY_ALIAS, i + 1));
    }
    return String.join(", ", selected);
  }

  private static String orderBy(List<PageOrder.Key> keys, boolean backwards) {
    return keys.stream()
        .map(key -> SqlName.quoted(key.column()) + (backwards != key.descending() ? " desc" : ""))
        .collect(Collectors.joining(", "));
  }

  private static Sql where(List<Sql> conditions) {
    return conditions.isEmpty()
        ? Sql.of("")
        : Sql.join("\n  and ", conditions).between("where ", "");
  }

  private Rows<T> rows(ResultSet result, int keys, int limit) throws SQLException {
    List<Row<T>> rows = new ArrayList<>();
    while (result.next()) {
      if (rows.size() == limit) {
        return new Rows<>(rows, true);
      }
      List<String> texts = new ArrayList<>();
      for (int i = 1; i <= keys; i++) {
        texts.add(result.getString(columns.names().size() + i));
      }
      T value = Objects.requireNonNull(columns.reader().read(result), "a row was read as null");
      rows.add(new Row<>(List.copyOf(texts), value));
    }
    return new Rows<>(rows, false);
  }
}
