package dev.mintmark.postgres.pack;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.SqlName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Replaces a function that mints identifiers, such as {@code generate_ulid()} of pgulid, by a call
 * of the SQL pack, in place: no table changes, and defaults and programs continue to call it.
 *
 * <pre>{@code
 * Pack.inSchema("mintmark").dropIn("generate_ulid").install(dataSource);       // text
 * Pack.inSchema("mintmark").dropIn("app.generate_ulid:uuid").install(dataSource);
 * }</pre>
 *
 * <p>The name is {@code [schema.]name[:result]}. Without a schema it is looked up on the {@code
 * search_path} of a new connection. The result is {@code text}, an upper-case ULID, or {@code
 * uuid}. Names are case-sensitive, as PostgreSQL stores them.
 *
 * <p><b>What stays.</b> Owner, grants, volatility and dependents. The definition and the comment
 * before are kept in the comment of the function, and {@link #uninstall} restores both exactly.
 *
 * <p><b>Refused</b> are functions of another role, with another result, of an extension, or used in
 * an index, a partition key or a generated column: these keep values that the function computed.
 * PostgreSQL does not record the calls in bodies that are strings, so such a use through another
 * function is not found.
 *
 * <p>Only the owner of the function itself may replace or restore it, not a member of that role nor
 * a superuser: the owner wrote the comment that is run, so it runs with no more rights than the
 * owner's.
 *
 * <p>Immutable; safe for use by many threads. Each method uses its own connection and transaction.
 */
public final class DropIn {
  /** Characters that would end a literal of the script, and parentheses, written by mistake. */
  private static final Pattern FORBIDDEN_CHARACTERS = Pattern.compile("['$()\\\\\\p{Cntrl}]");

  /** Comments and literals of a statement, casts, and parameters. */
  private static final Pattern TOKEN =
      Pattern.compile("--[^\n]*\n|'[^']*'|::|:(?<name>[a-z][a-z0-9_]*)");

  /** The comment at the head of a file. */
  private static final Pattern HEADER = Pattern.compile("\\A(?:--[^\n]*\n)+");

  private static final Pattern PLACE_OF_TARGET = Pattern.compile("\n *-- :target\n");

  private static final SqlFile TARGET = SqlFile.load(DropIn.class, "drop_in_target");
  private static final SqlFile OTHERS = SqlFile.load(DropIn.class, "drop_in_others");

  private final Pack pack;
  private final String schema;
  private final String name;
  private final Result result;

  /** The results that a function may have, each with the call of the pack that mints it. */
  private enum Result {
    TEXT(
        "%1$I.ulid_text(%1$I.ulid_monotonic())",
        "^[0-7][0-9A-HJKMNP-TV-Z]{25}$", "an upper-case ULID"),
    UUID("%1$I.ulid_monotonic()", "^[0-9a-f-]{36}$", "a UUID");

    /** The call; {@code %1$I} is the schema of the pack. */
    private final String call;

    /** The regular expression of the values that the function before must return. */
    private final String pattern;

    private final String form;

    Result(String call, String pattern, String form) {
      this.call = call;
      this.pattern = pattern;
      this.form = form;
    }

    String sql() {
      return this == TEXT ? "text" : "uuid";
    }
  }

  private DropIn(Pack pack, String schema, String name, Result result) {
    this.pack = pack;
    this.schema = schema;
    this.name = name;
    this.result = result;
  }

  static DropIn of(Pack pack, String function) {
    int colon = function.lastIndexOf(':');
    String qualified = colon < 0 ? function : function.substring(0, colon);
    Result result =
        switch (colon < 0 ? "text" : function.substring(colon + 1)) {
          case "text" -> Result.TEXT;
          case "uuid" -> Result.UUID;
          default ->
              throw new IllegalArgumentException(
                  "malformed function %s: expected [SCHEMA.]NAME, or [SCHEMA.]NAME:uuid"
                      .formatted(Quoted.of(function)));
        };
    SqlName.quotedTable(qualified);
    if (FORBIDDEN_CHARACTERS.matcher(qualified).find()) {
      throw new IllegalArgumentException(
          "malformed function %s: expected a name without parentheses, ', $, \\ and control characters"
              .formatted(Quoted.of(function)));
    }
    int dot = qualified.indexOf('.');
    return new DropIn(
        pack, dot < 0 ? "" : qualified.substring(0, dot), qualified.substring(dot + 1), result);
  }

  /** Returns the bodies of drop-ins, as the server writes them. */
  static String[] bodies(String quotedSchema) {
    return Arrays.stream(Result.values())
        .map(result -> "RETURN " + result.call.replace("%1$I", quotedSchema))
        .toArray(String[]::new);
  }

  /**
   * Returns the drop-in as a script for psql or a migration tool, which the owner of the function
   * runs after the pack is installed. It checks what {@link #install} checks, except for the owner
   * and the differences of the pack.
   */
  public String sql() {
    String target = filled(HEADER.matcher(text("drop_in_target")).replaceFirst(""));
    String script = filled(text("drop_in"));
    return PLACE_OF_TARGET
        .matcher(script)
        .replaceFirst(Matcher.quoteReplacement("\n" + target.indent(4)));
  }

  /**
   * Returns what is there, and calls the function once in a transaction that is rolled back.
   * Changes nothing.
   *
   * @throws PackException if several schemas of the {@code search_path} have such a function
   * @throws SQLException if the database fails
   */
  public DropInState look(DataSource dataSource) throws SQLException {
    return pack.inTransaction(
        dataSource,
        connection -> {
          DropInState state = state(connection);
          connection.rollback();
          return state;
        });
  }

  /**
   * Replaces the function, and installs the pack before if necessary, in one transaction. If it is
   * replaced already, nothing changes.
   *
   * @return the function as it is then
   * @throws PackException if there is no such function, it must not be replaced, or this role may
   *     not; then nothing has changed
   * @throws SQLException if the database fails; then nothing has changed
   */
  public DropInState.InPlace install(DataSource dataSource) throws SQLException {
    return install(dataSource, Optional.empty());
  }

  /**
   * As {@link #install(DataSource)}, if the function is still what a person was shown.
   *
   * @throws PackException also if its definition has changed since then
   */
  public DropInState.InPlace install(DataSource dataSource, DropInState.Replaceable shown)
      throws SQLException {
    return install(dataSource, Optional.of(shown));
  }

  private DropInState.InPlace install(
      DataSource dataSource, Optional<DropInState.Replaceable> shown) throws SQLException {
    return pack.inTransaction(
        dataSource,
        connection -> {
          pack.lock(connection);
          DropInState state = state(connection);
          if (state instanceof DropInState.InPlace present) {
            return present;
          }
          DropInState.Replaceable found = replaceable(state);
          if (shown.isPresent() && !shown.get().definition().equals(found.definition())) {
            throw new PackException(
                "function %s: it was changed in the meantime: run the command again"
                    .formatted(found.function()));
          }
          pack.installForDropIn(connection);
          Pack.execute(connection, "set local search_path to default");
          Pack.execute(connection, sql());
          Pack.execute(connection, "set local search_path to pg_catalog");
          if (state(connection) instanceof DropInState.InPlace done) {
            return done;
          }
          throw new IllegalStateException("function " + found.function() + " was not replaced");
        });
  }

  /**
   * Restores the definition and the comment that the function had before. The pack stays.
   *
   * @return the function as it is then
   * @throws PackException if the drop-in is not in place, its comment is no longer the record of
   *     the drop-in, or this role may not restore it; then nothing has changed
   * @throws SQLException if the database fails; then nothing has changed
   */
  public DropInState uninstall(DataSource dataSource) throws SQLException {
    return pack.inTransaction(
        dataSource,
        connection -> {
          pack.lock(connection);
          if (!(state(connection) instanceof DropInState.InPlace present)) {
            throw new PackException(
                "function %s: the drop-in is not in place: nothing to restore".formatted(shown()));
          }
          if (!present.reasons().isEmpty()) {
            throw new PackException(
                "function %s: %s"
                    .formatted(present.function(), String.join("; ", present.reasons())));
          }
          if (present.restores().isEmpty()) {
            throw new PackException(
                "function %s: its comment is no longer the record of the drop-in: replace the function by hand"
                    .formatted(present.function()));
          }
          // The names in a body are looked up when it is called, as they were before.
          Pack.execute(connection, "set local check_function_bodies to off");
          // Each by itself: the driver does not always find where a body in standard SQL ends.
          for (String statement : targets(connection).get(0).restores()) {
            restore(connection, statement);
          }
          DropInState restored = state(connection);
          if (restored instanceof DropInState.InPlace) {
            throw new PackException(
                "function %s: its comment does not restore it: replace the function by hand"
                    .formatted(present.function()));
          }
          return restored;
        });
  }

  private static void restore(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(sql);
    }
  }

  private DropInState.Replaceable replaceable(DropInState state) {
    if (state instanceof DropInState.Replaceable found) {
      return found;
    }
    if (state instanceof DropInState.Refused refused) {
      throw new PackException(
          "function %s: %s".formatted(refused.function(), String.join("; ", refused.reasons())));
    }
    throw new PackException("there is no function %s() without parameters".formatted(shown()));
  }

  private DropInState state(Connection connection) throws SQLException {
    List<Target> targets = targets(connection);
    if (targets.isEmpty()) {
      return new DropInState.Absent(
          creation(), OTHERS.query(connection, Map.of("name", name), row -> row.getString(1)));
    }
    if (targets.size() > 1) {
      throw new PackException(
          "several functions are called %s: name the schema of one of them: %s"
              .formatted(name, String.join(", ", targets.stream().map(Target::function).toList())));
    }
    return state(connection, targets.get(0));
  }

  private DropInState state(Connection connection, Target target) throws SQLException {
    if (target.isInPlace()) {
      return new DropInState.InPlace(
          target.function(),
          target.restores().isEmpty()
              ? Optional.empty()
              : Optional.of(String.join("", target.restores())),
          List.copyOf(target.missingRights()));
    }
    if (!target.reasons().isEmpty()) {
      return new DropInState.Refused(target.function(), target.definition(), target.reasons());
    }
    String sample = sample(connection, target.function());
    if (!Pattern.compile(result.pattern).matcher(sample).find()) {
      return new DropInState.Refused(
          target.function(),
          target.definition(),
          List.of("it returned %s: expected %s".formatted(Quoted.of(sample), result.form)));
    }
    return new DropInState.Replaceable(
        target.function(),
        target.definition(),
        "create or replace function %s returns %s language sql %s parallel unsafe return %s;"
            .formatted(target.function(), result.sql(), target.volatility(), call()),
        sample,
        target.dependents(),
        target.mentions(),
        target.changes());
  }

  /** Calls the function with the search_path of a new connection, which it may need. */
  private static String sample(Connection connection, String function) throws SQLException {
    var savepoint = connection.setSavepoint();
    Pack.execute(connection, "set local search_path to default");
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select " + function)) {
      row.next();
      return String.valueOf(row.getString(1));
    } catch (SQLException e) {
      throw new PackException(
          "function %s: a call of it failed: %s".formatted(function, e.getMessage()), e);
    } finally {
      connection.rollback(savepoint);
    }
  }

  private List<Target> targets(Connection connection) throws SQLException {
    Pack.execute(connection, "set local search_path to default");
    String[] path;
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("select pg_catalog.current_schemas(false)::pg_catalog.text[]")) {
      row.next();
      path = texts(row.getArray(1));
    } finally {
      Pack.execute(connection, "set local search_path to pg_catalog");
    }
    return TARGET.query(
        connection,
        Map.of(
            "name",
            name,
            "schema",
            schema,
            "path",
            path,
            "result",
            result.sql(),
            "call",
            result.call,
            "pack",
            pack.schema()),
        Target::read);
  }

  /** A row of drop_in_target.sql. {@code restores} is empty if there is no record. */
  private record Target(
      String function,
      String volatility,
      String definition,
      boolean isInPlace,
      List<String> restores,
      List<String> missingRights,
      List<String> obstacles,
      List<String> dependents,
      List<String> mentions,
      List<String> changes) {
    static Target read(ResultSet row) throws SQLException {
      return new Target(
          row.getString("function"),
          row.getString("volatility"),
          row.getString("definition"),
          row.getBoolean("is_in_place"),
          List.of(texts(row.getArray("restores"))),
          List.of(texts(row.getArray("missing_rights"))),
          List.of(texts(row.getArray("obstacles"))),
          List.of(texts(row.getArray("dependents"))),
          List.of(texts(row.getArray("mentions"))),
          List.of(texts(row.getArray("changes"))));
    }

    List<String> reasons() {
      return Stream.concat(missingRights.stream(), obstacles.stream()).toList();
    }
  }

  private static String[] texts(Array array) throws SQLException {
    return (String[]) array.getArray();
  }

  /** The name as it was given, without the result. */
  private String shown() {
    return schema.isEmpty() ? name : schema + "." + name;
  }

  /** The statement that creates the function, if there is none. */
  private String creation() {
    return "create function %s() returns %s language sql volatile parallel unsafe return %s;"
        .formatted(SqlName.quotedTable(shown()), result.sql(), call());
  }

  private String call() {
    return result.call.replace("%1$I", SqlName.quoted(pack.schema()));
  }

  /** Returns a statement with literals for its parameters, and without the comments of its file. */
  private String filled(String sql) {
    Map<String, String> values =
        Map.of(
            "name", literal(name),
            "schema", literal(schema),
            "path", "schemas",
            "result", literal(result.sql()),
            "call", literal(result.call),
            "pack", literal(pack.schema()),
            "pattern", literal(result.pattern),
            "form", literal(result.form),
            "hint", literal("Create it: " + creation()));
    return TOKEN
        .matcher(sql)
        .replaceAll(
            token ->
                Matcher.quoteReplacement(
                    token.group().startsWith(":") && !token.group().equals("::")
                        ? values.get(token.group().substring(1))
                        : token.group()));
  }

  private static String literal(String text) {
    return "'" + text + "'";
  }

  private static String text(String name) {
    try (InputStream file = DropIn.class.getResourceAsStream(name + ".sql")) {
      if (file == null) {
        throw new IllegalStateException("no statement " + name + ".sql beside " + DropIn.class);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
