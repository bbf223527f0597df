package dev.mintmark.warehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The statements for BigQuery, Snowflake and Databricks are compared with files, because BigQuery
 * and Snowflake do not run here. {@code -Dmintmark.golden=write} writes the files again; read the
 * difference before you commit it.
 */
class WarehouseScriptTest {
  private static final Path GOLDEN = Path.of("src/test/resources/dev/mintmark/warehouse/golden");

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "DUCKDB")
  void statementsAreTheExpectedOnes(Warehouse warehouse) throws IOException {
    String script =
        new WarehouseScript(
                warehouse,
                WarehouseScript.SCHEMA,
                WarehouseScript.tablesDefault(warehouse, WarehouseScript.SCHEMA),
                Optional.of(ofEveryKindAndStorage()))
            .text();
    String statements =
        PrintedBodies.engines().contains(warehouse)
            ? PrintedBodies.withoutBodies(warehouse, script)
            : script;

    Path file = GOLDEN.resolve(warehouse.label() + ".sql");
    if (System.getProperty("mintmark.golden", "").equals("write")) {
      Files.writeString(file, statements, StandardCharsets.UTF_8);
    }
    assertThat(statements).isEqualTo(Files.readString(file, StandardCharsets.UTF_8));
  }

  /** Databricks has the functions in the extension; the functions of DuckDB are run. */
  @ParameterizedTest
  @MethodSource("dev.mintmark.warehouse.PrintedBodies#engines")
  void everyFunctionIsThere(Warehouse warehouse) {
    String script = WarehouseScript.of(warehouse).text();

    assertThat(WarehouseFunction.names())
        .allSatisfy(
            name ->
                assertThat(script)
                    .containsPattern("create or replace function \\S+\\." + name + "\\("));
  }

  /** Tools between a file and the engine read these characters as syntax. */
  @ParameterizedTest
  @MethodSource("dev.mintmark.warehouse.PrintedBodies#engines")
  void bodiesHaveNothingThatEndsTheirQuotesOrLooksLikeATemplate(Warehouse warehouse) {
    assertThat(PrintedBodies.of(warehouse).bodies())
        .hasSizeGreaterThan(20)
        .allSatisfy(
            (name, body) ->
                assertThat(body).as(name).doesNotContain("\"\"\"", "$$", "&", "<%", "{{", "\t"));
    assertThat(WarehouseFunction.values())
        .allSatisfy(function -> assertThat(function.summary()).doesNotContain("'", "\"", "\\"));
  }

  /** The limits of BigQuery are 32 kB for an inline body and 1 MB for a script. */
  @ParameterizedTest
  @MethodSource("dev.mintmark.warehouse.PrintedBodies#engines")
  void bodiesAreShort(Warehouse warehouse) {
    assertThat(PrintedBodies.of(warehouse).bodies())
        .allSatisfy((name, body) -> assertThat(body.length()).as(name).isLessThan(8_000));
    assertThat(WarehouseScript.of(warehouse).text().length()).isLessThan(150_000);
  }

  @ParameterizedTest
  @EnumSource
  void withoutACatalogThereAreNoViews(Warehouse warehouse) {
    assertThat(WarehouseScript.of(warehouse).text())
        .contains("create schema if not exists ")
        .doesNotContain("create or replace view");
  }

  @Test
  void schemaMayBeInAProjectDatabaseOrCatalog() {
    assertThat(view(Warehouse.BIGQUERY, "my-project.ids", "raw"))
        .contains(
            "create or replace view `my-project`.`ids`.`meats` as",
            "`my-project`.`ids`.try_ulid_text(t.`id`)",
            "from `raw`.`meats` as t");
    assertThat(view(Warehouse.SNOWFLAKE, "analytics.ids", "Raw Data"))
        .contains(
            "create or replace view \"ANALYTICS\".\"IDS\".\"MEATS\" copy grants as",
            "from \"Raw Data\".\"MEATS\" as t");
    assertThat(view(Warehouse.DATABRICKS, "main.ids", "a`b"))
        .contains(
            "create or replace view `main`.`ids`.`meats` as",
            "  try_ulid_text(t.`id`)",
            "from `a``b`.`meats` as t");
    assertThat(view(Warehouse.DUCKDB, "lake.ids", "a\"b"))
        .contains(
            "create or replace view \"lake\".\"ids\".\"meats\" as",
            "from \"a\"\"b\".\"meats\" as t");
  }

  @Test
  void aSchemaDoesNotEndTheDollarQuotesOfSnowflake() {
    String script =
        new WarehouseScript(Warehouse.SNOWFLAKE, "a$$'\\b", "public", Optional.empty()).text();

    assertThat(script)
        .contains(
            "as '\nto_timestamp_ltz(cast(\"a$$''\\\\b\".js_ulid_time(id) as number(38, 0)), 3)\n';")
        .contains("as $$\n\"use strict\";")
        .doesNotContainPattern("as \\$\\$\\n[^$]*a\\$\\$");
  }

  /** BigQuery resolves a name without a project in the project of the query. */
  @Test
  void tablesAreInTheProjectOfTheFunctionsUnlessToldOtherwise() {
    assertThat(WarehouseScript.tablesDefault(Warehouse.BIGQUERY, "p.ids")).isEqualTo("p.public");
    assertThat(WarehouseScript.tablesDefault(Warehouse.DUCKDB, "ids")).isEqualTo("main");
    Catalog catalog =
        catalog(CollectionSpec.builder("tracks", Kind.ULID).table("music.tracks").build());

    assertThat(
            new WarehouseScript(Warehouse.BIGQUERY, "p.ids", "q.raw", Optional.of(catalog)).text())
        .contains("from `q`.`music`.`tracks` as t");
  }

  @ParameterizedTest
  @EnumSource
  void namesThatNoEngineTakesAreRefused(Warehouse warehouse) {
    for (String schema : List.of("", "a.b.c", "a.", ".b", "a\nb", "x".repeat(256), "\ud800")) {
      assertThatIllegalArgumentException()
          .as(schema)
          .isThrownBy(() -> new WarehouseScript(warehouse, schema, "raw", Optional.empty()))
          .withMessageStartingWith("malformed ");
      assertThatIllegalArgumentException()
          .as(schema)
          .isThrownBy(() -> new WarehouseScript(warehouse, "ids", schema, Optional.empty()))
          .withMessageStartingWith("malformed ");
    }
  }

  @Test
  void namesThatBigQueryCannotQuoteAreRefusedWithTheirCollection() {
    Catalog catalog =
        catalog(CollectionSpec.builder("meats", Kind.ULID).table("meats").column("i`d").build());

    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new WarehouseScript(Warehouse.BIGQUERY, "ids", "raw", Optional.of(catalog)))
        .withMessage(
            "collection \"meats\": malformed BigQuery name \"i`d\": expected a name without ` \\"
                + " .");
  }

  @ParameterizedTest
  @EnumSource
  void viewDoesNotTakeThePlaceOfItsTable(Warehouse warehouse) {
    Catalog catalog =
        catalog(CollectionSpec.builder("meats", Kind.ULID).table("Public.Meats").build());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WarehouseScript(warehouse, "public", "raw", Optional.of(catalog)))
        .withMessageStartingWith("collection \"meats\": its view would replace its table ")
        .withMessageEndingWith(": choose another --schema");
  }

  @Test
  void definitionsAreGivenWithWhatTheyUseAndNothingElse() {
    JavaScriptSource source =
        new JavaScriptSource(
            """
            // a file

            /** uses other in a comment only */
            const ONE = 1;

            function other() {
              return ONE;
            }

            function two() {
              return ONE + ONE;
            }
            """);

    assertThat(source.closure("two"))
        .contains("const ONE", "function two")
        .doesNotContain("function other", "a file");
    assertThat(source.closure("ONE")).doesNotContain("function");
    assertThatIllegalArgumentException().isThrownBy(() -> source.closure("three"));
  }

  private static String view(Warehouse warehouse, String schema, String tables) {
    Catalog catalog = catalog(CollectionSpec.builder("meats", Kind.ULID).table("meats").build());
    return new WarehouseScript(warehouse, schema, tables, Optional.of(catalog)).text();
  }

  /** Every kind in every storage; tables with a schema, names that need quotes, no table. */
  static Catalog ofEveryKindAndStorage() {
    List<CollectionSpec> collections = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      String name = kind.label();
      collections.add(prefixed(kind, name).table(name).build());
      if (kind.storage() != Kind.Storage.TEXT) {
        collections.add(
            prefixed(kind, name + "-kept-as-text")
                .table("legacy." + name + "s")
                .column(name + "_id")
                .storage(Kind.Storage.TEXT)
                .build());
      }
    }
    collections.add(
        CollectionSpec.builder("narrow-numbers", Kind.SEQUENCE)
            .narrow(true)
            .table("plain")
            .build());
    collections.add(
        CollectionSpec.builder("orders", Kind.UUIDV7)
            .table("Shop.order")
            .column("Order Id")
            .build());
    collections.add(CollectionSpec.builder("typeid-bare", Kind.TYPEID).table("bare").build());
    collections.add(CollectionSpec.builder("nowhere", Kind.ULID).build());
    return catalog(collections.toArray(new CollectionSpec[0]));
  }

  static CollectionSpec.Builder prefixed(Kind kind, String name) {
    CollectionSpec.Builder builder = CollectionSpec.builder(name, kind);
    return switch (kind) {
      case SEQUENCE -> builder.prefix("PM").width(6);
      case TYPEID -> builder.prefix("user");
      default -> builder;
    };
  }

  private static Catalog catalog(CollectionSpec... collections) {
    return new Catalog("bobsburgers", List.of(collections), List.of());
  }
}
