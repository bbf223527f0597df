package dev.mintmark.postgres.page;

import dev.mintmark.Quoted;
import dev.mintmark.Ulid;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.SqlName;
import dev.mintmark.postgres.page.PageRefusedException.Condition;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A table as the catalog of its database describes it, with the checks that pages require. */
final class PageTable {
  private static final SqlFile TABLE = SqlFile.load(PageTable.class, "table");

  private static final Pattern STAMP =
      Pattern.compile("(?:pg_catalog\\.)?pg_current_xact_id\\(\\)");

  private static final Set<String> TEXT_TYPES = Set.of("text", "varchar", "bpchar");

  private static final Set<String> ORDERED_TYPES =
      Set.of(
          "int2",
          "int4",
          "int8",
          "numeric",
          "text",
          "varchar",
          "bpchar",
          "uuid",
          "bool",
          "date",
          "timestamp",
          "timestamptz",
          "xid8");

  private final String name;
  private final String resolved;
  private final String kind;
  private final boolean unique;
  private final boolean foreignParts;
  private final boolean subscribed;
  private final long prepared;
  private final Map<String, Column> columns;

  private PageTable(String name, ResultSet first, Map<String, Column> columns) throws SQLException {
    this.name = name;
    this.resolved = first.getString("resolved");
    this.kind = first.getString("kind");
    this.unique = first.getBoolean("is_unique");
    this.foreignParts = first.getBoolean("has_foreign_parts");
    this.subscribed = first.getBoolean("is_subscribed");
    this.prepared = first.getLong("prepared");
    this.columns = columns;
  }

  /**
   * A column.
   *
   * @param type the type as it is written in a cast
   * @param operators the quoted schema of the operators that compare values of the type
   * @param baseType the name of the type, or of the base type of a domain; {@code enum} for any
   *     enum
   * @param defaults the defaults of the table and of each of its partitions and child tables; an
   *     empty text if there is no default
   * @param isMinted whether each of these defaults is a call of a mint
   * @param settingTriggers the triggers that may assign the column before a row is inserted
   */
  private record Column(
      String type,
      String operators,
      String baseType,
      boolean notNull,
      List<String> defaults,
      boolean isMinted,
      List<String> settingTriggers) {
    boolean defaultsTo(Pattern expression) {
      return !defaults.isEmpty()
          && defaults.stream().allMatch(value -> expression.matcher(value).matches());
    }
  }

  /**
   * Reads the description of a table.
   *
   * @param used the columns of the scope and the order
   * @param unique the columns that must be unique together
   * @param trusted the functions that are trusted as mints and in triggers
   */
  static PageTable read(
      Connection connection,
      String table,
      List<String> used,
      List<String> unique,
      List<String> trusted)
      throws SQLException {
    Map<String, Object> values =
        Map.of(
            "table", SqlName.quotedTable(table),
            "columns", used.toArray(String[]::new),
            "unique_within", unique.toArray(String[]::new),
            "trusted",
                trusted.stream()
                    .map(function -> SqlName.quotedTable(function) + "()")
                    .toArray(String[]::new));
    try (PreparedStatement statement = TABLE.prepare(connection, values);
        ResultSet row = statement.executeQuery()) {
      PageTable found = null;
      Map<String, Column> columns = new HashMap<>();
      while (row.next()) {
        if (row.getString("name") != null) {
          columns.put(row.getString("name"), column(row));
        }
        if (found == null) {
          found = new PageTable(table, row, columns);
        }
      }
      if (found == null) {
        throw new PageRefusedException(
            table,
            Condition.TABLE,
            "there is no such table in this database and on the search path");
      }
      return found.withColumns(used);
    }
  }

  private static Column column(ResultSet row) throws SQLException {
    return new Column(
        row.getString("type"),
        row.getString("operators"),
        row.getString("base_type"),
        row.getBoolean("not_null"),
        texts(row.getArray("defaults")),
        row.getBoolean("is_minted"),
        texts(row.getArray("setting_triggers")));
  }

  private static List<String> texts(@Nullable Array array) throws SQLException {
    return array == null ? List.of() : List.of((String[]) array.getArray());
  }

  private PageTable withColumns(List<String> used) {
    for (String column : used) {
      if (!columns.containsKey(column)) {
        throw refused(Condition.TABLE, "there is no column " + Quoted.of(column));
      }
    }
    return this;
  }

  /** Returns the exception with which a page of this table is refused. */
  PageRefusedException refused(Condition condition, String why) {
    return new PageRefusedException(name, condition, why);
  }

  /** Returns the database, the schema and the name of the table, in a text that is unique to it. */
  String resolved() {
    return resolved;
  }

  /** Returns the name of the table as it is written in a statement. */
  String quoted() {
    return SqlName.quotedTable(name);
  }

  /** Returns the name by which a statement refers to its columns. */
  String quotedAlone() {
    return SqlName.quoted(name.substring(name.indexOf('.') + 1));
  }

  /** Returns whether it is a table, partitioned or not. */
  boolean isTable() {
    return kind.equals("r") || kind.equals("p");
  }

  /** Returns whether the columns that must be unique together are, by a unique index. */
  boolean isUnique() {
    return unique;
  }

  /** Returns the type of a column, as it is written in a cast. */
  String type(String column) {
    return columnOf(column).type();
  }

  /**
   * Returns an operator that compares values of a column, as a statement names it: one that another
   * role created for the same types is not called.
   *
   * @param symbol such as {@code =}
   */
  String operator(String column, String symbol) {
    return "operator(%s.%s)".formatted(columnOf(column).operators(), symbol);
  }

  /** Returns a value of a request or a condition as it is bound for a column. */
  Object bindable(String column, Object value) {
    if (value instanceof Ulid ulid) {
      return TEXT_TYPES.contains(columnOf(column).baseType()) ? ulid.toString() : ulid.toUuid();
    }
    return value;
  }

  /**
   * Checks the condition of every order: sortable columns that are not null and unique together.
   */
  void requireOrdered(List<PageOrder.Key> keys) {
    requireNoView();
    for (PageOrder.Key key : keys) {
      Column column = columnOf(key.column());
      String quoted = Quoted.of(key.column());
      if (!ORDERED_TYPES.contains(column.baseType()) && !column.baseType().equals("enum")) {
        throw refused(
            Condition.TABLE,
            "cannot order by column %s: its type is %s".formatted(quoted, column.type()));
      }
      if (!column.notNull()) {
        throw refused(
            Condition.TABLE,
            "cannot order by column %s: it may be null, or its constraint is not validated"
                .formatted(quoted));
      }
    }
    if (!unique) {
      throw refused(
          Condition.TABLE,
          "rows may be equal in the order: expected a unique index on columns of the scope and the order, without conditions or expressions");
    }
  }

  /** Checks that the ids of a column are minted on this server when the rows are inserted. */
  void requireMinted(String id) {
    requireBaseType(id, "uuid");
    requireTable();
    if (!columnOf(id).isMinted()) {
      throw refused(
          Condition.SERVER_MINTED,
          "column %s defaults to %s: expected ulid(), ulid_monotonic() or uuidv7() of the pack, or uuidv7() of PostgreSQL, in every partition and child of the table, or a function that the order trusts"
              .formatted(Quoted.of(id), columnOf(id).defaults()));
    }
    if (!columnOf(id).settingTriggers().isEmpty()) {
      throw refused(
          Condition.SERVER_MINTED,
          "column %s may be assigned by a trigger before a row is inserted: %s: expected none, or a function that the order trusts"
              .formatted(Quoted.of(id), String.join(", ", columnOf(id).settingTriggers())));
    }
    if (foreignParts || subscribed) {
      throw refused(
          Condition.SERVER_MINTED,
          "rows come from another server, with ids of its clock: %s"
              .formatted(rowsFromElsewhere()));
    }
  }

  /** Checks that no transaction is prepared: it may have minted ids at any time. */
  void requireNonePrepared() {
    if (prepared > 0) {
      throw refused(
          Condition.NO_PREPARED_TRANSACTIONS,
          "prepared transactions have no known start: commit or roll them back first (prepared=%s)"
              .formatted(prepared));
    }
  }

  /** Checks that the default of a column stamps every row with the inserting transaction. */
  void requireStamped(String xid) {
    requireBaseType(xid, "xid8");
    requireTable();
    if (!columnOf(xid).defaultsTo(STAMP)) {
      throw refused(
          Condition.STAMPED_HERE,
          "column %s defaults to %s: expected pg_current_xact_id(), in every partition and child of the table"
              .formatted(Quoted.of(xid), columnOf(xid).defaults()));
    }
    if (foreignParts || subscribed) {
      throw refused(
          Condition.STAMPED_HERE,
          "rows come from another server, with its transaction ids: %s"
              .formatted(rowsFromElsewhere()));
    }
  }

  private String rowsFromElsewhere() {
    return subscribed
        ? "the table is part of a subscription"
        : "the table has a foreign partition or child";
  }

  private void requireBaseType(String column, String type) {
    if (!columnOf(column).baseType().equals(type)) {
      throw refused(
          Condition.TABLE,
          "column %s is of type %s: expected %s"
              .formatted(Quoted.of(column), columnOf(column).type(), type));
    }
  }

  /** Checks that this is no view: no order is gap-free there. */
  private void requireNoView() {
    if (kind.equals("v")) {
      throw refused(
          Condition.TABLE,
          "it is a view: a change of another table could add rows before a cursor: read pages of the table that has the ids, and the rest by the ids of a page");
    }
  }

  private void requireTable() {
    requireNoView();
    if (!isTable()) {
      throw refused(Condition.TABLE, "expected a table or a partitioned table");
    }
  }

  private Column columnOf(String column) {
    Column found = columns.get(column);
    if (found == null) {
      throw new IllegalStateException("column was not read: " + Quoted.of(column));
    }
    return found;
  }
}
