package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The tables of docs/moving.md that name methods of Java: both columns run, and return the same
 * where the page says so.
 */
class MovingPageTest {
  private static final Pattern ROW = Pattern.compile("\\| `(.*?)` \\| `(.*?)` \\| *(.*?) *\\|");

  private record Row(String theirs, String ours, boolean isSame) {}

  @ParameterizedTest
  @CsvSource({
    "01FZG96YPZK4SANAG1ZM5T2K9Z, 017fe093-7adf-7932-aaaa-01fd0ba14d3f, 2022-03-31T15:23:55.999Z",
    "01fzg96ypzk4sanag1zm5t2k9z, C232AB00-9414-11EC-B3C8-9F6BDECED846, 1970-01-01T00:00:00Z",
    "7ZZZZZZZZZZZZZZZZZZZZZZZZZ, 1EC9414C-232A-6B00-B3C8-9F6BDECED846, 2300-01-01T00:00:00.001Z"
  })
  void ulidCreator(String text, String uuid, String time) {
    String id = "var id = Ulid.%s(text);";
    try (PageShell theirs = shell(text, uuid, time, "com.github.f4b6a3.ulid.*");
        PageShell ours = shell(text, uuid, time, "dev.mintmark.*")) {
      theirs.check(id.formatted("from"));
      ours.check(id.formatted("parse"));

      compare(rows("ulid-creator"), theirs, ours);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "a name, 017fe093-7adf-7932-aaaa-01fd0ba14d3f, 2022-03-31T15:23:55.999Z",
    "'', C232AB00-9414-11EC-B3C8-9F6BDECED846, 1970-01-01T00:00:00Z",
    "ä ö ü, 1EC9414C-232A-6B00-B3C8-9F6BDECED846, 2300-01-01T00:00:00.001Z"
  })
  void uuidCreator(String text, String uuid, String time) {
    try (PageShell theirs =
            shell(text, uuid, time, "com.github.f4b6a3.uuid.*", "com.github.f4b6a3.uuid.util.*");
        PageShell ours = shell(text, uuid, time, "dev.mintmark.*")) {
      compare(rows("uuid-creator"), theirs, ours);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0CE3HV9WR4VCZ, 447310231489040447",
    "FZZZZZZZZZZZZ, -1",
    "0000000000000, 0",
    "8000000000000, -9223372036854775808"
  })
  void hypersistenceTsid(String text, long number) {
    String numbers = "long number = %dL;".formatted(number);
    String uuid = "017fe093-7adf-7932-aaaa-01fd0ba14d3f";
    String time = "2022-03-31T15:23:55.999Z";
    try (PageShell theirs = shell(text, uuid, time, "io.hypersistence.tsid.*");
        PageShell ours = shell(text, uuid, time, "dev.mintmark.*")) {
      theirs.check(numbers);
      ours.check(numbers);

      compare(rows("hypersistence-tsid and tsid-creator"), theirs, ours);
    }
  }

  private static PageShell shell(String text, String uuid, String time, String... imports) {
    String[] all =
        Stream.concat(Stream.of("java.time.Instant", "java.util.UUID"), Stream.of(imports))
            .toArray(String[]::new);
    PageShell shell = new PageShell(all);
    shell.check("var text = \"%s\";".formatted(text));
    shell.check("var uuid = UUID.fromString(\"%s\");".formatted(uuid));
    shell.check("var time = Instant.parse(\"%s\");".formatted(time));
    shell.check("var bytes = new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, -1, -2, -3};");
    return shell;
  }

  private static void compare(List<Row> rows, PageShell theirs, PageShell ours) {
    assertThat(rows).filteredOn(Row::isSame).hasSizeGreaterThan(5);
    for (Row row : rows) {
      String expected = theirs.text(row.theirs);
      String found = ours.text(row.ours);
      if (row.isSame) {
        assertThat(found).as(row.ours).isEqualTo(expected);
      }
    }
  }

  private static List<Row> rows(String library) {
    String page = new Page("docs/moving.md").text();
    int start = page.indexOf("## " + library + "\n");
    return ROW.matcher(page.substring(start, page.indexOf("\n## ", start + 1)))
        .results()
        .map(row -> new Row(row.group(1), row.group(2), row.group(3).startsWith("same")))
        .toList();
  }
}
