package dev.mintmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.warehouse.Warehouse;
import dev.mintmark.warehouse.WarehouseScript;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** {@code mintmark udf}: stdout is the script, and nothing else is. */
class UdfCommandTest {
  @TempDir Path directory;

  private record Outcome(int status, String out, String err) {}

  @ParameterizedTest
  @EnumSource
  void withoutACatalogThereAreFunctionsAndANote(Warehouse warehouse) {
    assertThat(run(warehouse.label()))
        .isEqualTo(
            new Outcome(
                0,
                WarehouseScript.of(warehouse).text(),
                "no mintmark.yaml in this directory: printing functions without views\n"));
  }

  @ParameterizedTest
  @CsvSource({
    "duckdb, '', \"mintmark\".\"tracks\", \"main\".\"tracks\"",
    "duckdb, --schema lake.ids, \"lake\".\"ids\".\"tracks\", \"lake\".\"main\".\"tracks\"",
    "bigquery, --schema my-project.ids, `my-project`.`ids`.`tracks`, `my-project`.`public`.`tracks`",
    "bigquery, --tables raw, `mintmark`.`tracks`, `raw`.`tracks`"
  })
  void optionsSayWhereViewsGoAndTablesAre(String engine, String options, String view, String table)
      throws IOException {
    Path catalog = directory.resolve("ids.yaml");
    Files.writeString(
        catalog, "namespace: acme\ncollections:\n  tracks: { kind: ulid, table: tracks }\n");

    Outcome outcome = run(engine + " --catalog " + catalog + " " + options);

    assertThat(outcome.err).isEmpty();
    assertThat(outcome.out)
        .contains("create or replace view " + view + " as\n", "from " + table + " as t;\n");
  }

  @Test
  @Tag("slow")
  void whatCannotBeIsStatusTwo() {
    assertThat(run("oracle").err)
        .contains("unknown warehouse \"oracle\": expected one of bigquery, snowflake, duckdb");
    assertThat(run("duckdb --schema a.b.c"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "no mintmark.yaml in this directory: printing functions without views\nmintmark: malformed schema"
                    + " name \"a.b.c\": expected at most 2 names separated by a dot\n"));
    assertThat(run("duckdb --catalog nowhere.yaml"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "mintmark: nowhere.yaml: no such file; mintmark doctor --catalog > nowhere.yaml writes a"
                    + " draft for a database\n"));
  }

  private static Outcome run(String arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commandLine = MintmarkCommand.commandLine();
    commandLine.setOut(new PrintWriter(out));
    commandLine.setErr(new PrintWriter(err));
    int status = commandLine.execute(("udf " + arguments).strip().split(" +"));
    return new Outcome(status, out.toString(), err.toString());
  }
}
