package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.FaceChange;
import dev.mintmark.catalog.CatalogReader;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What docs/changing-ids.md shows is what happens: its Java is run with its catalog. */
class ChangingIdsPageTest {
  private static final Page PAGE = new Page("docs/changing-ids.md");

  @Test
  @Tag("slow")
  void everyLineHasTheResultThatItShows() {
    String yaml = PAGE.blocks("yaml").get(0);
    List<String> blocks = PAGE.blocks("java");
    List<String> lines = blocks.get(blocks.size() - 1).lines().toList();

    assertThat(CatalogReader.read("mintmark.yaml", yaml).collections())
        .singleElement()
        .satisfies(
            payments ->
                assertThat(payments.faceChange().orElseThrow().old())
                    .isEqualTo(FaceChange.Old.NUMBER));
    assertThat(lines).hasSizeGreaterThan(12);
    try (PageShell shell =
        new PageShell("dev.mintmark.*", "dev.mintmark.catalog.*", "java.time.*", "java.util.*")) {
      shell.check(
          "Catalog catalog = CatalogReader.read(\"mintmark.yaml\", %s);"
              .formatted(PageShell.quoted(yaml.replace("\n", "\\n"))));
      lines.forEach(shell::check);
    }
  }
}
