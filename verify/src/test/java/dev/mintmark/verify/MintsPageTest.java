package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What docs/mints.md shows is what happens: its Java is run, line by line. */
@Tag("slow")
class MintsPageTest {
  @Test
  void everyLineHasTheResultThatItShows() {
    List<String> lines =
        new Page("docs/mints.md").blocks("java").stream().flatMap(String::lines).toList();
    assertThat(lines).hasSizeGreaterThan(5);

    try (PageShell shell = new PageShell("java.util.*", "dev.mintmark.*")) {
      lines.forEach(shell::check);
    }
  }
}
