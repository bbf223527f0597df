package dev.mintmark.warehouse;

import java.util.List;
import java.util.regex.Matcher;

/**
 * The SQL dialect of DuckDB. Its functions are macros, written by hand in {@code duckdb.sql}, in
 * which the schema is {@code mintmark}.
 */
final class DuckDbDialect implements Dialect {
  /** The schema of the file as the qualifier of a name. */
  private static final String QUALIFIER = "\\bmintmark(?=\\.[a-z])";

  @Override
  public List<String> instructions() {
    return List.of("  duckdb warehouse.db < this-file.sql");
  }

  @Override
  public String quoted(String name) {
    return '"' + Dialect.checked(name).replace("\"", "\"\"") + '"';
  }

  @Override
  public String functions(String schema) {
    return Resource.text("duckdb.sql")
        .replaceAll(QUALIFIER, Matcher.quoteReplacement(path(schema)));
  }

  @Override
  public String textType() {
    return "varchar";
  }
}
