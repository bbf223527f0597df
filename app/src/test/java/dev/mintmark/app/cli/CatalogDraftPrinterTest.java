package dev.mintmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.operations.doctor.CatalogDraft;
import dev.mintmark.operations.doctor.CatalogDraft.Remark;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CatalogDraftPrinterTest {
  private static final Catalog CATALOG =
      new Catalog(
          "shop",
          List.of(
              CollectionSpec.builder("meats", Kind.ULID)
                  .table("meats")
                  .storage(Kind.Storage.TEXT)
                  .build()),
          List.of());

  @Test
  void draftIsAFileWithItsRemarks() {
    CatalogDraft draft =
        new CatalogDraft(
            CATALOG,
            List.of(
                new Remark(Optional.empty(), "table \"public.notes\": it has no primary key"),
                new Remark(Optional.of("meats"), "no rows")));

    String yaml = CatalogDraftPrinter.yaml(draft);

    assertThat(yaml)
        .isEqualTo(
            """
            # yaml-language-server: $schema=mintmark.schema.json
            # A draft: kinds are derived from types, defaults and a sample of rows. Review it.
            # Run mintmark catalog schema > mintmark.schema.json so that editors complete and check it.
            #
            # Left out:
            # - table "public.notes": it has no primary key

            namespace: shop

            collections:
              # no rows
              meats: { kind: ulid, table: meats, column: id, storage: text }
            """);
    assertThat(CatalogReader.read("draft", yaml)).isEqualTo(CATALOG);
  }

  @Test
  void draftThatNeedsNoRemarkHasNone() {
    assertThat(CatalogDraftPrinter.yaml(new CatalogDraft(CATALOG, List.of())))
        .doesNotContain("Left out")
        .contains("collections:\n  meats:");
  }
}
