package dev.mintmark.warehouse;

import dev.mintmark.warehouse.JavaScriptFunctions.Signature;
import dev.mintmark.warehouse.WarehouseFunction.ValueType;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The SQL dialect of Snowflake. Snowflake folds unquoted names to upper case, PostgreSQL to lower
 * case. So a name that needs no quotes in PostgreSQL is written in upper case, {@code meats} as
 * {@code MEATS}. Every other name is unchanged.
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
        "The script writes to the current database. A UUID is a VARCHAR of 36 characters, a time",
        "is a TIMESTAMP_LTZ. Timestamps end with the year 9999: ulid_time rejects later times.");
  }

  @Override
  public String quoted(String name) {
    boolean folds = FOLDED.matcher(Dialect.checked(name)).matches();
    return '"' + (folds ? name.toUpperCase(Locale.ROOT) : name.replace("\"", "\"\"")) + '"';
  }

  @Override
  public String bits(String bigint, int shift, int mask) {
    return "bitand(bitshiftright(" + bigint + ", " + shift + "), " + mask + ")";
  }

  /** Returns the statement with {@code copy grants}: roles keep their grants on a replaced view. */
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
        as %s;
        """
        .formatted(
            signature.name(),
            signature.parameters(),
            signature.result(),
            language,
            signature.summary(),
            constant(body));
  }

  /** Dollar quotes have no tags here: a body with some, in the name of a schema, is a constant. */
  private static String constant(String body) {
    return body.contains("$$")
        ? "'\n" + body.replace("\\", "\\\\").replace("'", "''") + "'"
        : "$$\n" + body + "$$";
  }

  /** A number with a fraction would be rounded to a whole one; 19 digits are enough before it. */
  @Override
  public String parameterType(ValueType type) {
    return switch (type) {
      case BIGINT, INTEGER -> "number(38, 19)";
      case TEXT, UUID, TIME -> typeName(type);
    };
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
