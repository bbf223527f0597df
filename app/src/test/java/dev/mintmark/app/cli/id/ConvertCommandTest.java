package dev.mintmark.app.cli.id;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.cli.MintmarkCommand;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** {@code mintmark convert} from file to file. */
class ConvertCommandTest {
  private static final String UUID = "017fe093-7adf-7932-aaaa-01fd0ba14d3f";
  private static final String TEXT = "01FZG96YPZF4SANAG1ZM5T2K9Z";

  @TempDir Path directory;

  private Path input;
  private Path output;
  private Path rejects;

  private record Outcome(int status, String out, String err) {}

  @BeforeEach
  void nameFiles() {
    input = directory.resolve("in.csv");
    output = directory.resolve("out.csv");
    rejects = directory.resolve("rejects.csv");
  }

  @Test
  void readsAFileAndWritesAnother() throws IOException {
    Files.writeString(input, UUID + "\r\n" + UUID);

    Outcome outcome = run("--output", output.toString());

    assertThat(outcome).isEqualTo(new Outcome(0, "", ""));
    assertThat(output).hasContent(TEXT + "\r\n" + TEXT);
    assertThat(files()).containsExactly("in.csv", "out.csv");
  }

  @Test
  void convertsColumnsOfCsv() throws IOException {
    Files.writeString(input, "n|id|other\n\"a|b\"|" + UUID + "|\\N\n");
    String csv = "--csv --delimiter | --null \\N --column id --column other";

    assertThat(run(csv).out).isEqualTo("n|id|other\n\"a|b\"|" + TEXT + "|\\N\n");
    assertThat(run(csv + " --beside _text").out)
        .startsWith("n|id|id_text|other|other_text\n\"a|b\"|" + UUID + "|" + TEXT + "|\\N|\\N\n");
    Files.writeString(input, UUID + "\t2\n");
    assertThat(run("--csv --no-header --column 1 --delimiter tab").out).isEqualTo(TEXT + "\t2\n");
    assertThat(run("--csv --no-header --column 1 --delimiter \\t").out).isEqualTo(TEXT + "\t2\n");
  }

  @Test
  void theOutputMayBeTheInput() throws IOException {
    Files.writeString(input, "id\n" + UUID + "\n");
    Files.setPosixFilePermissions(input, PosixFilePermissions.fromString("rw-r-----"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), input);

    assertThat(run("--csv --column id --output " + link).status).isZero();

    assertThat(input).hasContent("id\n" + TEXT + "\n");
    assertThat(link).isSymbolicLink();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(input)))
        .isEqualTo("rw-r-----");
  }

  @Test
  void whatIsRejectedIsKeptAside() throws IOException {
    Files.writeString(input, "id,n\nbad,1\n%s,2\n3\n".formatted(UUID));

    Outcome outcome = run("--csv --column id --output " + output + " --rejects " + rejects);

    assertThat(outcome.status).isEqualTo(1);
    assertThat(outcome.err).isEqualTo("2 of 3 rows rejected and written to " + rejects + "\n");
    assertThat(output).hasContent("id,n\n" + TEXT + ",2\n");
    assertThat(Files.readAllLines(rejects)).hasSize(3).first().isEqualTo("line,reason,id,n");
  }

  @Test
  void rejectsOfAnEarlierRunGoWithTheNextThatHasNone() throws IOException {
    Files.writeString(input, UUID);
    Files.writeString(rejects, "of yesterday");

    Outcome outcome = run("--rejects " + rejects);

    assertThat(outcome).isEqualTo(new Outcome(0, TEXT, ""));
    assertThat(rejects).doesNotExist();
  }

  /** As root, {@code --rejects /dev/null} would take away a device that everybody needs. */
  @ParameterizedTest
  @ValueSource(strings = {"", "bad\n"})
  @EnabledOnOs(OS.LINUX)
  void whatIsNoFileStaysWhetherThereAreRejectsOrNot(String line) throws IOException {
    Files.writeString(input, line + UUID + "\n");
    Path device = Files.createSymbolicLink(rejects, Path.of("/dev/null"));

    Outcome outcome = run("--output " + output + " --rejects " + device);

    assertThat(outcome.status).as(outcome.err).isEqualTo(line.isEmpty() ? 0 : 1);
    assertThat(output).hasContent(TEXT);
    assertThat(device).isSymbolicLink();
  }

  /** Where it replaces the input, what was rejected would be nowhere. */
  @Test
  void theOutputWaitsForTheRejects() throws IOException {
    Files.writeString(output, "of yesterday");
    InputStream stdin = System.in;
    System.setIn(
        new ByteArrayInputStream(("bad\n" + UUID).getBytes(StandardCharsets.UTF_8)) {
          @Override
          public synchronized int read(byte[] bytes, int from, int count) {
            int read = super.read(bytes, from, count);
            if (read < 0) {
              takeThePlaceOfRejects();
            }
            return read;
          }
        });
    try {
      Outcome outcome = runAsGiven("--output " + output + " --rejects " + rejects);

      assertThat(outcome.status).isEqualTo(3);
      assertThat(outcome.err).startsWith("mintmark: rejects " + rejects + ": ");
    } finally {
      System.setIn(stdin);
    }
    assertThat(output).hasContent("of yesterday");
    assertThat(files()).containsExactly("out.csv", "rejects.csv");
  }

  /** A directory that is not empty is replaced by no file. */
  private void takeThePlaceOfRejects() {
    try {
      Files.createDirectories(rejects.resolve("full"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void withoutAPlaceForRejectsTheyAreToldAndLeaveNothing() throws IOException {
    Files.writeString(input, "id,n\nbad,1\n%s,2\n".formatted(UUID));

    Outcome outcome = run("--csv --column id");

    assertThat(outcome.status).isEqualTo(1);
    assertThat(outcome.out).isEqualTo("id,n\n,1\n" + TEXT + ",2\n");
    assertThat(outcome.err).startsWith("line 2: column \"id\": malformed identifier \"bad\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--stop-on-error", ""})
  void whatIsNotCompleteTakesNoPlace(String option) throws IOException {
    Files.writeString(input, "id,n\n%s,1\n%s\n".formatted(UUID, option.isEmpty() ? "2" : "x,2"));
    Files.writeString(output, "of yesterday");

    Outcome outcome = run("--csv --column id --output " + output + " " + option);

    assertThat(outcome.status).isEqualTo(1);
    assertThat(outcome.err)
        .contains(
            option.isEmpty()
                ? "mintmark: input %s: line 3: it has 1 field: the header has 2: use --rejects FILE to omit it"
                    .formatted(input)
                : "mintmark: nothing was written to " + output);
    assertThat(output).hasContent("of yesterday");
    assertThat(files()).containsExactly("in.csv", "out.csv");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFullDiskIsStatusThree() throws IOException {
    Files.writeString(input, UUID);

    Outcome outcome = run("--output /dev/full");

    assertThat(outcome.status).isEqualTo(3);
    assertThat(outcome.err).isEqualTo("mintmark: output /dev/full: No space left on device\n");
  }

  @Test
  void aReaderOfStdoutThatEndsNeedsNoMore() throws IOException {
    Files.writeString(input, UUID);
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    CommandLine command = MintmarkCommand.commandLine(closed, "convert");

    assertThat(command.execute("convert", "--to", "text", "--input", input.toString())).isZero();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void rejectsWhoseReaderEndsAreStatusThree() throws Exception {
    Files.writeString(input, "bad\n".repeat(10_000)); // More rejects than a pipe holds.
    assertThat(new ProcessBuilder("mkfifo", rejects.toString()).start().waitFor()).isZero();
    Process reader = new ProcessBuilder("head", "-c", "1", rejects.toString()).start();

    Outcome outcome = run("--rejects " + rejects);

    assertThat(reader.waitFor()).isZero();
    assertThat(outcome.status).isEqualTo(3);
    assertThat(outcome.err).isEqualTo("mintmark: rejects " + rejects + ": Broken pipe\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--column id               | --column requires --csv",
        "--beside _text            | --beside requires --csv",
        "--no-header               | --no-header requires --csv",
        "--delimiter ;             | --delimiter requires --csv",
        "--null NULL               | --null requires --csv",
        "--csv                     | --csv requires --column NAME, the column to convert",
        "--csv --column 1 --delimiter ab   | --delimiter \"ab\": expected one character, or tab",
        "--csv --column id --no-header | column \"id\": expected a number from 1 to 10,000, because there is no header",
        "--csv --column nowhere    | there is no column \"nowhere\": the header has \"id\"",
        "--stop-on-error --rejects a | --stop-on-error and --rejects cannot be combined",
        "--rejects -               | --rejects -: expected a file",
        "--output a --rejects a    | --rejects a is the input or the output: expected another file",
        "--output a ID             | identifiers on the command line cannot be combined with --csv, --input, --output and --rejects",
      })
  void whatDoesNotGoTogetherIsRefused(String options, String message) throws IOException {
    Files.writeString(input, "id\n");

    Outcome outcome = options.contains("--input") ? runAsGiven(options) : run(options);

    assertThat(outcome).isEqualTo(new Outcome(2, "", "mintmark: " + message + "\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--input nowhere.txt       | input nowhere.txt: no such file",
        "--input /                 | input /: is a directory: expected a file",
        "--output /                | output /: is a directory: expected a file",
        "--output /nowhere/a       | output /nowhere/a: no such directory: /nowhere",
        "--rejects /nowhere/a      | rejects /nowhere/a: no such directory: /nowhere",
      })
  void aFileThatCannotBeReadOrWrittenIsStatusThree(String options, String message)
      throws IOException {
    Files.writeString(input, "id\n");

    Outcome outcome = options.contains("--input") ? runAsGiven(options) : run(options);

    assertThat(outcome).isEqualTo(new Outcome(3, "", "mintmark: " + message + "\n"));
  }

  @Test
  void gzipIsReadAsItIs() throws IOException {
    try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(input))) {
      gzip.write((UUID + "\n" + UUID + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    assertThat(run()).isEqualTo(new Outcome(0, TEXT + "\n" + TEXT + "\n", ""));
    assertThat(run("--output " + input).err)
        .isEqualTo(
            ("mintmark: input %s: is gzip, and the output would not be: choose another --output, or"
                    + " a name with .gz\n")
                .formatted(input));
  }

  @Test
  void gzipIsWrittenIfTheNameOfTheFileSaysSo() throws IOException {
    Files.writeString(input, UUID + "\nbad\n");
    Path output = input.resolveSibling("converted.gz");
    Path rejects = input.resolveSibling("rejects.csv.gz");

    Outcome outcome = run("--output %s --rejects %s".formatted(output, rejects));
    Outcome inPlace = runAsGiven("--input %1$s --output %1$s".formatted(output));

    assertThat(outcome.status).isEqualTo(1);
    assertThat(decompressed(rejects)).startsWith("line,reason,").endsWith(",bad\n");
    assertThat(inPlace.status).as(inPlace.err).isZero();
    assertThat(decompressed(output)).isEqualTo(TEXT + "\n");
  }

  private static String decompressed(Path file) throws IOException {
    try (InputStream gzip = new GZIPInputStream(Files.newInputStream(file))) {
      return new String(gzip.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void brokenGzipIsStatusThree() throws IOException {
    Files.write(input, new byte[] {0x1F, (byte) 0x8B, 8, 0, 0, 0});

    Outcome outcome = run();

    assertThat(outcome.status).isEqualTo(3);
    assertThat(outcome.err).startsWith("mintmark: input " + input + ": ");
  }

  @ParameterizedTest
  @CsvSource({"UTF-16, UTF-16", "UTF-16LE, UTF-16", "UTF-16BE, UTF-16"})
  void utf16IsNamedWithItsRemedy(String charset, String name) throws IOException {
    Files.writeString(input, "id\n" + UUID + "\n", Charset.forName(charset));

    assertThat(run("--csv --column id"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                ("mintmark: input %s: is %s: expected UTF-8: iconv -f UTF-16 -t UTF-8 FILE"
                        + " | mintmark convert ...\n")
                    .formatted(input, name)));
  }

  @Test
  void otherCompressionIsNamedWithItsRemedy() throws IOException {
    Files.write(input, new byte[] {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0, 0});

    assertThat(run().err)
        .isEqualTo(
            "mintmark: input %s: is Zstandard: expected text: zstd -dc FILE | mintmark convert ...\n"
                .formatted(input));
  }

  @Test
  void spacesAroundAnIdentifierAreIgnored() throws IOException {
    Files.writeString(input, "  " + UUID + "\t\n");

    assertThat(run()).isEqualTo(new Outcome(0, TEXT + "\n", ""));
  }

  /** One ULID in eight that is kept as a UUID looks like some version of a UUID. */
  @Test
  void timesSayWhatIdentifiersWereReadAs() throws IOException {
    String ulid = "017fe093-7adf-9932-aaaa-01fd0ba14d3f";
    String v4 = "017fe093-7adf-4932-aaaa-01fd0ba14d3f";
    String csv = "id,n\n%s,1\n\"%s\",2\n%s,3\n".formatted(ulid, ulid, v4);
    Files.writeString(input, csv);
    String options = "--to time --input " + input + " --csv --column id";

    Outcome ranked = runAsGiven(options);
    Outcome declared = runAsGiven(options + " --from ulid");

    assertThat(ranked)
        .isEqualTo(
            new Outcome(
                1,
                "id,n\n2022-03-31T15:23:55.999Z,1\n2022-03-31T15:23:55.999Z,2\n,3\n",
                """
                line 4: column "id": no time in "%s": it is read as uuidv4
                mintmark: identifiers were read as different kinds: 2 as ulid, 1 as uuidv4; \
                --from KIND reads all as one
                """
                    .formatted(v4)));
    assertThat(declared)
        .isEqualTo(
            new Outcome(
                0, csv.replaceAll("\"?017fe[-0-9a-f]*\"?", "2022-03-31T15:23:55.999Z"), ""));
  }

  @Test
  void aCollectionOfUlidsKeepsItsTimes() throws IOException {
    Path catalog = directory.resolve("mintmark.yaml");
    Files.writeString(
        catalog,
        """
        namespace: soundcloud
        collections:
          tracks: { kind: ulid }
          bills: { kind: sequence, prefix: PM }
        """);
    String v4 = "017fe093-7adf-4932-aaaa-01fd0ba14d3f";
    String options = "--to time --catalog " + catalog + " ";

    assertThat(runAsGiven(options + "--collection tracks " + v4).out)
        .isEqualTo("2022-03-31T15:23:55.999Z\n");
    assertThat(runAsGiven(options + "soundcloud:tracks:" + v4).out)
        .isEqualTo("2022-03-31T15:23:55.999Z\n");
    assertThat(runAsGiven(options + "--collection bills PM12").err)
        .isEqualTo("line 1: no time in \"PM12\": it is read as sequence\n");
    assertThat(runAsGiven(options + v4).err)
        .isEqualTo("line 1: no time in \"%s\": it is read as uuidv4\n".formatted(v4));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tracks", "cars", "users", "things"})
  void aStreamAndAnArgumentHaveTheSamePuri(String collection) throws IOException {
    Path catalog = directory.resolve("mintmark.yaml");
    Files.writeString(
        catalog,
        """
        namespace: soundcloud
        collections:
          tracks: { kind: ulid }
          cars:   { kind: uuidv7 }
          users:  { kind: typeid, prefix: user }
          things: { kind: typeid }
        """);
    Files.writeString(input, UUID + "\n");
    String options = "--to puri --collection " + collection + " --catalog " + catalog;

    Outcome outcome = runAsGiven(options + " --input " + input);

    assertThat(outcome.status).as(outcome.err).isZero();
    assertThat(outcome.out).startsWith("soundcloud:" + collection + ":");
    assertThat(outcome.out).isEqualTo(runAsGiven(options + " " + UUID).out);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private Outcome run(String... options) {
    return runAsGiven("--to text --input " + input + " " + String.join(" ", options));
  }

  private static Outcome runAsGiven(String options) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    ByteArrayOutputStream bytesOut = new ByteArrayOutputStream();
    CommandLine commandLine = MintmarkCommand.commandLine(bytesOut, "convert");
    commandLine.setOut(new PrintWriter(out));
    commandLine.setErr(new PrintWriter(err));
    String to = options.contains("--to ") ? "convert " : "convert --to text ";
    int status = commandLine.execute((to + options).strip().split(" +"));
    return new Outcome(status, out + bytesOut.toString(StandardCharsets.UTF_8), err.toString());
  }
}
