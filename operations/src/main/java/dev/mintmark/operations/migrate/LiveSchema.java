package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Check;
import dev.mintmark.operations.internal.schema.Column;
import dev.mintmark.operations.internal.schema.ForeignKey;
import dev.mintmark.operations.internal.schema.Index;
import dev.mintmark.operations.internal.schema.Relation;
import dev.mintmark.operations.internal.schema.SchemaReader;
import dev.mintmark.operations.internal.schema.Sequence;
import dev.mintmark.operations.internal.schema.Trigger;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * What a live database has, as far as a plan asks for it. Of one connection, in one transaction
 * with {@code pg_catalog} alone on its path, so that the server qualifies every name, and under
 * {@link SqlSettings#PINNED}; for one thread. {@link #load} reads many tables in as many statements
 * as one table takes.
 */
final class LiveSchema {
  private static final SqlFile RESOLVE_NAMES = SqlFile.load(LiveSchema.class, "resolve_names");
  private static final SqlFile FIND_TABLES = SqlFile.load(LiveSchema.class, "find_tables");
  private static final SqlFile CATALOG_STATE = SqlFile.load(LiveSchema.class, "catalog_state");
  private static final SqlFile TABLES = SqlFile.load(LiveSchema.class, "tables");
  private static final SqlFile DEPENDENTS = SqlFile.load(LiveSchema.class, "dependents");
  private static final SqlFile ROW_USERS = SqlFile.load(LiveSchema.class, "row_users");
  private static final SqlFile VIEWS = SqlFile.load(LiveSchema.class, "views");
  private static final SqlFile GRANTS = SqlFile.load(LiveSchema.class, "grants");
  private static final SqlFile COMMENTS = SqlFile.load(LiveSchema.class, "comments");
  private static final SqlFile SAME_SHAPE = SqlFile.load(LiveSchema.class, "same_shape");
  private static final SqlFile SEQUENCE_USERS = SqlFile.load(LiveSchema.class, "sequence_users");
  private static final SqlFile STATISTICS = SqlFile.load(LiveSchema.class, "statistics");

  /** A column by its table and its place in the catalog. */
  record Place(long table, int column) {}

  private final Connection connection;
  private final String path;
  private final SchemaReader reader;
  private final Map<String, Optional<Relation>> found = new HashMap<>();
  private final Map<Long, LiveTable> tables = new HashMap<>();
  private final Map<Long, Details> details = new HashMap<>();
  private final Map<Long, State> states = new HashMap<>();
  private final Map<Place, List<ForeignKey>> foreignKeys = new HashMap<>();

  private LiveSchema(Connection connection, String path) throws SQLException {
    this.connection = connection;
    this.path = path;
    this.reader = SchemaReader.of(connection);
    for (ForeignKey key : reader.foreignKeys()) {
      Set<Place> places = new LinkedHashSet<>();
      key.columns().forEach(end -> places.add(new Place(key.referencing().oid(), end.number())));
      key.referencedColumns()
          .forEach(end -> places.add(new Place(key.referenced().oid(), end.number())));
      places.forEach(
          place -> foreignKeys.computeIfAbsent(place, each -> new ArrayList<>()).add(key));
    }
  }

  /** Looks through a connection that is in a transaction. */
  static LiveSchema of(Connection connection) throws SQLException {
    String path;
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("select pg_catalog.current_setting('search_path')")) {
      row.next();
      path = row.getString(1);
    }
    SqlSettings.PINNED.set(connection, true);
    return new LiveSchema(connection, path);
  }

  /** Finds the relations that statements of the role would find by some names. */
  void find(Collection<String> names) throws SQLException {
    Map<String, String> wanted = new HashMap<>();
    names.stream()
        .filter(name -> !found.containsKey(name))
        .forEach(name -> wanted.put(name, SqlName.quotedTable(name)));
    if (wanted.isEmpty()) {
      return;
    }
    Map<String, Long> oids = resolve(Set.copyOf(wanted.values()));
    Map<Long, Relation> relations = new HashMap<>();
    FIND_TABLES.query(
        connection,
        relations(oids.values()),
        row -> relations.put(row.getLong("oid"), Relation.read(row)));
    wanted.forEach(
        (name, quoted) ->
            found.put(name, Optional.ofNullable(oids.get(quoted)).map(relations::get)));
  }

  private Map<String, Long> resolve(Set<String> quoted) throws SQLException {
    Map<String, Long> oids = new HashMap<>();
    try (Statement statement = connection.createStatement()) {
      statement.execute("set local search_path to " + path);
      RESOLVE_NAMES.query(
          connection,
          Map.of("names", quoted.toArray(String[]::new)),
          row -> oids.put(row.getString("wanted"), row.getLong("oid")));
      statement.execute("set local search_path to pg_catalog");
    }
    return oids;
  }

  /** Returns the relation that statements of the role would find by a name. */
  Optional<Relation> find(String name) throws SQLException {
    find(Set.of(name));
    return found.getOrDefault(name, Optional.empty());
  }

  /** Returns the foreign keys that a column is part of, on either side. */
  List<ForeignKey> foreignKeysOf(Place column) {
    return foreignKeys.getOrDefault(column, List.of());
  }

  int serverVersion() throws SQLException {
    return connection.getMetaData().getDatabaseMajorVersion();
  }

  /** Whether the server has a function of that name and these types. */
  boolean hasFunction(String signature) throws SQLException {
    return isKnown("select to_regprocedure(?) is not null", signature);
  }

  LiveTable table(long oid) throws SQLException {
    load(Set.of(oid));
    LiveTable table = tables.get(oid);
    if (table == null) {
      throw new MigrationException(
          "no plan was made: a table was dropped while it was read (oid %s); plan again"
              .formatted(oid));
    }
    return table;
  }

  /** Reads tables that are not known yet. */
  void load(Collection<Long> oids) throws SQLException {
    List<Long> missing = oids.stream().filter(oid -> !tables.containsKey(oid)).toList();
    if (missing.isEmpty()) {
      return;
    }
    states.putAll(states(missing));
    Map<Long, List<Column>> columns =
        grouped(reader.withExpressions(reader.columns(missing)), Column::relation);
    Map<Long, List<Index>> indexes =
        grouped(reader.withDefinitions(reader.indexes(missing)), Index::relation);
    Map<Long, List<Check>> checks = grouped(reader.checks(missing), Check::relation);
    Map<Long, Set<Sequence>> sequences = sequences(missing);
    Map<Long, List<LiveTable.Grant>> grants = grants(missing);
    TABLES.query(
        connection,
        relations(missing),
        row -> {
          Relation relation = Relation.read(row);
          long oid = relation.oid();
          return tables.put(
              oid,
              new LiveTable(
                  relation,
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
                  row.getBoolean("subscribed"),
                  columns.getOrDefault(oid, List.of()),
                  indexes.getOrDefault(oid, List.of()),
                  checks.getOrDefault(oid, List.of()),
                  List.copyOf(sequences.getOrDefault(oid, Set.of())),
                  grants.getOrDefault(oid, List.of())));
        });
  }

  /** What a table was when it was read. */
  private record State(String shown, String text) {}

  private Map<Long, State> states(Collection<Long> oids) throws SQLException {
    Map<Long, State> read = new HashMap<>();
    CATALOG_STATE.query(
        connection,
        relations(oids),
        row ->
            read.put(
                row.getLong("oid"), new State(row.getString("shown"), row.getString("state"))));
    return read;
  }

  /**
   * Returns a table that was dropped or rewritten since the snapshot of the transaction, or that
   * something depends on or depended on which was created or dropped. The server describes what is
   * gone as null, whatever the snapshot has. To be called after the end of the transaction.
   */
  Optional<String> changedMeanwhile() throws SQLException {
    SqlSettings.PINNED.set(connection, true);
    Map<Long, State> now = states(states.keySet());
    connection.rollback();
    return states.entrySet().stream()
        .filter(state -> !state.getValue().equals(now.get(state.getKey())))
        .map(state -> state.getValue().shown())
        .min(Comparator.naturalOrder());
  }

  /** Reads the tables whose columns some columns are connected with, and those of the columns. */
  void loadConnected(Collection<Place> columns) throws SQLException {
    Deque<Place> open = new ArrayDeque<>(columns);
    Set<Place> seen = new HashSet<>(columns);
    while (!open.isEmpty()) {
      for (ForeignKey key : foreignKeysOf(open.remove())) {
        Stream.concat(
                key.columns().stream().map(end -> new Place(key.referencing().oid(), end.number())),
                key.referencedColumns().stream()
                    .map(end -> new Place(key.referenced().oid(), end.number())))
            .filter(seen::add)
            .forEach(open::add);
      }
    }
    load(seen.stream().map(Place::table).collect(Collectors.toSet()));
  }

  private Map<Long, Set<Sequence>> sequences(List<Long> oids) throws SQLException {
    Map<Long, Set<Sequence>> sequences = new HashMap<>();
    for (Sequence sequence : reader.sequences(oids, false)) {
      sequence
          .uses()
          .forEach(
              use ->
                  sequences
                      .computeIfAbsent(use.relation(), oid -> new LinkedHashSet<>())
                      .add(sequence));
    }
    return sequences;
  }

  /**
   * What depends on a table, and what a change of its keys has to look at.
   *
   * @param dependents by the place of the column that they depend on
   * @param rowUsers what takes or returns rows of the table, as the server describes it
   */
  private record Details(
      List<Trigger> triggers, Map<Integer, List<Dependent>> dependents, List<String> rowUsers) {}

  /** Something that depends on a column. */
  record Dependent(DependentKind kind, long oid, String description) {}

  /** The kinds of things that depend on a column; the labels are those of dependents.sql. */
  enum DependentKind {
    VIEW,
    /** Extended statistics of columns. */
    STATISTICS,
    /** Extended statistics with expressions. */
    EXPRESSIONS,
    OTHER
  }

  List<Trigger> triggers(LiveTable table) throws SQLException {
    return details(table).triggers();
  }

  List<Dependent> dependents(LiveTable table, Column column) throws SQLException {
    return details(table).dependents().getOrDefault(column.number(), List.of());
  }

  /** What takes or returns rows of a table, as the server describes it. */
  List<String> rowUsers(LiveTable table) throws SQLException {
    return details(table).rowUsers();
  }

  private Details details(LiveTable table) throws SQLException {
    loadDetails(Set.of(table));
    return Objects.requireNonNull(details.get(table.oid()));
  }

  /** Reads the triggers of tables and what depends on them, if that is not known yet. */
  void loadDetails(Collection<LiveTable> wanted) throws SQLException {
    List<Long> missing =
        wanted.stream().map(LiveTable::oid).filter(oid -> !details.containsKey(oid)).toList();
    if (missing.isEmpty()) {
      return;
    }
    Map<Long, List<Trigger>> triggers = grouped(reader.triggers(missing), Trigger::relation);
    Map<Long, Map<Integer, List<Dependent>>> dependents = new HashMap<>();
    DEPENDENTS.query(
        connection,
        relations(missing),
        row ->
            dependents
                .computeIfAbsent(row.getLong("relation"), oid -> new HashMap<>())
                .computeIfAbsent(row.getInt("number"), number -> new ArrayList<>())
                .add(
                    new Dependent(
                        DependentKind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
                        row.getLong("oid"),
                        row.getString("description"))));
    Map<Long, List<String>> rowUsers = new HashMap<>();
    ROW_USERS.query(
        connection,
        relations(missing),
        row ->
            rowUsers
                .computeIfAbsent(row.getLong("relation"), oid -> new ArrayList<>())
                .add(row.getString("description")));
    missing.forEach(
        oid ->
            details.put(
                oid,
                new Details(
                    triggers.getOrDefault(oid, List.of()),
                    dependents.getOrDefault(oid, Map.of()),
                    rowUsers.getOrDefault(oid, List.of()))));
  }

  private static <T> Map<Long, List<T>> grouped(List<T> all, Function<T, Long> relation) {
    return all.stream().collect(Collectors.groupingBy(relation));
  }

  private static Map<String, Object> relations(Collection<Long> oids) {
    return Map.of("relations", oids.toArray(Long[]::new));
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
                row.getString("schema"),
                row.getString("definition"),
                texts(row.getArray("options")),
                row.getString("owner"),
                Optional.ofNullable(row.getString("comment")),
                texts(row.getArray("column_comments")),
                Optional.ofNullable(row.getString("obstacle")),
                row.getBoolean("materialized"),
                grants(row.getLong("oid"))));
  }

  /** What draws from a sequence besides the column that owns it, as the server describes it. */
  List<String> users(Sequence sequence) throws SQLException {
    return SEQUENCE_USERS.query(
        connection,
        Map.of("sequence", sequence.relation().oid()),
        row -> row.getString("description"));
  }

  /** How an extended statistics object is made. */
  String statistics(long oid) throws SQLException {
    return STATISTICS
        .query(connection, Map.of("oid", oid), row -> row.getString("definition"))
        .get(0);
  }

  /** Returns the comments on what belongs to some tables, by the table. */
  Map<LiveTable, List<Comment>> comments(Collection<LiveTable> commented) throws SQLException {
    Map<LiveTable, List<Comment>> comments = new LinkedHashMap<>();
    COMMENTS.query(
        connection,
        relations(commented.stream().map(LiveTable::oid).toList()),
        row ->
            comments
                .computeIfAbsent(
                    Objects.requireNonNull(tables.get(row.getLong("relation"))),
                    table -> new ArrayList<>())
                .add(
                    new Comment(
                        Comment.Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
                        row.getString("name"),
                        Optional.ofNullable(row.getString("schema")),
                        row.getString("text"))));
    return comments;
  }

  /** Returns the other tables with the same columns in the same order, by the table. */
  Map<LiveTable, List<String>> tablesOfTheSameShape(Collection<LiveTable> changed)
      throws SQLException {
    Map<LiveTable, List<String>> others = new LinkedHashMap<>();
    SAME_SHAPE.query(
        connection,
        relations(changed.stream().map(LiveTable::oid).toList()),
        row ->
            others
                .computeIfAbsent(
                    Objects.requireNonNull(tables.get(row.getLong("relation"))),
                    table -> new ArrayList<>())
                .add(row.getString("shown")));
    return others;
  }

  Connection connection() {
    return connection;
  }

  /** What others may do with a relation. */
  List<LiveTable.Grant> grants(long oid) throws SQLException {
    return grants(List.of(oid)).getOrDefault(oid, List.of());
  }

  private Map<Long, List<LiveTable.Grant>> grants(List<Long> oids) throws SQLException {
    Map<Long, List<LiveTable.Grant>> grants = new HashMap<>();
    GRANTS.query(
        connection,
        relations(oids),
        row ->
            grants
                .computeIfAbsent(row.getLong("relation"), oid -> new ArrayList<>())
                .add(
                    new LiveTable.Grant(
                        Optional.ofNullable(row.getString("column_name")),
                        row.getString("privilege"),
                        row.getString("grantee"),
                        row.getBoolean("grantable"))));
    return grants;
  }

  private static List<String> texts(Array array) throws SQLException {
    return array == null ? List.of() : Arrays.asList((String[]) array.getArray());
  }
}
