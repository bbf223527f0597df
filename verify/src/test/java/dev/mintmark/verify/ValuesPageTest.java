package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What docs/values.md shows is what happens: its Java is run, line by line. */
@Tag("slow")
class ValuesPageTest {
  private static final Page PAGE = new Page("docs/values.md");

  @Test
  void everyLineHasTheResultThatItShows() {
    List<String> lines = PAGE.blocks("java").stream().flatMap(String::lines).toList();
    assertThat(lines).hasSizeGreaterThan(12);

    try (PageShell shell =
        new PageShell(
            "dev.mintmark.*",
            "java.io.*",
            "java.util.*",
            "tools.jackson.databind.json.JsonMapper")) {
      lines.forEach(shell::check);
    }
  }
}
