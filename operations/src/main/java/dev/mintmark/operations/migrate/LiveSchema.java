package dev.mintmark.operations.migrate;

import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * What a live database has, as far as a plan asks for it. Of one connection, in one transaction
 * with nothing on its path, so that the server qualifies every name; for one thread.
 */
final class LiveSchema {
  private static final SqlFile FIND_TABLE = SqlFile.load(LiveSchema.class, "find_table");
  private static final SqlFile FOREIGN_KEYS = SqlFile.load(LiveSchema.class, "foreign_keys");
  private static final SqlFile TABLE = SqlFile.load(LiveSchema.class, "table");
  private static final SqlFile COLUMNS = SqlFile.load(LiveSchema.class, "columns");
  private static final SqlFile INDEXES = SqlFile.load(LiveSchema.class, "indexes");
  private static final SqlFile CHECKS = SqlFile.load(LiveSchema.class, "checks");
  private static final SqlFile TRIGGERS = SqlFile.load(LiveSchema.class, "triggers");
  private static final SqlFile DEPENDENTS = SqlFile.load(LiveSchema.class, "dependents");
  private static final SqlFile ROW_USERS = SqlFile.load(LiveSchema.class, "row_users");
  private static final SqlFile VIEWS = SqlFile.load(LiveSchema.class, "views");
  private static final SqlFile GRANTS = SqlFile.load(LiveSchema.class, "grants");
  private static final SqlFile STATISTICS = SqlFile.load(LiveSchema.class, "statistics");

  private final Connection connection;
  private final String path;
  private final Map<Long, LiveTable> tables = new HashMap<>();
  private final List<ForeignKey> foreignKeys;

  private LiveSchema(Connection connection, String path) throws SQLException {
    this.connection = connection;
    this.path = path;
    this.foreignKeys = FOREIGN_KEYS.query(connection, Map.of(), LiveSchema::foreignKey);
  }

  /** Looks through a connection that is in a transaction. */
  static LiveSchema of(Connection connection) throws SQLException {
    String path;
    try (Statement statement = connection.createStatement()) {
      try (ResultSet row = statement.executeQuery("select current_setting('search_path')")) {
        row.next();
        path = row.getString(1);
      }
      statement.execute("set local search_path to pg_catalog");
      statement.execute("set local quote_all_identifiers to off");
      statement.execute("set local standard_conforming_strings to on");
    }
    return new LiveSchema(connection, path);
  }

  /** A relation by the name that a catalog gives it. */
  record Found(long oid, String kind) {}

  /** The relation that statements of the role would find by this name. */
  Optional<Found> find(String table) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set local search_path to " + path);
      return FIND_TABLE
          .query(
              connection,
              Map.of("name", SqlName.quotedTable(table)),
              row -> new Found(row.getLong("oid"), row.getString("kind")))
          .stream()
          .findFirst();
    } finally {
      try (Statement statement = connection.createStatement()) {
        statement.execute("set local search_path to pg_catalog");
      }
    }
  }

  List<ForeignKey> foreignKeys() {
    return foreignKeys;
  }

  int serverVersion() throws SQLException {
    return connection.getMetaData().getDatabaseMajorVersion();
  }

  /** Whether the server has a function of that name and these types. */
  boolean hasFunction(String signature) throws SQLException {
    return isKnown("select to_regprocedure(?) is not null", signature);
  }

  LiveTable table(long oid) throws SQLException {
    LiveTable known = tables.get(oid);
    if (known == null) {
      known = load(oid);
      tables.put(oid, known);
    }
    return known;
  }

  private LiveTable load(long oid) throws SQLException {
    Map<String, Long> parameters = Map.of("oid", oid);
    List<LiveColumn> columns = COLUMNS.query(connection, parameters, LiveSchema::column);
    Map<Integer, String> names = new HashMap<>();
    columns.forEach(column -> names.put(column.number(), column.name()));
    List<LiveTable.Index> indexes = INDEXES.query(connection, parameters, row -> index(row, names));
    List<LiveTable.Check> checks = CHECKS.query(connection, parameters, row -> check(row, names));
    List<LiveTable.Grant> grants = grants(oid);
    return TABLE
        .query(
            connection,
            parameters,
            row ->
                new LiveTable(
                    oid,
                    row.getString("schema"),
                    row.getString("name"),
                    row.getString("shown"),
                    row.getString("kind"),
                    row.getLong("rows"),
                    row.getLong("table_bytes"),
                    row.getBoolean("row_security"),
                    row.getBoolean("hides_rows"),
                    row.getString("owner"),
                    row.getBoolean("owned"),
                    Optional.ofNullable(row.getString("comment")),
                    row.getBoolean("inherits"),
                    row.getBoolean("has_rules"),
                    row.getBoolean("identified_by_index"),
                    Optional.ofNullable(row.getString("publications")),
                    columns,
                    indexes,
                    checks,
                    grants))
        .get(0);
  }

  /**
   * A trigger that a user made.
   *
   * @param enabled {@code O}, {@code D}, {@code R} or {@code A} (pg_trigger.tgenabled)
   * @param beforeRow whether it can change a row before it is written
   * @param firesOnUpdate whether it fires when a column is filled
   * @param firesForReplicas whether it does where that is done as a replica does it
   * @param mentions whether what it runs mentions one of the columns asked for
   */
  record Trigger(
      String name,
      String definition,
      String enabled,
      boolean beforeRow,
      boolean firesOnUpdate,
      boolean firesForReplicas,
      String function,
      boolean mentions) {}

  List<Trigger> triggers(LiveTable table, Set<String> columns) throws SQLException {
    return TRIGGERS.query(
        connection,
        Map.of("oid", table.oid(), "columns", columns.toArray(String[]::new)),
        row ->
            new Trigger(
                row.getString("name"),
                row.getString("definition"),
                row.getString("enabled"),
                row.getBoolean("before_row"),
                row.getBoolean("fires_on_update"),
                row.getBoolean("fires_for_replicas"),
                row.getString("function"),
                row.getBoolean("mentions")));
  }

  /** Something that depends on a column. */
  record Dependent(String kind, long oid, String description) {}

  List<Dependent> dependents(LiveTable table, LiveColumn column) throws SQLException {
    return DEPENDENTS.query(
        connection,
        Map.of("oid", table.oid(), "column", column.number()),
        row ->
            new Dependent(row.getString("kind"), row.getLong("oid"), row.getString("description")));
  }

  /** What takes or returns rows of a table, as the server describes it. */
  List<String> rowUsers(LiveTable table) throws SQLException {
    return ROW_USERS.query(
        connection, Map.of("oid", table.oid()), row -> row.getString("description"));
  }

  /** Whether there is a table, an index or another relation of this quoted name. */
  boolean hasRelation(String quoted) throws SQLException {
    return isKnown("select to_regclass(?) is not null", quoted);
  }

  private boolean isKnown(String question, String name) throws SQLException {
    try (var statement = connection.prepareStatement(question)) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  /** Why the server cannot plan a query, if it cannot. It is not run. */
  Optional<String> failureOf(String query) throws SQLException {
    Savepoint before = connection.setSavepoint();
    try (Statement statement = connection.createStatement()) {
      statement.execute("explain " + query);
      return Optional.empty();
    } catch (PSQLException e) {
      connection.rollback(before);
      ServerErrorMessage message = e.getServerErrorMessage();
      if (message == null) {
        throw e;
      }
      return Optional.of(String.valueOf(message.getMessage()));
    }
  }

  /** Views and those over them, in an order in which they can be created. */
  List<LiveView> views(Set<Long> oids) throws SQLException {
    if (oids.isEmpty()) {
      return List.of();
    }
    return VIEWS.query(
        connection,
        Map.of("oids", oids.toArray(Long[]::new)),
        row ->
            new LiveView(
                row.getString("name"),
                row.getString("definition"),
                texts(row.getArray("options")),
                row.getString("owner"),
                Optional.ofNullable(row.getString("comment")),
                Optional.ofNullable(row.getString("obstacle")),
                row.getBoolean("materialized"),
                grants(row.getLong("oid"))));
  }

  /** How an extended statistics object is made. */
  String statistics(long oid) throws SQLException {
    return STATISTICS
        .query(connection, Map.of("oid", oid), row -> row.getString("definition"))
        .get(0);
  }

  Connection connection() {
    return connection;
  }

  /** What others may do with a relation. */
  List<LiveTable.Grant> grants(long oid) throws SQLException {
    return GRANTS.query(
        connection,
        Map.of("oid", oid),
        row ->
            new LiveTable.Grant(
                Optional.ofNullable(row.getString("column_name")),
                row.getString("privilege"),
                row.getString("grantee"),
                row.getBoolean("grantable")));
  }

  private static ForeignKey foreignKey(ResultSet row) throws SQLException {
    return new ForeignKey(
        row.getLong("oid"),
        row.getString("name"),
        row.getLong("referencing"),
        numbers(row.getArray("referencing_columns")),
        row.getLong("referenced"),
        numbers(row.getArray("referenced_columns")),
        row.getBoolean("validated"),
        row.getBoolean("sets_default"),
        Definition.of(row.getString("definition")));
  }

  private static LiveColumn column(ResultSet row) throws SQLException {
    return new LiveColumn(
        row.getInt("number"),
        row.getString("name"),
        row.getString("type"),
        row.getString("base_type"),
        row.getString("plain_type"),
        row.getBoolean("not_null"),
        Optional.ofNullable(row.getString("not_null_name")),
        row.getString("identity"),
        row.getBoolean("generated"),
        Optional.ofNullable(row.getString("default_value")),
        sequence(row),
        Optional.ofNullable(row.getString("comment")),
        texts(row.getArray("settings")));
  }

  private static Optional<LiveColumn.Sequence> sequence(ResultSet row) throws SQLException {
    String name = row.getString("sequence_name");
    return name == null
        ? Optional.empty()
        : Optional.of(
            new LiveColumn.Sequence(
                row.getLong("sequence"),
                name,
                row.getBoolean("sequence_owned"),
                row.getString("sequence_type"),
                row.getLong("sequence_max"),
                row.getString("sequence_options")));
  }

  private static LiveTable.Index index(ResultSet row, Map<Integer, String> names)
      throws SQLException {
    Set<String> columns = named(row.getArray("columns"), names);
    Set<String> uses = new LinkedHashSet<>(columns);
    uses.addAll(named(row.getArray("uses"), names));
    Optional<LiveTable.Constraint> constraint = Optional.empty();
    if (row.getString("constraint_name") != null) {
      String timing =
          row.getBoolean("deferrable")
              ? row.getBoolean("deferred") ? " deferrable initially deferred" : " deferrable"
              : "";
      constraint =
          Optional.of(
              new LiveTable.Constraint(
                  row.getString("constraint_name"),
                  row.getString("constraint_type"),
                  timing,
                  Optional.ofNullable(row.getString("constraint_comment"))));
    }
    return new LiveTable.Index(
        row.getString("name"),
        Definition.of(row.getString("definition")),
        row.getBoolean("is_unique"),
        row.getBoolean("valid"),
        row.getBoolean("clustered"),
        row.getBoolean("partial"),
        row.getBoolean("computes"),
        columns,
        uses,
        constraint,
        Optional.ofNullable(row.getString("comment")));
  }

  private static LiveTable.Check check(ResultSet row, Map<Integer, String> names)
      throws SQLException {
    return new LiveTable.Check(
        row.getString("name"),
        named(row.getArray("columns"), names),
        row.getBoolean("validated"),
        Definition.of(row.getString("definition")),
        Optional.ofNullable(row.getString("comment")));
  }

  private static Set<String> named(Array numbers, Map<Integer, String> names) throws SQLException {
    Set<String> named = new LinkedHashSet<>();
    for (Integer number : numbers(numbers)) {
      String name = names.get(number);
      if (name != null) {
        named.add(name);
      }
    }
    return named;
  }

  private static List<Integer> numbers(Array array) throws SQLException {
    return array == null ? List.of() : Arrays.asList((Integer[]) array.getArray());
  }

  private static List<String> texts(Array array) throws SQLException {
    return array == null ? List.of() : Arrays.asList((String[]) array.getArray());
  }
}
