package dev.mintmark.postgres.page;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlName;
import dev.mintmark.postgres.page.PageRefusedException.Condition;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Columns of another table that are read beside the rows of pages: of the one row whose key equals
 * columns of the pages' table.
 *
 * <p>It is an outer join: a row of the pages without a row in the other table is returned with
 * nulls. So the other table neither removes nor repeats rows, and the guarantee of the order holds
 * whatever happens to it. The values are those of the moment at which the page is read; a row that
 * was read is not returned again when they change.
 *
 * <p>The key must be unique: {@link KeysetPages#checkTable} checks that a table has a unique index
 * on it, and a page fails with SQLSTATE 21000 if several rows of the other table have a key. An
 * inner join, which removes rows, is not possible: a row whose partner is inserted later would
 * appear before a cursor.
 *
 * <p>Immutable.
 *
 * <pre>{@code
 * KeysetPages.of("incidents")
 *     .joining(PageJoin.to("users").on("id", "reporter_id").column("name", "reporter"))
 *     .orderedBy(PageOrder.byMintedId("id"))
 *     .signedWith(keyring)
 *     .reading(List.of("id"), row -> row.getString("reporter"))
 * }</pre>
 */
public final class PageJoin {
  /** The name of the other table in a statement; the dot makes conflicts unlikely. */
  private static final String ALIAS = SqlName.quoted("mintmark.joined");

  private final String table;

  /** The columns of the pages' table by those of the key. */
  private final Map<String, String> keys;

  /** The columns of the other table by the names under which they are read. */
  private final Map<String, String> columns;

  private PageJoin(String table, Map<String, String> keys, Map<String, String> columns) {
    this.table = table;
    this.keys = Collections.unmodifiableMap(keys);
    this.columns = Collections.unmodifiableMap(columns);
  }

  /**
   * Returns a join to a table, or to a view, without a key and columns.
   *
   * @param table its name, after its schema and a dot, or alone if it is on the search path
   * @throws IllegalArgumentException if the name is malformed
   */
  public static PageJoin to(String table) {
    var unused = SqlName.quotedTable(table);
    return new PageJoin(table, Map.of(), Map.of());
  }

  /**
   * Returns this with one more column of the key.
   *
   * @param key the column of the other table
   * @param reference the column of the pages' table that is equal to it
   * @throws IllegalArgumentException if a name is malformed, or the key has the column already
   */
  public PageJoin on(String key, String reference) {
    var unused = SqlName.quoted(reference);
    return new PageJoin(table, with(keys, key, reference), columns);
  }

  /** Returns this with one more column to read, under its own name. */
  public PageJoin column(String column) {
    return column(column, column);
  }

  /**
   * Returns this with one more column to read.
   *
   * @param column the column of the other table
   * @param as the name under which it is read
   * @throws IllegalArgumentException if a name is malformed, or another column is read under it
   */
  public PageJoin column(String column, String as) {
    var unused = SqlName.quoted(column);
    return new PageJoin(table, keys, with(columns, as, column));
  }

  private static Map<String, String> with(Map<String, String> known, String name, String value) {
    var unused = SqlName.quoted(name);
    Map<String, String> more = new LinkedHashMap<>(known);
    if (more.put(name, value) != null) {
      throw new IllegalArgumentException("column %s is given twice".formatted(Quoted.of(name)));
    }
    return more;
  }

  /** Returns the columns of the pages' table that are equal to those of the key. */
  List<String> references() {
    return List.copyOf(keys.values());
  }

  /** Returns the names under which the columns are read. */
  List<String> names() {
    return List.copyOf(columns.keySet());
  }

  /**
   * Checks that it has a key and columns.
   *
   * @throws IllegalArgumentException if it has not
   */
  void requireComplete() {
    if (keys.isEmpty() || columns.isEmpty()) {
      throw new IllegalArgumentException(
          "join to \"%s\": expected a key and columns to read".formatted(table));
    }
  }

  /**
   * Returns the columns as a statement selects them: a query of one row each, because that cannot
   * change the rows of the statement.
   *
   * @param pages the pages' table
   */
  List<String> selected(PageTable pages) {
    List<String> equal = new ArrayList<>();
    keys.forEach(
        (key, reference) ->
            equal.add(
                "%s.%s %s %s.%s"
                    .formatted(
                        ALIAS,
                        SqlName.quoted(key),
                        pages.operator(reference, "="),
                        pages.quotedAlone(),
                        SqlName.quoted(reference))));
    List<String> selected = new ArrayList<>();
    columns.forEach(
        (as, column) ->
            selected.add(
                "(select %s.%s from %s as %s where %s) as %s"
                    .formatted(
                        ALIAS,
                        SqlName.quoted(column),
                        SqlName.quotedTable(table),
                        ALIAS,
                        String.join(" and ", equal),
                        SqlName.quoted(as))));
    return selected;
  }

  /**
   * Checks that the columns exist, and that the key of a table is unique.
   *
   * @throws PageRefusedException if not
   */
  void check(Connection connection) throws SQLException {
    List<String> key = List.copyOf(keys.keySet());
    List<String> used = new ArrayList<>(key);
    used.addAll(columns.values());
    PageTable joined = PageTable.read(connection, table, used, key, List.of());
    if (joined.isTable() && !joined.isUnique()) {
      throw joined.refused(
          Condition.TABLE,
          "several rows may join one row of the pages: expected a unique index on columns of %s, without conditions or expressions"
              .formatted(key));
    }
  }
}
