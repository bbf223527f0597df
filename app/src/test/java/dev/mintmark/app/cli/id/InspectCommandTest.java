package dev.mintmark.app.cli.id;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.cli.MintmarkCommand;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code mintmark inspect}: what it reads, and what it says of the rest. */
class InspectCommandTest {
  private static final String ULID = "01FZG96YPZK4SANAG1ZM5T2K9Z";

  private record Outcome(int status, String out, String err) {}

  @Test
  void saysWhatIsWrongAndWhere() {
    Outcome outcome = run("", "01FZG96YPZK4SANAG1ZM5T2K9U");

    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                1,
                "",
                "mintmark: malformed ULID \"01FZG96YPZK4SANAG1ZM5T2K9U\": character 25, 'U', is not"
                    + " Crockford base 32\n"));
  }

  @Test
  void readsLinesOfStdinAndOfAnArgument() {
    Outcome lines = run(ULID + "\n\n\"" + ULID + "\",\r\n");

    assertThat(lines.status).isZero();
    assertThat(lines.out.split("ulid  2022-03-31T15:23:55.999Z", -1)).hasSize(3);
    assertThat(run("", ULID + "\n" + ULID).out.split("ulid  2022", -1)).hasSize(3);
  }

  @Test
  void doesNotWaitForAPersonToType() {
    System.setProperty("mintmark.stdin-is-terminal", "true");
    try {
      Outcome outcome = run(ULID);

      assertThat(outcome.status).isEqualTo(2);
      assertThat(outcome.err)
          .startsWith("inspect: expected an identifier, or identifiers on stdin");
    } finally {
      System.clearProperty("mintmark.stdin-is-terminal");
    }
  }

  @Test
  void anIdentifierThatBeginsWithAHyphenFollowsTwo() {
    String nanoId = "-cbCNtBp0oWelzil4rxl2";

    assertThat(run("", nanoId).err)
        .contains(
            "An identifier that begins with - is read after --: mintmark inspect -- " + nanoId);
    assertThat(run("", "--", nanoId).out).startsWith("nanoid\n");
    assertThat(run(nanoId).out).startsWith("nanoid\n");
  }

  @Test
  void readsCompactPurisOfTheCatalog(@TempDir Path directory) throws Exception {
    Path catalog = directory.resolve("mintmark.yaml");
    Files.writeString(
        catalog,
        """
        namespace: shop
        code: s
        collections:
          bills: { kind: sequence, prefix: PM, code: p }
        """);

    Outcome outcome = run("", "--catalog", catalog.toString(), "s.p.12");

    assertThat(outcome.out).startsWith("puri\n").contains("shop:bills:PM12");
    assertThat(run("", "s.p.12").status).isEqualTo(1);
  }

  @Test
  void readsFormatsOfTheCatalogAsThePageShows(@TempDir Path directory) throws Exception {
    String page = Files.readString(Path.of("..", "docs", "formats.md"));
    Path catalog = directory.resolve("mintmark.yaml");
    Files.writeString(catalog, block(page, "```yaml\n"));
    String shown = block(page, "```console\n$ mintmark inspect 485599740419919879\n");

    Outcome outcome =
        run(
            "",
            "--catalog",
            catalog.toString(),
            "485599740419919879",
            "SO-0123456789ab",
            "fl_19k6RUSR88F");

    assertThat(outcome.status).isZero();
    assertThat(outcome.out).startsWith(shown.substring(0, shown.indexOf("  ...")));
    assertThat(outcome.out)
        .contains("\nshop-order\n  text         bits   0-119 chars  0-14  ")
        .contains("\nacme-flake  2024-01-01T00:00:00.123Z\n")
        .contains("  shard        bits  41-53  chars  3-13  5  number of the node");
    assertThat(run("", "SO-0123456789ab").status).isEqualTo(1);
  }

  @Test
  void malformedFormatIsReportedWithItsLine(@TempDir Path directory) throws Exception {
    Path catalog = directory.resolve("mintmark.yaml");
    Files.writeString(catalog, "namespace: shop\nformats:\n  codes: { text: \"(a+)+\" }\n");

    Outcome outcome = run("", "--catalog", catalog.toString(), ULID);

    assertThat(outcome.status).isEqualTo(2);
    assertThat(outcome.err)
        .contains(
            catalog
                + ":3: \"text\" in format \"codes\": malformed pattern \"(a+)+\": character 0, \"(\":"
                + " groups and alternatives are not supported");
  }

  @Test
  void jsonHasTheNearestMiss() {
    assertThat(run("", "--json", "nonsense").out).contains("\"nearest_miss\"");
  }

  @Test
  void aLineThatIsNotUtf8HasNoReading() {
    byte[] lines = "shop:cuts:M\u00fcller\n123\n".getBytes(StandardCharsets.ISO_8859_1);

    Outcome outcome = run(lines, "--json");

    assertThat(outcome.status).isEqualTo(1);
    assertThat(outcome.err)
        .isEqualTo(
            "mintmark: malformed identifier \"shop:cuts:M\ufffdller\": not UTF-8: byte 11 is 0xFC\n");
    assertThat(outcome.out).containsOnlyOnce("\"readings\" : [ ]").contains("\"input\" : \"123\"");
  }

  /** The lines of a page after a line, to the end of the block. */
  private static String block(String page, String start) {
    int from = page.indexOf(start) + start.length();
    return page.substring(from, page.indexOf("```", from));
  }

  private static Outcome run(String stdin, String... arguments) {
    return run(stdin.getBytes(StandardCharsets.UTF_8), arguments);
  }

  private static Outcome run(byte[] stdin, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(stdin));
    try {
      CommandLine commandLine =
          MintmarkCommand.commandLine(OutputStream.nullOutputStream(), "inspect");
      commandLine.setOut(new PrintWriter(out));
      commandLine.setErr(new PrintWriter(err));
      String[] all = new String[arguments.length + 1];
      all[0] = "inspect";
      System.arraycopy(arguments, 0, all, 1, arguments.length);
      int status = commandLine.execute(all);
      return new Outcome(status, out.toString(), err.toString());
    } finally {
      System.setIn(before);
    }
  }
}
