package dev.mintmark.warehouse;

import dev.mintmark.warehouse.WarehouseFunction.Parameter;
import dev.mintmark.warehouse.WarehouseFunction.ValueType;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Snowflake. It folds names without quotes to upper case where PostgreSQL folds them to lower case:
 * so a name that needs no quotes in PostgreSQL is taken as one that needs none here, {@code meats}
 * as {@code MEATS}, and every other one exactly as it is.
 *
 * @see <a
 *     href="https://docs.snowflake.com/en/developer-guide/udf/javascript/udf-javascript-introduction">
 *     JavaScript UDFs</a>: all numbers are doubles, and a body has its arguments in upper case
 */
final class SnowflakeDialect implements Dialect, JavaScriptFunctions.Syntax {
  private static final Pattern FOLDED = Pattern.compile("[a-z_][a-z0-9_$]*");

  @Override
  public List<String> instructions() {
    return List.of(
        "  snow sql -f this-file.sql",
        "",
        "It goes into the present database. A UUID is a VARCHAR of 36 characters, a time a",
        "TIMESTAMP_LTZ. Timestamps end with the year 9999: ulid_time refuses later ones.");
  }

  @Override
  public String quoted(String name) {
    boolean folds = FOLDED.matcher(Dialect.checked(name)).matches();
    return '"' + (folds ? name.toUpperCase(Locale.ROOT) : name.replace("\"", "\"\"")) + '"';
  }

  @Override
  public String functions(String schema) {
    return new JavaScriptFunctions(this, path(schema) + ".").definitions();
  }

  @Override
  public String function(String schema, String name) {
    return path(schema) + "." + name;
  }

  @Override
  public String asText(String expression) {
    return "cast(" + expression + " as varchar)";
  }

  /** Roles keep what they were granted on the view that is replaced. */
  @Override
  public String createView(String view) {
    return "create or replace view " + view + " copy grants as\n";
  }

  @Override
  public String argument(String parameter) {
    return parameter.toUpperCase(Locale.ROOT);
  }

  @Override
  public String scripted(String name, List<String> parameters, String summary, String body) {
    String declared =
        parameters.stream().map(each -> each + " varchar").collect(Collectors.joining(", "));
    return """
        create or replace function %s(%s)
        copy grants
        returns varchar
        language javascript
        strict
        immutable
        comment = '%s'
        as $$
        %s$$;
        """
        .formatted(name, declared, summary, body);
  }

  @Override
  public String expressed(
      String name,
      List<Parameter> parameters,
      ValueType result,
      String summary,
      String expression) {
    String declared =
        parameters.stream()
            .map(each -> each.name() + " " + typeName(each.type()))
            .collect(Collectors.joining(", "));
    return """
        create or replace function %s(%s)
        copy grants
        returns %s
        immutable
        comment = '%s'
        as $$
        %s
        $$;
        """
        .formatted(name, declared, typeName(result), summary, expression);
  }

  /** A time is cut to its millisecond, downwards. */
  @Override
  public String toText(String parameter, ValueType type) {
    return asText(
        type == ValueType.TIME
            ? "date_part(epoch_millisecond, date_trunc('millisecond', " + parameter + "))"
            : parameter);
  }

  @Override
  public String fromText(String expression, ValueType type) {
    String number = "cast(" + expression + " as number(38, 0))";
    return type == ValueType.TIME ? "to_timestamp_ltz(" + number + ", 3)" : number;
  }

  private static String typeName(ValueType type) {
    return switch (type) {
      case TEXT, UUID -> "varchar";
      case BIGINT, INTEGER -> "number(38, 0)";
      case TIME -> "timestamp_ltz";
    };
  }
}
