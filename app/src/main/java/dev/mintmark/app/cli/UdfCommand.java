package dev.mintmark.app.cli;

import dev.mintmark.Catalog;
import dev.mintmark.app.cli.common.CatalogFile;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.Labels;
import dev.mintmark.app.cli.common.Verbosity;
import dev.mintmark.warehouse.Warehouse;
import dev.mintmark.warehouse.WarehouseScript;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mintmark udf}: prints the functions and views of a warehouse. Needs no database. */
@Command(
    name = "udf",
    description = {
      "Print the script that creates functions for identifiers in a warehouse, and a view for every"
          + " collection with a table. It can be run again. duckdb: version 1.4 and later; databricks:"
          + " Spark 4.2 with the extension.",
    },
    mixinStandardHelpOptions = true)
final class UdfCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "ENGINE",
      converter = Labels.OfWarehouse.class,
      completionCandidates = Labels.OfWarehouse.class,
      description = "The warehouse: ${COMPLETION-CANDIDATES}.")
  Warehouse warehouse;

  @Option(
      names = "--catalog",
      paramLabel = "FILE",
      description =
          "The catalog. Default: mintmark.yaml if it exists; otherwise the script has no views")
  @Nullable Path catalogFile;

  @Option(
      names = "--schema",
      paramLabel = "NAME",
      defaultValue = WarehouseScript.SCHEMA,
      description =
          "The schema of the functions and views, a dataset in BigQuery; optionally after its"
              + " database, project or catalog and a dot. Default: ${DEFAULT-VALUE}")
  String schema;

  @Option(
      names = "--tables",
      paramLabel = "NAME",
      description =
          "The schema of loaded tables whose declaration names no schema. Default: main in duckdb,"
              + " otherwise public, in the database of --schema")
  @Nullable String tables;

  @Override
  public Integer call() {
    String loaded = tables == null ? WarehouseScript.tablesDefault(warehouse, schema) : tables;
    String script = new WarehouseScript(warehouse, schema, loaded, catalog()).text();
    out().print(script);
    out().flush();
    return ExitStatus.DONE;
  }

  private Optional<Catalog> catalog() {
    if (catalogFile != null) {
      return Optional.of(CatalogFile.read(spec, catalogFile));
    }
    Optional<Catalog> present = CatalogFile.readIfPresent(spec, CatalogFile.DEFAULT);
    if (present.isPresent()) {
      return present;
    }
    PrintWriter notices = Verbosity.notices(spec);
    notices.println(
        "no " + CatalogFile.DEFAULT + " in this directory: printing functions without views");
    notices.flush();
    return Optional.empty();
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
