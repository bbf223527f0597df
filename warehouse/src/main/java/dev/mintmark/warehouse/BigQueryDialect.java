package dev.mintmark.warehouse;

import dev.mintmark.Quoted;
import dev.mintmark.warehouse.JavaScriptFunctions.Signature;
import dev.mintmark.warehouse.WarehouseFunction.ValueType;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The SQL dialect of BigQuery. A schema is a dataset.
 *
 * @see <a href="https://cloud.google.com/bigquery/docs/user-defined-functions">User-defined
 *     functions</a>: a body takes no INT64
 * @see <a href="https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical">Identifiers
 *     and literals</a>
 */
final class BigQueryDialect implements JavaScriptFunctions.Syntax {
  /** Characters that end a quoted name, split it or start an escape. */
  private static final Pattern UNFIT = Pattern.compile("[`\\\\.]");

  @Override
  public List<String> instructions() {
    return List.of(
        "  bq query --use_legacy_sql=false < this-file.sql",
        "",
        "bq creates a new dataset in the US, unless --location names another location, such as EU.",
        "A UUID is a STRING of 36 characters. Timestamps end with the year 9999: ulid_time rejects",
        "later times.");
  }

  @Override
  public String quoted(String name) {
    if (UNFIT.matcher(Dialect.checked(name)).find()) {
      throw new IllegalArgumentException(
          "malformed BigQuery name " + Quoted.of(name) + ": expected a name without ` \\ .");
    }
    return '`' + name + '`';
  }

  @Override
  public String argument(String parameter) {
    return parameter;
  }

  @Override
  public String scripted(Signature signature, String body) {
    return """
        create or replace function %s(%s)
        returns %s
        deterministic
        language js
        options (description = "%s")
        as r\"""
        %s\""";
        """
        .formatted(
            signature.name(),
            signature.parameters(),
            signature.result(),
            signature.summary(),
            body);
  }

  @Override
  public String expressed(Signature signature, String expression) {
    return """
        create or replace function %s(%s)
        returns %s
        as (%s)
        options (description = "%s");
        """
        .formatted(
            signature.name(),
            signature.parameters(),
            signature.result(),
            expression,
            signature.summary());
  }

  @Override
  public String millisOf(String moment) {
    return "unix_millis(" + moment + ")";
  }

  @Override
  public String momentOf(String millis) {
    return "timestamp_millis(" + millis + ")";
  }

  @Override
  public String typeName(ValueType type) {
    return switch (type) {
      case TEXT, UUID -> "string";
      case BIGINT, INTEGER -> "int64";
      case TIME -> "timestamp";
    };
  }
}
