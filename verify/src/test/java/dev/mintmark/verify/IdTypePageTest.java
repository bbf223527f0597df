package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What docs/idtype.md shows is what happens: its Java is run, line by line. */
class IdTypePageTest {
  private static final Page PAGE = new Page("docs/idtype.md");

  @Test
  @Tag("slow")
  void everyLineHasTheResultThatItShows() {
    List<String> lines = PAGE.blocks("java").stream().flatMap(String::lines).toList();
    assertThat(lines).hasSizeGreaterThan(20);

    try (PageShell shell =
        new PageShell(
            "dev.mintmark.*", "dev.mintmark.postgres.jdbc.*", "dev.mintmark.postgres.search.*")) {
      lines.forEach(shell::check);
    }
  }
}
