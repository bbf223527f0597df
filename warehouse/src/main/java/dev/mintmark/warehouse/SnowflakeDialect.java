package dev.mintmark.warehouse;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Snowflake. It folds names without quotes to upper case where PostgreSQL folds them to lower case:
 * so a name that needs no quotes in PostgreSQL is taken as one that needs none here, {@code meats}
 * as {@code MEATS}, and every other one exactly as it is.
 */
final class SnowflakeDialect implements Dialect {
  private static final Pattern FOLDED = Pattern.compile("[a-z_][a-z0-9_$]*");

  @Override
  public List<String> instructions() {
    return List.of("  snow sql -f this-file.sql");
  }

  @Override
  public String quoted(String name) {
    boolean folds = FOLDED.matcher(Dialect.checked(name)).matches();
    return '"' + (folds ? name.toUpperCase(Locale.ROOT) : name.replace("\"", "\"\"")) + '"';
  }

  @Override
  public String functions(String schema) {
    return "";
  }

  @Override
  public String function(String schema, String name) {
    return path(schema) + "." + name;
  }

  @Override
  public String asText(String expression) {
    return "cast(" + expression + " as varchar)";
  }

  @Override
  public String createView(String view) {
    return "create or replace view " + view + " copy grants as\n";
  }
}
