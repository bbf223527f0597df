package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.catalog.OpenApiComponents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** What docs/puris.md shows is what happens: its Java is run, line by line, on its catalog. */
@Tag("slow")
class PurisPageTest {
  private static final Page PAGE = new Page("docs/puris.md");

  @Test
  void everyLineComesToWhatStandsBehindIt(@TempDir Path directory) throws IOException {
    Path catalog =
        Files.writeString(directory.resolve("mintmark.yaml"), PAGE.blocks("yaml").get(0));
    // AnyReferenceTest compiles the block for which a connection is needed.
    List<String> lines =
        PAGE.blocks("java").stream()
            .filter(block -> !block.contains("connection"))
            .flatMap(String::lines)
            .toList();
    assertThat(lines).hasSizeGreaterThan(20);

    try (PageShell shell =
        new PageShell("dev.mintmark.*", "dev.mintmark.catalog.*", "java.nio.file.Path")) {
      lines.forEach(
          line -> shell.check(line.replace("\"mintmark.yaml\"", PageShell.quoted(catalog))));
    }
  }

  @Test
  void theComponentIsThatOfTheCatalog() {
    String shown =
        PAGE.blocks("json").stream()
            .filter(block -> block.startsWith("\"MeatsPuri\""))
            .findFirst()
            .orElseThrow();
    String components =
        OpenApiComponents.of(CatalogReader.read("mintmark.yaml", PAGE.blocks("yaml").get(0)))
            .json();

    assertThat(JsonMapper.shared().readTree(components).findValue("MeatsPuri"))
        .isEqualTo(JsonMapper.shared().readTree("{" + shown + "}").path("MeatsPuri"));
  }
}
