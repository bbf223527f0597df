package dev.mintmark.warehouse;

import dev.mintmark.Quoted;
import dev.mintmark.warehouse.WarehouseFunction.Parameter;
import dev.mintmark.warehouse.WarehouseFunction.ValueType;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * BigQuery, where a schema is a dataset.
 *
 * @see <a href="https://cloud.google.com/bigquery/docs/user-defined-functions">User-defined
 *     functions</a>: a body takes no INT64
 * @see <a href="https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical">Identifiers
 *     and literals</a>
 */
final class BigQueryDialect implements Dialect, JavaScriptFunctions.Syntax {
  /** What would end the quotes, part the name or begin an escape. */
  private static final Pattern UNFIT = Pattern.compile("[`\\\\.]");

  @Override
  public List<String> instructions() {
    return List.of(
        "  bq query --use_legacy_sql=false < this-file.sql",
        "",
        "A new dataset is made where bq says, which is the US unless --location=EU or another says",
        "otherwise. A UUID is a STRING of 36 characters. Timestamps end with the year 9999: ulid_time",
        "refuses later ones.");
  }

  @Override
  public String quoted(String name) {
    if (UNFIT.matcher(Dialect.checked(name)).find()) {
      throw new IllegalArgumentException(
          "malformed BigQuery name " + Quoted.of(name) + ": expected none of ` \\ .");
    }
    return '`' + name + '`';
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
    return "cast(" + expression + " as string)";
  }

  @Override
  public String argument(String parameter) {
    return parameter;
  }

  @Override
  public String scripted(String name, List<String> parameters, String summary, String body) {
    String declared =
        parameters.stream().map(each -> each + " string").collect(Collectors.joining(", "));
    return """
        create or replace function %s(%s)
        returns string
        deterministic
        language js
        options (description = "%s")
        as r\"""
        %s\""";
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
        returns %s
        as (%s)
        options (description = "%s");
        """
        .formatted(name, declared, typeName(result), expression, summary);
  }

  /** A time is cut to its millisecond, downwards. */
  @Override
  public String toText(String parameter, ValueType type) {
    return asText(type == ValueType.TIME ? "unix_millis(" + parameter + ")" : parameter);
  }

  @Override
  public String fromText(String expression, ValueType type) {
    String number = "cast(" + expression + " as int64)";
    return type == ValueType.TIME ? "timestamp_millis(" + number + ")" : number;
  }

  private static String typeName(ValueType type) {
    return switch (type) {
      case TEXT, UUID -> "string";
      case BIGINT, INTEGER -> "int64";
      case TIME -> "timestamp";
    };
  }
}
