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
 * <p>The comments in {@link #sql()} describe each function and its guarantees. A Flyway location
 * ({@link #MIGRATIONS}) contains the same script. It can be run again and then changes nothing. A
 * function that a column's default calls keeps its name and its meaning through every upgrade.
 *
 * <p><b>Roles.</b> The role that installs the pack owns it. That role needs CREATE on the database,
 * or a schema of its own, and TEMP, which every role has unless it was revoked. All other roles may
 * call the functions. A superuser or an extension is not necessary.
 *
 * <p>Immutable; safe for use by many threads. Each method uses its own connection and transaction.
 */
public final class Pack {
  /** The version of this pack, which its function {@code pack_version()} returns. */
  public static final int VERSION = 3;

  /** The schema that the Flyway location installs into. */
  public static final String SCHEMA = "mintmark";

  /** The Flyway location of the pack on the class path. It is a repeatable migration. */
  public static final String MIGRATIONS = "dev/mintmark/postgres/pack/schema";

  private static final String SCRIPT = "schema/R__mintmark_pack.sql";

  /** The name of the schema in the script: as the qualifier of a name, and alone. */
  private static final Pattern SCHEMA_NAME =
      Pattern.compile("\\bmintmark(?=\\.[a-z])|(?<= schema )mintmark\\b|(?<=')mintmark(?=')");

  /** The statements of the script that create the schema and grant its use. */
  private static final Pattern SCHEMA_STATEMENT =
      Pattern.compile(
          "^do \\$schema\\$.*?^\\$schema\\$;\n|^grant usage on schema [^\n]*;\n",
          Pattern.MULTILINE | Pattern.DOTALL);

  /** Characters that would end a literal, a body or a comment of the script. */
  private static final Pattern FORBIDDEN_CHARACTERS = Pattern.compile("['$\\\\\\p{Cntrl}]");

  /** The temporary schema of the session. PostgreSQL 14 writes its number in definitions. */
  private static final String TEMPORARY_SCHEMA = "pg_temp";

  private static final Pattern TEMPORARY_SCHEMA_NAME =
      Pattern.compile("\\bpg_temp(_[0-9]+)?(?=\\.)");

  private static final int SERVER_VERSION_MIN = 14;

  /** The remedy by SQLSTATE: a privilege is missing, or the name belongs to another object. */
  private static final Map<String, String> REMEDIES =
      Map.of(
          "42501",
          "installing requires a role with CREATE on the database, replacing or dropping requires"
              + " the role that owns the objects, comparing requires a role with TEMP",
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
   * Returns the pack for a schema. {@link #install} creates the schema if it does not exist.
   *
   * @throws IllegalArgumentException if PostgreSQL cannot store the name or reserves it ({@code
   *     pg_...}), or if it contains {@code '}, {@code $}, {@code \} or a control character
   */
  public static Pack inSchema(String schema) {
    SqlName.quoted(schema);
    if (schema.startsWith("pg_")) {
      throw new IllegalArgumentException(
          "schema " + Quoted.of(schema) + ": PostgreSQL reserves names that begin with pg_");
    }
    if (FORBIDDEN_CHARACTERS.matcher(schema).find()) {
      throw new IllegalArgumentException(
          "schema "
              + Quoted.of(schema)
              + ": expected a name without ', $, \\ and control characters");
    }
    return new Pack(schema);
  }

  /**
   * Returns the pack as a script for psql or a migration tool. It runs in a transaction or without
   * one.
   */
  public String sql() {
    return script(schema.equals(SCHEMA) ? schema : SqlName.quoted(schema));
  }

  /**
   * Installs the pack, or upgrades an earlier one in place.
   *
   * @throws PackException if the server is older than 14, a later pack is installed, or this role
   *     may not replace the existing objects; then nothing has changed
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
                "schema %s: version %d of the pack is installed: version %d is earlier and cannot replace it"
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
          "schema %s: these objects differ from the pack and cannot be replaced, drop or rename them first: %s"
              .formatted(
                  Quoted.of(schema),
                  remaining.stream().map(Difference::object).collect(Collectors.joining(", "))));
    }
  }

  /**
   * Compares the installed pack with this one: reports objects that are missing, that have another
   * definition, or that some roles may not use. Changes nothing in the database.
   *
   * @return the differences; empty if there are none
   * @throws PackException if the server is older than 14, or this role may not create the temporary
   *     objects that the comparison requires
   * @throws SQLException if the database fails or is read-only
   */
  public List<Difference> verify(DataSource dataSource) throws SQLException {
    return inTransaction(dataSource, this::differences);
  }

  /**
   * Drops the pack, and the schema if it contains nothing else. If a default, a view or another
   * object still depends on the pack, nothing is dropped. PostgreSQL does not record the calls in
   * PL/pgSQL bodies and in SQL bodies that are strings, so these are not found.
   *
   * @throws PackException if this role may not drop the objects; then nothing has changed
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
                  .filter(object -> expected.stream().anyMatch(object::hasSameName))
                  .toList();
          List<String> dependents = dependents(connection, present);
          if (!dependents.isEmpty()) {
            return new Removal.StillUsed(dependents);
          }
          drop(connection, present);
          return new Removal.Removed(present.stream().map(PackObject::toString).toList());
        });
  }

  /** Drops all objects of a kind in one statement, because functions depend on each other. */
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
          .filter(object::hasSameName)
          .findFirst()
          .ifPresentOrElse(
              found -> object.differenceFrom(found).ifPresent(differences::add),
              () -> differences.add(new Difference.Missing(object.toString())));
    }
    boolean isSchemaForAll =
        SERVER
            .query(connection, Map.of("schema", schema), row -> row.getBoolean("is_for_all"))
            .get(0);
    if (!installed.isEmpty() && !isSchemaForAll) {
      differences.add(new Difference.NotForAll("schema " + schema));
    }
    return List.copyOf(differences);
  }

  /**
   * Returns the objects of the script as this server writes them. The script is installed into the
   * temporary schema and rolled back, so that definitions of the same server are compared.
   */
  private List<PackObject> expected(Connection connection) throws SQLException {
    var savepoint = connection.setSavepoint();
    execute(connection, SCHEMA_STATEMENT.matcher(script(TEMPORARY_SCHEMA)).replaceAll(""));
    List<PackObject> expected = objects(connection, TEMPORARY_SCHEMA);
    connection.rollback(savepoint);
    return expected;
  }

  private List<PackObject> objects(Connection connection, String in) throws SQLException {
    String quotedSchema =
        SERVER
            .query(connection, Map.of("schema", schema), row -> row.getString("quoted_name"))
            .get(0);
    return OBJECTS.query(
        connection,
        Map.of("schema", in),
        row ->
            new PackObject(
                PackObject.Kind.valueOf(row.getString("kind")),
                row.getString("identity"),
                comparable(row.getString("definition"), quotedSchema),
                row.getBoolean("is_for_all")));
  }

  /** Returns a definition with the names of both schemas written as the server quotes this one. */
  private String comparable(String definition, String quotedSchema) {
    // The search path includes pg_temp, so the server writes the sequence there without a schema.
    String qualified =
        definition.replace("'ulid_clock'::regclass", "'" + quotedSchema + ".ulid_clock'::regclass");
    return TEMPORARY_SCHEMA_NAME
        .matcher(qualified)
        .replaceAll(Matcher.quoteReplacement(quotedSchema))
        .replace(SqlName.quoted(schema) + ".", quotedSchema + ".");
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
        // In definitions the server omits the names of schemas that are on the search path.
        execute(connection, "set local search_path to pg_catalog");
        execute(connection, "set local quote_all_identifiers to off");
        execute(connection, "set local standard_conforming_strings to on");
        T result = work.run(connection);
        connection.commit();
        return result;
      } catch (Throwable e) {
        Rollback.after(e, connection);
        if (e instanceof SQLException failure
            && REMEDIES.containsKey(String.valueOf(failure.getSQLState()))) {
          throw refusal(failure);
        }
        throw e;
      }
    }
  }

  private PackException refusal(SQLException e) {
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return new PackException(
        "schema %s: %s: %s".formatted(Quoted.of(schema), message, REMEDIES.get(e.getSQLState())),
        e);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
