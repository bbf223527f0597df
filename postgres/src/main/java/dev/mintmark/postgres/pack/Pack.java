package dev.mintmark.postgres.pack;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.RowReader;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
 * call the functions. A superuser or an extension is not necessary. Nothing is installed if a role
 * could replace or overload a function without being the owner of the schema, a member of that role
 * or a superuser.
 *
 * <p>Immutable; safe for use by many threads. Each method uses its own connection and transaction.
 */
public final class Pack {
  /** The version of this pack, which its function {@code pack_version()} returns. */
  public static final int VERSION = 7;

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

  /**
   * What a session may set otherwise. Each statement sees what others committed before it, so that
   * whoever waited for the lock sees what was installed. In definitions the server omits the names
   * of schemas that are on the search path; the other settings are those of the record in the
   * script.
   */
  private static final String TRANSACTION_SETTINGS =
      """
      set transaction isolation level read committed;
      set local search_path to pg_catalog;
      set local quote_all_identifiers to off;
      set local standard_conforming_strings to on;
      set local datestyle to 'ISO, MDY';
      set local timezone to 'UTC';
      set local intervalstyle to 'postgres';
      set local bytea_output to 'hex';
      set local extra_float_digits to 1""";

  /** The remedy by SQLSTATE: a privilege is missing, or the name belongs to another object. */
  private static final Map<String, String> REMEDIES =
      Map.of(
          "42501",
          "installing requires a role with CREATE on the database and TEMP, replacing or dropping"
              + " requires the role that owns the objects",
          "42P13",
          "drop or rename it, or choose another schema",
          "42809",
          "drop or rename it, or choose another schema");

  private static final SqlFile LOCK = SqlFile.load(Pack.class, "lock");
  private static final SqlFile SERVER = SqlFile.load(Pack.class, "server");
  private static final SqlFile CREATORS = SqlFile.load(Pack.class, "creators");
  private static final SqlFile CLOCK_AHEAD = SqlFile.load(Pack.class, "clock_ahead");
  private static final SqlFile OBJECTS = SqlFile.load(Pack.class, "objects");
  private static final SqlFile DEPENDENTS = SqlFile.load(Pack.class, "dependents");
  private static final SqlFile DROP_INS = SqlFile.load(Pack.class, "drop_ins");
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
   * Returns the drop-in that replaces a function of yours by a mint of this pack.
   *
   * @param function its name as {@link DropIn} describes it, for example {@code generate_ulid}
   * @throws IllegalArgumentException if it is not such a name
   */
  public DropIn dropIn(String function) {
    return DropIn.of(this, function);
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
    return inTransaction(dataSource, this::install);
  }

  /** Installs the pack in a transaction of {@link #inTransaction}. */
  private Installation install(Connection connection) throws SQLException {
    lock(connection);
    if (isAsRecorded(connection)) {
      return new Installation(VERSION, Optional.of(VERSION), List.of(), List.of());
    }
    List<Difference> differences = differences(connection, expected(connection));
    requireTrustedOwners(connection, differences);
    Optional<Integer> before = installedVersion(connection);
    if (before.isPresent() && before.get() > VERSION) {
      throw new PackException(
          "schema %s: version %s of the pack is installed: version %s is earlier and cannot replace it"
              .formatted(Quoted.of(schema), before.get(), VERSION));
    }
    execute(connection, sql());
    List<Difference> remaining = differences(connection, expected(connection));
    requireSame(remaining);
    return new Installation(VERSION, before, differences, remaining);
  }

  /**
   * Installs the pack for a drop-in. If another role owns an installed pack, it stays as it is, and
   * must have no differences.
   */
  void installForDropIn(Connection connection) throws SQLException {
    boolean isOwn = server(connection, row -> row.getBoolean("is_own"));
    if (isOwn || !server(connection, row -> row.getBoolean("has_version"))) {
      install(connection);
      return;
    }
    List<String> differing =
        differences(connection, expected(connection)).stream()
            .filter(difference -> !(difference instanceof Difference.ClockAhead))
            .map(Difference::object)
            .toList();
    if (!differing.isEmpty()) {
      throw new PackException(
          "schema %s: the pack belongs to another role and differs from this version, its owner must install it again: %s"
              .formatted(Quoted.of(schema), String.join(", ", differing)));
    }
  }

  /** Waits until no other session installs or uninstalls, and then excludes them. */
  void lock(Connection connection) throws SQLException {
    LOCK.query(connection, Map.of(), row -> row.getString(1));
  }

  /** Returns the name of the schema. */
  String schema() {
    return schema;
  }

  /** Refuses to run or replace what another role could replace in turn. */
  private void requireTrustedOwners(Connection connection, List<Difference> differences)
      throws SQLException {
    if (!server(connection, row -> row.getBoolean("is_own"))) {
      throw new PackException(
          "schema %s: the schema %s belongs to another role: %s"
              .formatted(Quoted.of(schema), schema, REMEDIES.get("42501")));
    }
    List<String> refusals = new ArrayList<>();
    for (Difference difference : differences) {
      if (difference instanceof Difference.OwnedByOther other) {
        refusals.add(other.object() + " belongs to " + other.owner());
      } else if (difference instanceof Difference.NotOfPack other && !other.isTrusted()) {
        refusals.add(other.object() + " belongs to " + other.owner());
      } else if (difference instanceof Difference.MayCreate other) {
        refusals.add(other.role() + " may create functions in it");
      }
    }
    if (!refusals.isEmpty()) {
      throw new PackException(
          "schema %s: another role could change what the pack runs: %s: drop these objects or give them to the owner of the schema, and revoke create on the schema"
              .formatted(Quoted.of(schema), String.join(", ", refusals)));
    }
  }

  private void requireSame(List<Difference> remaining) {
    List<String> obstacles =
        remaining.stream()
            .filter(difference -> !isIndependent(difference))
            .map(Difference::object)
            .toList();
    if (!obstacles.isEmpty()) {
      throw new PackException(
          "schema %s: these objects differ from the pack and cannot be replaced, drop or rename them first: %s"
              .formatted(Quoted.of(schema), String.join(", ", obstacles)));
    }
  }

  /** Returns whether the functions work in spite of a difference that cannot be corrected. */
  private static boolean isIndependent(Difference difference) {
    return difference instanceof Difference.NotOfPack
        || difference instanceof Difference.ClockAhead
        || (difference instanceof Difference.Changed
            && difference.object().startsWith(PackObject.Kind.DOMAIN.sql() + " "));
  }

  /**
   * Compares the installed pack with this one: reports objects that are missing, that have another
   * definition or owner, or that some roles may not use, and what could replace or overload them.
   * Changes nothing in the database.
   *
   * <p>Where no temporary objects can be created (on a standby, in a read-only transaction, or
   * without TEMP), definitions are compared with those that the installation recorded.
   *
   * @return the differences; empty if there are none
   * @throws PackException if the server is older than 14, or definitions can be compared neither
   *     with temporary objects nor with a record of this version of PostgreSQL
   * @throws SQLException if the database fails
   */
  public List<Difference> verify(DataSource dataSource) throws SQLException {
    return inTransaction(
        dataSource,
        connection -> {
          boolean canCreate = server(connection, row -> row.getBoolean("can_create"));
          if (canCreate) {
            return differences(connection, expected(connection));
          }
          if (!server(connection, row -> row.getBoolean("has_version"))) {
            return List.of(
                new Difference.Missing("function pack_version()"),
                new Difference.Missing("sequence ulid_clock"));
          }
          InstallationRecord record = record(connection);
          return record.isOf(VERSION)
              ? differences(connection, record)
              : List.of(record.differenceFrom(VERSION));
        });
  }

  /**
   * Returns the functions that a {@link DropIn} of this pack replaced, in any schema, and whether
   * it is still in place: {@code public.generate_ulid()} is false after another program has
   * replaced it.
   *
   * @throws SQLException if the database fails
   */
  public Map<String, Boolean> dropIns(DataSource dataSource) throws SQLException {
    return inTransaction(
        dataSource,
        connection -> {
          Map<String, Boolean> found = new LinkedHashMap<>();
          DROP_INS.query(
              connection,
              Map.of(
                  "bodies", DropIn.bodies(server(connection, row -> row.getString("quoted_name")))),
              row -> found.put(row.getString("function"), row.getBoolean("is_in_place")));
          return found;
        });
  }

  /**
   * Drops the pack, and the schema if it contains nothing else. If a default, a view or another
   * object still depends on the pack, nothing is dropped. PostgreSQL does not record the calls in
   * PL/pgSQL bodies and in SQL bodies that are strings, so these are found in functions of the
   * schema only.
   *
   * @throws PackException if this role may not drop the objects; then nothing has changed
   * @throws SQLException if the database fails; then nothing has changed
   */
  public Removal uninstall(DataSource dataSource) throws SQLException {
    return inTransaction(
        dataSource,
        connection -> {
          lock(connection);
          List<PackObject> expected = expected(connection);
          List<PackObject> present =
              objects(connection, schema).stream()
                  .filter(object -> expected.stream().anyMatch(object::isSameAs))
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

  private List<Difference> differences(Connection connection, InstallationRecord record)
      throws SQLException {
    List<PackObject> installed = objects(connection, schema);
    return differences(connection, record.expected(installed), installed);
  }

  private List<Difference> differences(Connection connection, List<PackObject> expected)
      throws SQLException {
    return differences(connection, expected, objects(connection, schema));
  }

  private List<Difference> differences(
      Connection connection, List<PackObject> expected, List<PackObject> installed)
      throws SQLException {
    List<Difference> differences = new ArrayList<>();
    boolean isInstalled = false;
    for (PackObject object : expected) {
      Optional<PackObject> found = installed.stream().filter(object::isSameAs).findFirst();
      if (found.isEmpty()) {
        differences.add(new Difference.Missing(object.toString()));
        continue;
      }
      isInstalled = true;
      object.differenceFrom(found.get()).ifPresent(differences::add);
      if (!found.get().isTrusted()) {
        differences.add(new Difference.OwnedByOther(object.toString(), found.get().owner()));
      }
    }
    for (PackObject found : installed) {
      if (expected.stream().anyMatch(found::isOverloadOf)
          && expected.stream().noneMatch(found::isSameAs)) {
        differences.add(
            new Difference.NotOfPack(found.toString(), found.owner(), found.isTrusted()));
      }
    }
    String object = "schema " + schema;
    for (String role :
        CREATORS.query(connection, Map.of("schema", schema), row -> row.getString(1))) {
      differences.add(new Difference.MayCreate(object, role));
    }
    if (isInstalled) {
      if (!server(connection, row -> row.getBoolean("is_for_all"))) {
        differences.add(new Difference.NotForAll(object));
      }
      String clock = server(connection, row -> row.getString("quoted_name")) + ".ulid_clock";
      CLOCK_AHEAD
          .query(connection, Map.of("clock", clock), row -> Instant.ofEpochMilli(row.getLong(1)))
          .forEach(time -> differences.add(new Difference.ClockAhead("sequence ulid_clock", time)));
    }
    return List.copyOf(differences);
  }

  private <T> T server(Connection connection, RowReader<T> reader) throws SQLException {
    return SERVER.query(connection, Map.of("schema", schema), reader).get(0);
  }

  private InstallationRecord record(Connection connection) throws SQLException {
    return server(
        connection,
        row ->
            InstallationRecord.parse(schema, row.getString("record"), row.getInt("major_version")));
  }

  /**
   * Returns whether this version was installed here by this role, and nothing differs from what the
   * installation recorded. It takes a small part of the time of {@link #expected}.
   */
  private boolean isAsRecorded(Connection connection) throws SQLException {
    InstallationRecord record = record(connection);
    return record.isOf(VERSION)
        && server(connection, row -> row.getBoolean("is_own"))
        && differences(connection, record).isEmpty();
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
    String quotedSchema = server(connection, row -> row.getString("quoted_name"));
    return OBJECTS.query(
        connection,
        Map.of("schema", in),
        row ->
            new PackObject(
                PackObject.Kind.valueOf(row.getString("kind")),
                row.getString("identity"),
                comparable(row.getString("definition"), quotedSchema),
                row.getString("digest"),
                row.getBoolean("is_for_all"),
                row.getString("owner"),
                row.getBoolean("is_trusted")));
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
    if (!server(connection, row -> row.getBoolean("has_version"))) {
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

  /** What a transaction does. */
  interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /** Runs work in a transaction of its own, in which the server writes definitions alike. */
  <T> T inTransaction(DataSource dataSource, Work<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      int serverVersion = connection.getMetaData().getDatabaseMajorVersion();
      if (serverVersion < SERVER_VERSION_MIN) {
        throw new PackException(
            "the server is PostgreSQL %s: expected %s or later"
                .formatted(
                    connection.getMetaData().getDatabaseProductVersion(), SERVER_VERSION_MIN));
      }
      connection.setAutoCommit(false);
      try {
        execute(connection, TRANSACTION_SETTINGS);
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
    List<String> lines = String.valueOf(e.getMessage()).lines().map(String::strip).toList();
    // Only these name the object of some errors: Hint: Use DROP FUNCTION mintmark.ulid() first.
    String notes =
        lines.stream()
            .filter(line -> line.startsWith("Detail: ") || line.startsWith("Hint: "))
            .map(line -> " (" + line + ")")
            .collect(Collectors.joining());
    String message = (lines.isEmpty() ? "" : lines.get(0)) + notes;
    return new PackException(
        "schema %s: %s: %s".formatted(Quoted.of(schema), message, REMEDIES.get(e.getSQLState())),
        e);
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
