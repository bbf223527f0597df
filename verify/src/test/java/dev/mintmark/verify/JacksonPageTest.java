package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What docs/jackson.md shows is what happens: its Java is run, line by line. */
@Tag("slow")
class JacksonPageTest {
  private static final Page PAGE = new Page("docs/jackson.md");

  @Test
  void everyLineHasTheResultThatItShows() {
    List<String> statements =
        PAGE.blocks("java").stream()
            .flatMap(block -> PageShell.statements(block).stream())
            .toList();
    assertThat(statements).hasSizeGreaterThan(34);

    try (PageShell shell =
        new PageShell(
            "dev.mintmark.*",
            "dev.mintmark.jackson.*",
            "java.util.*",
            "tools.jackson.databind.DatabindException",
            "tools.jackson.databind.json.JsonMapper")) {
      statements.forEach(shell::check);
    }
  }
}
