package dev.mintmark.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Block;
import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.PoolSpec;
import dev.mintmark.ValueList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CatalogWriterTest {
  @Test
  @Tag("slow")
  void whatIsWrittenReadsBack() {
    for (long seed = 0; seed < 300; seed++) {
      Catalog catalog = new RandomCatalogs(seed).next();
      String yaml = new CatalogWriter().write(catalog);

      assertThat(CatalogReader.read("seed " + seed, yaml))
          .as("seed %d:%n%s", seed, yaml)
          .isEqualTo(catalog);
    }
  }

  /** In YAML 1.1, these are booleans. Other tools of a team may read that. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "no", "on", "off", "y", "n", "yes", "false", "null"})
  void wordsThatAreNoTextInOlderYamlAreQuoted(String name) {
    Catalog catalog =
        new Catalog(
            new NamespaceSpec(
                "shop", Optional.empty(), List.of(CollectionSpec.builder(name, Kind.ULID).build())),
            List.of(),
            List.of());

    assertThat(new CatalogWriter().write(catalog)).contains("  \"%s\": ".formatted(name));
  }

  @Test
  void anEmptyPrefixIsNone() {
    CollectionSpec tokens = CollectionSpec.builder("tokens", Kind.TYPEID).prefix("").build();
    Catalog catalog = new Catalog("shop", List.of(tokens), List.of());

    assertThat(tokens.prefix()).isEmpty();
    assertThat(CatalogReader.read("test", new CatalogWriter().write(catalog))).isEqualTo(catalog);
  }

  @Test
  void catalogIsWrittenForPeople() {
    CollectionSpec meats =
        CollectionSpec.builder("meats", Kind.ULID)
            .table("shop.meats")
            .storage(Kind.Storage.TEXT)
            .created("created_at")
            .referencedBy(
                IntStream.rangeClosed(1, 4)
                    .mapToObj(i -> new CollectionSpec.Reference("order_lines_" + i, "meat_id"))
                    .toList())
            .build();
    CollectionSpec payments =
        CollectionSpec.builder("payments", Kind.SEQUENCE)
            .prefix("PM")
            .width(6)
            .table("payments")
            .findColumns(List.of("id", "made at"))
            .build();
    Catalog catalog =
        new Catalog(
            new NamespaceSpec("bobsburgers", Optional.of("b"), List.of(meats, payments)),
            List.of(new NamespaceSpec("jimmys", Optional.empty(), List.of())),
            List.of(
                PoolSpec.of("workers", List.of(Block.parse("0..1023")))
                    .withSticky(false)
                    .withAfterFailover(Optional.of(PoolSpec.AfterFailover.TRUST))
                    .withThresholds(List.of(70)),
                PoolSpec.of("codes", List.of(ValueList.of("codes.txt", List.of("A"))))
                    .withDatabase(Optional.of("no")),
                PoolSpec.of("on", List.of(Block.parse("1..1000 by 100"))),
                PoolSpec.of("phones", new PoolSpec.Source("on", 20))
                    .withBlocks(List.of(Block.parse("1..100")))
                    .withOrder(PoolSpec.Order.ASCENDING)),
            List.of(),
            List.of(),
            List.of("global", "no"));

    String yaml =
        new CatalogWriter()
            .heading("Drafted.", "", "Look \u001b[31mhere\nand there.")
            .comment("meats", "10 rows")
            .comment("none", "nowhere")
            .write(catalog);

    assertThat(yaml)
        .isEqualTo(
            """
            # yaml-language-server: $schema=mintmark.schema.json
            # Drafted.
            #
            # Look ?[31mhere
            # and there.

            namespace: bobsburgers
            code: b

            collections:
              # 10 rows
              meats:
                kind: ulid
                table: shop.meats
                column: id
                storage: text
                created: created_at
                referenced-by:
                  - order_lines_1.meat_id
                  - order_lines_2.meat_id
                  - order_lines_3.meat_id
                  - order_lines_4.meat_id
              payments:
                kind: sequence
                prefix: PM
                width: 6
                table: payments
                column: id
                find: { columns: [id, "made at"] }

            namespaces:
              jimmys: {}

            databases:
              global: {}
              "no": {}

            pools:
              workers: { range: 0..1023, sticky: false, after-failover: trust, thresholds: [70] }
              codes: { list: [codes.txt], database: "no" }
              "on": { range: 1..1000 by 100 }
              phones: { blocks-from: "on", keep-free: 20, order: ascending }
            """);
  }
}
