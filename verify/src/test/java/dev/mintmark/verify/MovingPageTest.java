package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The tables of docs/moving.md that name methods of Java: both columns run, and return the same
 * where the page says so. Of libraries that are not on the class path our column runs alone.
 */
@Tag("slow")
class MovingPageTest {
  private static final Pattern ROW = Pattern.compile("\\| `(.*?)` \\| `(.*?)` \\| *(.*?) *\\|");

  private static final Pattern FUNCTION = Pattern.compile("mintmark\\.(\\w+)\\(");
  private static final String PAGE = new Page("docs/moving.md").text();

  private static final String UUID = "017fe093-7adf-7932-aaaa-01fd0ba14d3f";
  private static final String TIME = "2022-03-31T15:23:55.999Z";
  private static final String NUMBER = "long number = %dL;";

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

      compare(6, rows("ulid-creator"), theirs, ours);
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
      compare(6, rows("uuid-creator"), theirs, ours);
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
    try (PageShell theirs = shell(text, UUID, TIME, "io.hypersistence.tsid.*");
        PageShell ours = shell(text, UUID, TIME, "dev.mintmark.*")) {
      theirs.check(NUMBER.formatted(number));
      ours.check(NUMBER.formatted(number));

      compare(6, rows("hypersistence-tsid"), theirs, ours);
    }
  }

  @ParameterizedTest
  @CsvSource({"PM000123, 123", "PM999999, 999999", "PM1000000, 1000000", "PM000000, 0"})
  void sequenceWithAPrefix(String text, long number) {
    try (PageShell theirs = shell(text, UUID, TIME);
        PageShell ours = shell(text, UUID, TIME, "dev.mintmark.*")) {
      theirs.check(NUMBER.formatted(number));
      ours.check(NUMBER.formatted(number));
      ours.check("var format = new SequenceId.Format(\"PM\", 6);");

      compare(3, rows("A sequence with a prefix, by hand"), theirs, ours);
    }
  }

  /** The library is for Python. */
  @Test
  void djangoUlid() {
    try (PageShell ours = shell("01FZG96YPZK4SANAG1ZM5T2K9Z", UUID, TIME, "dev.mintmark.*")) {
      ours.check("var id = Ulid.of(uuid);");

      run(9, rows("django-ulid"), ours);
    }
  }

  /** The libraries are not needed to run our side. */
  @Test
  void sqidsAndHashids() {
    String secret = ReadmeIT.SECRET;
    try (PageShell ours = shell("pay_a3wdgw0zrbmsq56da6a6w62jdy2", UUID, TIME, "dev.mintmark.*")) {
      ours.check(NUMBER.formatted(123));
      ours.check("var secret = \"%s\";".formatted(secret));
      ours.check("var payments = new CollectionSpec.Face(\"pay\", \"payments\");");
      ours.check("var mask = Mask.ofNumbers(Keyring.parse(secret), payments);");

      run(6, rows("Sqids and Hashids"), ours);
    }
  }

  /** Each function that the page names is on the page of the pack. */
  @Test
  void functionsOfThePack() {
    String pack = new Page("docs/pack.md").text();
    List<String> functions =
        FUNCTION.matcher(PAGE).results().map(match -> match.group(1)).distinct().toList();

    assertThat(functions).hasSizeGreaterThan(6);
    assertThat(functions).allSatisfy(name -> assertThat(pack).contains("`" + name + "("));
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

  private static void run(int size, List<Row> rows, PageShell ours) {
    assertThat(rows).hasSize(size);
    rows.forEach(row -> ours.text(row.ours));
  }

  private static void compare(int sameMin, List<Row> rows, PageShell theirs, PageShell ours) {
    assertThat(rows).filteredOn(Row::isSame).hasSizeGreaterThanOrEqualTo(sameMin);
    for (Row row : rows) {
      String expected = theirs.text(row.theirs);
      String found = ours.text(row.ours);
      if (row.isSame) {
        assertThat(found).as(row.ours).isEqualTo(expected);
      }
    }
  }

  private static List<Row> rows(String library) {
    int start = PAGE.indexOf("## " + library + "\n");
    int end = PAGE.indexOf("\n## ", start + 1);
    return ROW.matcher(PAGE.substring(start, end < 0 ? PAGE.length() : end))
        .results()
        .map(row -> new Row(row.group(1), row.group(2), row.group(3).startsWith("same")))
        .toList();
  }
}
