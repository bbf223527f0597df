package dev.mintmark.warehouse;

import dev.mintmark.Spelling;
import java.util.Arrays;
import java.util.Locale;

/** A warehouse engine. */
public enum Warehouse {
  /** Google BigQuery: functions in JavaScript. */
  BIGQUERY,
  /** Snowflake: functions in JavaScript. */
  SNOWFLAKE,
  /** DuckDB 1.4 and later: macros in SQL. */
  DUCKDB,
  /** Databricks, and any Spark 4: a session extension adds the functions. */
  DATABRICKS;

  /** Returns the name in commands: {@code bigquery}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the warehouse with the name {@code label}, in lower case.
   *
   * @throws IllegalArgumentException if there is no such warehouse; the message lists all
   *     warehouses
   */
  public static Warehouse parse(String label) {
    return Arrays.stream(values())
        .filter(warehouse -> warehouse.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    Spelling.unknown(
                        "warehouse",
                        label,
                        Arrays.stream(values()).map(Warehouse::label).toList())));
  }
}
