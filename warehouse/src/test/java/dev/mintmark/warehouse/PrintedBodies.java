package dev.mintmark.warehouse;

import dev.mintmark.fixtures.Conformance;
import dev.mintmark.fixtures.Conformance.Surface;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The JavaScript bodies of a printed script, run by GraalJS as the engine runs them: as a function
 * of the declared parameters, whose names are in upper case in Snowflake.
 */
final class PrintedBodies implements Bodies {
  /** A statement: its start with the quote that opens the body, the body, and the closing quote. */
  private static final Map<Warehouse, Pattern> STATEMENTS =
      Map.of(
          Warehouse.BIGQUERY,
          Pattern.compile(
              "(?<head>create or replace function"
                  + " `mintmark`\\.(?<name>\\w+)\\((?<parameters>[^)]*)\\)(?:\n"
                  + "(?!as )[^\n"
                  + "]*)*\n"
                  + "as r\"\"\"\n"
                  + ")(?<body>.*?)(?<tail>\"\"\";\n"
                  + ")",
              Pattern.DOTALL),
          Warehouse.SNOWFLAKE,
          Pattern.compile(
              "(?<head>create or replace function"
                  + " \"MINTMARK\"\\.(?<name>\\w+)\\((?<parameters>[^)]*)\\)(?:\n"
                  + "(?!as |language)[^\n"
                  + "]*)*\n"
                  + "language javascript(?:\n"
                  + "(?!as )[^\n"
                  + "]*)*\n"
                  + "as [$][$]\n"
                  + ")(?<body>.*?)(?<tail>[$][$];\n"
                  + ")",
              Pattern.DOTALL));

  private static final Map<Warehouse, PrintedBodies> OF_ENGINES = new LinkedHashMap<>();

  private final Context context =
      Context.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build();

  private final Warehouse warehouse;
  private final Map<String, String> bodies = new LinkedHashMap<>();
  private final Map<String, String> sources = new LinkedHashMap<>();
  private final Map<String, Value> functions = new LinkedHashMap<>();

  private PrintedBodies(Warehouse warehouse) {
    this.warehouse = warehouse;
    Matcher statement = matcher(warehouse, WarehouseScript.of(warehouse).text());
    while (statement.find()) {
      String name = statement.group("name");
      String parameters =
          Stream.of(statement.group("parameters").split(", ", -1))
              .map(parameter -> parameter.substring(0, parameter.indexOf(' ')))
              .map(each -> warehouse == Warehouse.SNOWFLAKE ? each.toUpperCase(Locale.ROOT) : each)
              .collect(Collectors.joining(", "));
      String body = statement.group("body");
      bodies.put(name, body);
      String source = "(function(" + parameters + ") {\n" + body + "})";
      sources.put(name, source);
      functions.put(name, context.eval("js", source));
    }
  }

  /** Returns the bodies of an engine, which all tests share. */
  static PrintedBodies of(Warehouse warehouse) {
    return OF_ENGINES.computeIfAbsent(warehouse, PrintedBodies::new);
  }

  static List<Warehouse> engines() {
    return List.of(Warehouse.BIGQUERY, Warehouse.SNOWFLAKE);
  }

  /** Returns the statements of a script, with its name in place of each body. */
  static String withoutBodies(Warehouse warehouse, String script) {
    StringBuilder statements = new StringBuilder();
    Matcher statement = matcher(warehouse, script);
    while (statement.find()) {
      String marked =
          statement.group("head")
              + ("<body of " + statement.group("name") + ">\n")
              + statement.group("tail");
      statement.appendReplacement(statements, Matcher.quoteReplacement(marked));
    }
    return statement.appendTail(statements).toString();
  }

  Map<String, String> bodies() {
    return bodies;
  }

  /** Returns each function as an expression of JavaScript, by its name. */
  Map<String, String> sources() {
    return sources;
  }

  @Override
  public Conformance compared() {
    return Conformance.of(
        warehouse == Warehouse.BIGQUERY
            ? Surface.BIGQUERY_IN_GRAALJS
            : Surface.SNOWFLAKE_IN_GRAALJS,
        "GraalJS");
  }

  @Override
  public String toString() {
    return warehouse + " in GraalJS";
  }

  @Override
  public @Nullable String call(String function, @Nullable String... arguments) {
    Value result = value(function).execute((Object[]) arguments);
    return result.isNull() ? null : result.asString();
  }

  @Override
  public String refusal(String function, String... arguments) {
    try {
      return "answered " + call(function, arguments);
    } catch (PolyglotException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private Value value(String function) {
    Value value = functions.get(function);
    if (value == null) {
      throw new IllegalArgumentException("no body of " + function + " among " + functions.keySet());
    }
    return value;
  }

  private static Matcher matcher(Warehouse warehouse, String script) {
    Pattern pattern = STATEMENTS.get(warehouse);
    if (pattern == null) {
      throw new IllegalArgumentException(warehouse + " has no JavaScript");
    }
    return pattern.matcher(script);
  }
}
