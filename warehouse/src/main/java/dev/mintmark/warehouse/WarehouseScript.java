package dev.mintmark.warehouse;

import dev.mintmark.Catalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The script that gives a warehouse the functions and a view for every collection with a table, as
 * {@code mintmark udf} prints it. It can be run again, and then changes what has changed.
 *
 * <p>Immutable, and so safe in any number of threads.
 *
 * @param warehouse the engine it is written for
 * @param schema where functions and views go, a dataset in BigQuery. A dot parts it from the
 *     project, database or catalog it is in, where it is not the present one
 * @param tables where the loaded tables lie whose declaration names no schema; of the same form.
 *     The schemas that declarations name are in what this one is in
 * @param catalog what is declared; without it there are functions and no views
 */
public record WarehouseScript(
    Warehouse warehouse, String schema, String tables, Optional<Catalog> catalog) {
  /** Where functions and views go unless told otherwise. */
  public static final String SCHEMA = "mintmark";

  /**
   * Checks the names.
   *
   * @throws IllegalArgumentException if the engine knows no such schema, or a name of the catalog
   *     cannot be one there, or a view would take the place of the table it reads
   */
  public WarehouseScript {
    dialect(warehouse).path(schema);
    dialect(warehouse).path(tables);
    for (CollectionView view : views(schema, tables, catalog)) {
      view.definition(dialect(warehouse));
    }
  }

  /** The functions of an engine, in the schema {@value #SCHEMA}. */
  public static WarehouseScript of(Warehouse warehouse) {
    return new WarehouseScript(
        warehouse, SCHEMA, tablesDefault(warehouse, SCHEMA), Optional.empty());
  }

  /**
   * Where loaded tables lie unless told otherwise: {@code main} in DuckDB, else {@code public}, and
   * in what the schema of the functions is in.
   */
  public static String tablesDefault(Warehouse warehouse, String schema) {
    return Dialect.beside(schema, warehouse == Warehouse.DUCKDB ? "main" : "public");
  }

  /** The script, UTF-8 and lines that end with a line feed. */
  public String text() {
    Dialect dialect = dialect(warehouse);
    List<String> parts = new ArrayList<>();
    parts.add(comment(head(dialect)));
    parts.add("create schema if not exists " + dialect.path(schema) + ";\n");
    parts.add(dialect.functions(schema));
    views(schema, tables, catalog).forEach(view -> parts.add(view.definition(dialect)));
    return String.join("\n", parts);
  }

  private List<String> head(Dialect dialect) {
    List<String> lines = new ArrayList<>();
    lines.add("Identifiers for analysts: functions, and a view of every collection with a table.");
    lines.add(
        "Written by: mintmark udf %s --schema '%s' --tables '%s'"
            .formatted(warehouse.label(), schema, tables));
    lines.add(
        catalog
            .map(declared -> "The views are those of the namespace " + declared.namespace() + ".")
            .orElse("There was no catalog, and so there are no views."));
    lines.add("It can be run again at any time: what is there is replaced.");
    lines.add("");
    lines.addAll(dialect.instructions());
    return lines;
  }

  private static List<CollectionView> views(
      String schema, String tables, Optional<Catalog> catalog) {
    return catalog.stream()
        .flatMap(
            declared ->
                declared.collections().stream()
                    .filter(collection -> collection.table().isPresent())
                    .map(
                        collection ->
                            new CollectionView(declared.namespace(), collection, schema, tables)))
        .toList();
  }

  private static Dialect dialect(Warehouse warehouse) {
    return switch (warehouse) {
      case BIGQUERY -> new BigQueryDialect();
      case SNOWFLAKE -> new SnowflakeDialect();
      case DUCKDB -> new DuckDbDialect();
      case DATABRICKS -> new SparkDialect();
    };
  }

  /** Lines of a comment, each behind the two hyphens that every engine knows. */
  static String comment(List<String> lines) {
    return lines.stream().map(line -> ("-- " + line).strip() + "\n").collect(Collectors.joining());
  }

  /** The name by which an engine that has no hyphens in names calls a collection. */
  static String viewName(String collection) {
    return collection.replace('-', '_').toLowerCase(Locale.ROOT);
  }
}
