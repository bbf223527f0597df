package dev.mintmark.warehouse;

import java.util.List;

/** BigQuery, where a schema is a dataset. */
final class BigQueryDialect implements Dialect {
  @Override
  public List<String> instructions() {
    return List.of("  bq query --use_legacy_sql=false < this-file.sql");
  }

  @Override
  public String quoted(String name) {
    return '`' + Dialect.checked(name) + '`';
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
    return "cast(" + expression + " as string)";
  }
}
