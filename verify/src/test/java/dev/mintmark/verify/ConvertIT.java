package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Ulid;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.verify.Mintmark.Outcome;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code mintmark convert} as a process: its memory, its end by force, its page. */
class ConvertIT {
  private static final int ROWS = 1_000_000;

  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private static final String UUID = "017fe093-7adf-7932-aaaa-01fd0ba14d3f";

  @TempDir static Path shared;

  @TempDir Path directory;

  private Mintmark mintmark;

  @BeforeAll
  static void write() throws IOException {
    Random random = new Random(1);
    try (BufferedWriter lines = Files.newBufferedWriter(shared.resolve("lines.txt"));
        BufferedWriter csv = Files.newBufferedWriter(shared.resolve("rows.csv"))) {
      csv.write("n,id,note\n");
      for (int i = 0; i < ROWS; i++) {
        String uuid = Ulid.of(random.nextLong(), random.nextLong()).toUuid().toString();
        lines.write(uuid + "\n");
        csv.write(i + "," + uuid + ",\"a, b\"\n");
      }
    }
  }

  @BeforeEach
  void prepare() {
    mintmark = Mintmark.in(directory);
  }

  @Test
  void aQuarterOfTheHeapIsEnoughForFilesThatAreLarger() throws IOException {
    Mintmark small = mintmark.with("MINTMARK_JAVA_OPTS", "-Xmx16m -Djava.io.tmpdir=" + directory);

    Outcome lines = small.run(command("--input", shared.resolve("lines.txt"), "--output", "lines"));
    Outcome csv =
        small.run(
            command(
                "--csv",
                "--column",
                "id",
                "--input",
                shared.resolve("rows.csv"),
                "--output",
                "csv"));

    assertThat(lines.status()).as(lines.err()).isZero();
    assertThat(csv.status()).as(csv.err()).isZero();
    assertThat(directory.resolve("lines")).hasSize(ROWS * 27L);
    assertThat(directory.resolve("csv"))
        .hasSize(Files.size(shared.resolve("rows.csv")) - ROWS * 10L);
  }

  /** Output of four times the input, and a reject in most lines: the most that threads gather. */
  @ParameterizedTest
  @ValueSource(strings = {"--to bin", "--from uuid --to time --rejects rejects.csv"})
  @Tag("long")
  void theHeapOfTheLauncherIsEnoughForEightProcessors(String options) {
    String command =
        ("{ head -n 200000 %s > in; \"$0\" convert %s --input in --output out.gz 2> err;"
                + " zcat out.gz; cat err rejects.csv; } 2>&1 | cksum")
            .formatted(shared.resolve("lines.txt"), options);

    Mintmark one = mintmark.with("MINTMARK_JAVA_OPTS", "-XX:ActiveProcessorCount=1");
    Mintmark eight = mintmark.with("MINTMARK_JAVA_OPTS", "-XX:ActiveProcessorCount=8");

    assertThat(eight.shell(command).out()).isEqualTo(one.shell(command).out());
  }

  /**
   * One ULID in eight has the version and variant of a UUID, whose time would be another or none.
   */
  @Test
  void everyUlidThatIsDeclaredKeepsItsTime() throws IOException {
    Path input = shared.resolve("lines.txt");

    Outcome lines =
        mintmark.run(
            "convert",
            "--from",
            "ulid",
            "--to",
            "time",
            "--input",
            "" + input,
            "--output",
            "times");
    Outcome csv =
        mintmark.run(
            "convert --from ulid --to time --csv --column id --input %s --output times.csv"
                .formatted(shared.resolve("rows.csv"))
                .split(" ", -1));

    assertThat(lines.status()).as(lines.err()).isZero();
    assertThat(csv.status()).as(csv.err()).isZero();
    try (BufferedReader ids = Files.newBufferedReader(input);
        BufferedReader times = Files.newBufferedReader(directory.resolve("times"));
        BufferedReader records = Files.newBufferedReader(directory.resolve("times.csv"))) {
      assertThat(records.readLine()).isEqualTo("n,id,note");
      for (int i = 0; i < ROWS; i++) {
        String id = ids.readLine();
        long millis = Long.parseLong(id.substring(0, 8) + id.substring(9, 13), 16);
        String time = TIME.format(Instant.ofEpochMilli(millis));
        assertThat(times.readLine()).as("%s", id).isEqualTo(time);
        assertThat(records.readLine()).as("%s", id).isEqualTo(i + "," + time + ",\"a, b\"");
      }
    }
  }

  @Test
  void theLongestRecordFitsIntoTheHeapOfTheLauncher() throws IOException {
    String long16 = "\"" + "x".repeat((1 << 24) - 41) + "\",";
    Path input = directory.resolve("long.csv");
    Files.writeString(input, "note,id\n" + long16 + UUID + "\n" + long16 + "bad\n");

    Mintmark eight = mintmark.with("MINTMARK_JAVA_OPTS", "-XX:ActiveProcessorCount=8");
    Outcome outcome =
        eight.run(
            command(
                "--csv", "--column", "id", "--input", input, "--output", "o", "--rejects", "r"));

    assertThat(outcome.err()).isEqualTo("1 of 2 rows rejected and written to r\n");
    assertThat(directory.resolve("o")).hasSize(8 + long16.length() + 27);
    assertThat(directory.resolve("r")).content().endsWith("bad\n");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void endedInTheMiddleItLeavesTheFileOfBefore(boolean killed) throws Exception {
    Path output = directory.resolve("out.txt");
    Files.writeString(output, "of yesterday");
    Process process =
        new ProcessBuilder(
                Checkout.launcher().toString(),
                "convert",
                "--to",
                "text",
                "--output",
                output.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (OutputStream stdin = process.getOutputStream()) {
      byte[] lines = (UUID + "\n").repeat(10_000).getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < 3; i++) {
        stdin.write(lines);
      }
      stdin.flush();
      Eventually.present(
          Patience.MAX,
          () -> parts().stream().filter(part -> part.toFile().length() > 0).findFirst());

      if (killed) {
        process.destroyForcibly();
      } else {
        // Process.destroy would end its input too, which is an end like any other.
        process.toHandle().destroy();
      }
      assertThat(process.waitFor()).isNotZero();
    }

    assertThat(output).hasContent("of yesterday");
    assertThat(parts()).hasSize(killed ? 1 : 0);
  }

  @Test
  void aPipeThatTheShellOpenedIsWrittenAsItIs() {
    String command = "printf 'bad\\n%s\\n' | \"$0\" convert --to text".formatted(UUID);

    assertThat(mintmark.shell(command + " --rejects rejects --output /dev/stdout | cat").out())
        .isEqualTo("01FZG96YPZF4SANAG1ZM5T2K9Z\n");
    assertThat(mintmark.shell(command + " --output /dev/stdout 2>&1 > kept || cat kept").out())
        .isEqualTo(
            "mintmark: output /dev/stdout: is a file that the shell has opened: expected the name of the file\n");
  }

  @Test
  void whatCannotBeWrittenToStdoutIsStatusThree() {
    for (String command : List.of("udf bigquery", "convert --to text " + UUID)) {
      assertThat(mintmark.shell("\"$0\" " + command + " 2>&1 > /dev/full || echo $?").out())
          .as(command)
          .endsWith("mintmark: stdout: No space left on device\n3\n");
    }
  }

  @Test
  void messagesHaveTheDigitsOfEnglishEverywhere() {
    Outcome outcome =
        mintmark
            .with("MINTMARK_JAVA_OPTS", "-Duser.language=ar -Duser.country=EG")
            .shell("echo bad | \"$0\" convert --to text --rejects rejects 2>&1 || true");

    assertThat(outcome.out()).isEqualTo("1 of 1 rows rejected and written to rejects\n");
  }

  /** The commands of the page, one after the other in one directory, print what is shown. */
  @Test
  @Tag("long")
  void thePageIsAsItRuns() {
    List<ShownCommand> commands = ShownCommand.of(new Page("docs/convert.md"));

    assertThat(commands).hasSizeGreaterThan(5);
    for (ShownCommand command : commands) {
      assertThat(mintmark.shell("{ " + command.line() + "; } 2>&1 || true").out())
          .as(command.line())
          .isEqualTo(command.output());
    }
  }

  private List<Path> parts() {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.getFileName().toString().endsWith(".part")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String[] command(Object... options) {
    return Stream.concat(
            Stream.of("convert", "--to", "text"), Stream.of(options).map(Object::toString))
        .toArray(String[]::new);
  }
}
