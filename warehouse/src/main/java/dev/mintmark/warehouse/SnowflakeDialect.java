package dev.mintmark.warehouse;

import dev.mintmark.warehouse.JavaScriptFunctions.Signature;
import dev.mintmark.warehouse.WarehouseFunction.ValueType;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Snowflake. It folds names without quotes to upper case where PostgreSQL folds them to lower case:
 * so a name that needs no quotes in PostgreSQL is taken as one that needs none here, {@code meats}
 * as {@code MEATS}, and every other one exactly as it is.
 *
 * @see <a
 *     href="https://docs.snowflake.com/en/developer-guide/udf/javascript/udf-javascript-introduction">
 *     JavaScript UDFs</a>: all numbers are doubles, and a body has its arguments in upper case
 */
final class SnowflakeDialect implements JavaScriptFunctions.Syntax {
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
  public String scripted(Signature signature, String body) {
    return definition(signature, "language javascript\nstrict\n", body);
  }

  @Override
  public String expressed(Signature signature, String expression) {
    return definition(signature, "", expression + "\n");
  }

  private static String definition(Signature signature, String language, String body) {
    return """
        create or replace function %s(%s)
        copy grants
        returns %s
        %simmutable
        comment = '%s'
        as $$
        %s$$;
        """
        .formatted(
            signature.name(),
            signature.parameters(),
            signature.result(),
            language,
            signature.summary(),
            body);
  }

  @Override
  public String millisOf(String moment) {
    return "date_part(epoch_millisecond, date_trunc('millisecond', " + moment + "))";
  }

  @Override
  public String momentOf(String millis) {
    return "to_timestamp_ltz(" + millis + ", 3)";
  }

  @Override
  public String typeName(ValueType type) {
    return switch (type) {
      case TEXT, UUID -> "varchar";
      case BIGINT, INTEGER -> "number(38, 0)";
      case TIME -> "timestamp_ltz";
    };
  }
}
