package dev.mintmark.postgres.pack;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.Rollback;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.SqlName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * The SQL pack of one schema: functions that mint, convert and check identifiers, in plain SQL, for
 * PostgreSQL 14 and later.
 *
 * <pre>{@code
 * Pack.inSchema("mintmark").install(dataSource);
 * // create table tracks (id uuid primary key default mintmark.ulid(), ...)
 * }</pre>
 *
 * <p>What there is and what it promises is written in {@link #sql()}; a Flyway location has the
 * same ({@link #MIGRATIONS}). All of it can be run again and then changes nothing. A function that
 * stands in a column's default keeps its name and its meaning through every upgrade.
 *
 * <p><b>Roles.</b> Who installs owns what it makes, and needs CREATE on the database and TEMP,
 * which everybody has unless it was taken away. Every other role may call the functions. Nothing
 * needs a superuser or an extension.
 *
 * <p>Immutable; safe for use by many threads. Each method takes a connection and a transaction of
 * its own.
 */
public final class Pack {
  /** Which pack this is: what its {@code pack_version()} answers. */
  public static final int VERSION = 1;

  /** The schema that Flyway's location installs into. */
  public static final String SCHEMA = "mintmark";

  /** Where Flyway finds the pack on the class path, as a repeatable migration. */
  public static final String MIGRATIONS = "dev/mintmark/postgres/pack/schema";

  private static final String SCRIPT = "schema/R__mintmark_pack.sql";

  /** The schema where it qualifies a name, and where it is the one that is named. */
  private static final Pattern SCHEMA_NAME =
      Pattern.compile("\\bmintmark(?=\\.[a-z])|(?<= schema )mintmark\\b|(?<=')mintmark(?=')");

  /** The statements about the schema itself. */
  private static final Pattern SCHEMA_STATEMENT =
      Pattern.compile(
          "^do \\$schema\\$.*?^\\$schema\\$;\n|^grant usage on schema [^\n]*;\n",
          Pattern.MULTILINE | Pattern.DOTALL);

  /** Characters that would end a literal, a body or a comment of the script. */
  private static final Pattern UNFIT = Pattern.compile("['$\\\\\\p{Cntrl}]");

  /** The schema that every session has to itself, and in 14 its name in a definition. */
  private static final String SCRATCH = "pg_temp";

  private static final Pattern SCRATCH_NAME = Pattern.compile("\\bpg_temp(_[0-9]+)?(?=\\.)");

  private static final int SERVER_VERSION_MIN = 14;

  /** What to do where we lack a privilege, and where a function of that name is another one. */
  private static final Map<String, String> NOT_OURS =
      Map.of(
          "42501",
          "to install takes a role with CREATE on the database, to replace or drop the one that owns"
              + " what is there, to compare one with TEMP",
          "42P13",
          "drop or rename it, or choose another schema",
          "42809",
          "drop or rename it, or choose another schema");

  private static final SqlFile LOCK = SqlFile.load(Pack.class, "lock");
  private static final SqlFile SERVER = SqlFile.load(Pack.class, "server");
  private static final SqlFile OBJECTS = SqlFile.load(Pack.class, "objects");
  private static final SqlFile DEPENDENTS = SqlFile.load(Pack.class, "dependents");
  private static final SqlFile REMAINING = SqlFile.load(Pack.class, "remaining");

  private final String schema;

  private Pack(String schema) {
    this.schema = schema;
  }

  /**
   * The pack in a schema, which is made when it is installed.
   *
   * @throws IllegalArgumentException if PostgreSQL does not keep such a name, or keeps it for
   *     itself ({@code pg_...}), or one of {@code '}, {@code $}, {@code \} and control characters
   *     is in it
   */
  public static Pack inSchema(String schema) {
    SqlName.quoted(schema);
    if (schema.startsWith("pg_")) {
      throw new IllegalArgumentException(
          "schema "
              + Quoted.of(schema)
              + ": PostgreSQL keeps names that begin with pg_ for itself");
    }
    if (UNFIT.matcher(schema).find()) {
      throw new IllegalArgumentException(
          "schema "
              + Quoted.of(schema)
              + ": expected a name without ', $, \\ and control characters");
    }
    return new Pack(schema);
  }

  /**
   * What is installed, as a script for psql or a migration tool, in a transaction or without one.
   */
  public String sql() {
    return script(schema.equals(SCHEMA) ? schema : SqlName.quoted(schema));
  }

  /**
   * Installs the pack, or brings an earlier one up to date in place.
   *
   * @throws PackException if the server is older than 14, a later pack is installed, or what is
   *     there is not this role's to replace; then nothing has changed
   * @throws SQLException if the database fails; then nothing has changed
   */
  public Installation install(DataSource dataSource) throws SQLException {
    return inTransaction(
        dataSource,
        connection -> {
          LOCK.query(connection, Map.of(), row -> row.getString(1));
          Optional<Integer> before = installedVersion(connection);
          if (before.isPresent() && before.get() > VERSION) {
            throw new PackException(
                "schema %s: version %d of the pack is installed, this is the earlier version %d"
                    .formatted(Quoted.of(schema), before.get(), VERSION));
          }
          List<Difference> differences = differences(connection);
          if (!differences.isEmpty()) {
            execute(connection, sql());
            requireSame(differences(connection));
          }
          return new Installation(VERSION, before, differences);
        });
  }

  private void requireSame(List<Difference> remaining) {
    if (!remaining.isEmpty()) {
      throw new PackException(
          "schema %s: these are not what they have to be, and cannot be made so while they are there: %s"
              .formatted(
                  Quoted.of(schema),
                  remaining.stream().map(Difference::object).collect(Collectors.joining(", "))));
    }
  }

  /**
   * Says in what the installed pack differs from this one: what is missing, what was changed, what
   * not everyone may use. Leaves nothing behind.
   *
   * @return the differences; none if it is the same
   * @throws PackException if the server is older than 14, or this role may not create temporary
   *     objects, by which the functions are compared
   * @throws SQLException if the database fails, or can only be read from
   */
  public List<Difference> verify(DataSource dataSource) throws SQLException {
    return inTransaction(dataSource, this::differences);
  }

  /**
   * Takes away what was installed, and the schema if nothing else is in it. If a default, a view,
   * or anything else that PostgreSQL knows to use it still does, nothing is taken away. (What
   * PL/pgSQL calls, and SQL that was given as a string, PostgreSQL does not know.)
   *
   * @throws PackException if what is there is not this role's to drop; then nothing has changed
   * @throws SQLException if the database fails; then nothing has changed
   */
  public Removal uninstall(DataSource dataSource) throws SQLException {
    return inTransaction(
        dataSource,
        connection -> {
          LOCK.query(connection, Map.of(), row -> row.getString(1));
          List<PackObject> expected = expected(connection);
          List<PackObject> present =
              objects(connection, schema).stream()
                  .filter(object -> expected.stream().anyMatch(object::isNamesake))
                  .toList();
          List<String> dependents = dependents(connection, present);
          if (!dependents.isEmpty()) {
            return new Removal.StillUsed(dependents);
          }
          drop(connection, present);
          return new Removal.Removed(present.stream().map(PackObject::toString).toList());
        });
  }

  /** Drops each kind at once, for functions use one another. */
  private void drop(Connection connection, List<PackObject> objects) throws SQLException {
    for (PackObject.Kind kind : PackObject.Kind.values()) {
      List<String> names =
          objects.stream()
              .filter(object -> object.kind() == kind)
              .map(object -> SqlName.quoted(schema) + "." + object.identity())
              .toList();
      if (!names.isEmpty()) {
        execute(connection, "drop " + kind.sql() + " " + String.join(", ", names));
      }
    }
    boolean isEmpty =
        REMAINING
            .query(connection, Map.of("schema", schema), row -> row.getLong(1))
            .equals(List.of(0L));
    if (isEmpty) {
      execute(connection, "drop schema if exists " + SqlName.quoted(schema));
    }
  }

  private List<Difference> differences(Connection connection) throws SQLException {
    List<PackObject> installed = objects(connection, schema);
    List<Difference> differences = new ArrayList<>();
    for (PackObject object : expected(connection)) {
      installed.stream()
          .filter(object::isNamesake)
          .findFirst()
          .ifPresentOrElse(
              found -> object.differenceFrom(found).ifPresent(differences::add),
              () -> differences.add(new Difference.Missing(object.toString())));
    }
    boolean mayEnter =
        SERVER
            .query(connection, Map.of("schema", schema), row -> row.getBoolean("may_enter"))
            .get(0);
    if (!installed.isEmpty() && !mayEnter) {
      differences.add(new Difference.NotForAll("schema " + schema));
    }
    return List.copyOf(differences);
  }

  /**
   * What this server makes of the script: installed where it goes with the transaction, and undone,
   * so that definitions are compared as the server itself writes them.
   */
  private List<PackObject> expected(Connection connection) throws SQLException {
    var savepoint = connection.setSavepoint();
    execute(connection, SCHEMA_STATEMENT.matcher(script(SCRATCH)).replaceAll(""));
    List<PackObject> expected = objects(connection, SCRATCH);
    connection.rollback(savepoint);
    return expected;
  }

  private List<PackObject> objects(Connection connection, String in) throws SQLException {
    String named =
        SERVER.query(connection, Map.of("schema", schema), row -> row.getString("named")).get(0);
    return OBJECTS.query(
        connection,
        Map.of("schema", in),
        row ->
            new PackObject(
                PackObject.Kind.valueOf(row.getString("kind")),
                row.getString("identity"),
                comparable(row.getString("definition"), named),
                row.getBoolean("is_for_all")));
  }

  /** A definition as it would be in the schema, if that were written as the server does. */
  private String comparable(String definition, String named) {
    // What is in pg_temp is found without a schema, and so written without one.
    String qualified =
        definition.replace("'ulid_clock'::regclass", "'" + named + ".ulid_clock'::regclass");
    return SCRATCH_NAME
        .matcher(qualified)
        .replaceAll(Matcher.quoteReplacement(named))
        .replace(SqlName.quoted(schema) + ".", named + ".");
  }

  private List<String> dependents(Connection connection, List<PackObject> objects)
      throws SQLException {
    return DEPENDENTS.query(
        connection,
        Map.of(
            "schema",
            schema,
            "objects",
            objects.stream().map(PackObject::toString).toArray(String[]::new)),
        row -> row.getString(1));
  }

  private Optional<Integer> installedVersion(Connection connection) throws SQLException {
    boolean isInstalled =
        SERVER
            .query(connection, Map.of("schema", schema), row -> row.getBoolean("has_version"))
            .get(0);
    if (!isInstalled) {
      return Optional.empty();
    }
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("select " + SqlName.quoted(schema) + ".pack_version()")) {
      row.next();
      return Optional.of(row.getInt(1));
    }
  }

  private static String script(String schema) {
    try (InputStream file = Pack.class.getResourceAsStream(SCRIPT)) {
      if (file == null) {
        throw new IllegalStateException("no " + SCRIPT + " beside " + Pack.class);
      }
      String script = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      return SCHEMA_NAME.matcher(script).replaceAll(Matcher.quoteReplacement(schema));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  private <T> T inTransaction(DataSource dataSource, Work<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      int serverVersion = connection.getMetaData().getDatabaseMajorVersion();
      if (serverVersion < SERVER_VERSION_MIN) {
        throw new PackException(
            "the server is PostgreSQL %s: expected %d or later"
                .formatted(
                    connection.getMetaData().getDatabaseProductVersion(), SERVER_VERSION_MIN));
      }
      connection.setAutoCommit(false);
      try {
        // The server writes a definition without the names of schemas that are on the path.
        execute(connection, "set local search_path to pg_catalog");
        execute(connection, "set local quote_all_identifiers to off");
        execute(connection, "set local standard_conforming_strings to on");
        T result = work.run(connection);
        connection.commit();
        return result;
      } catch (Throwable e) {
        Rollback.after(e, connection);
        if (e instanceof SQLException failure
            && NOT_OURS.containsKey(String.valueOf(failure.getSQLState()))) {
          throw refusal(failure);
        }
        throw e;
      }
    }
  }

  private PackException refusal(SQLException e) {
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return new PackException(
        "schema %s: %s: %s".formatted(Quoted.of(schema), message, NOT_OURS.get(e.getSQLState())),
        e);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
