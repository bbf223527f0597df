package dev.mintmark.warehouse.convert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import de.siegmar.fastcsv.reader.CsvReader;
import dev.mintmark.Form;
import dev.mintmark.IdReader;
import dev.mintmark.Transcoder;
import dev.mintmark.Ulid;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvConversionTest {
  private static final String UUID = "017fe093-7adf-9932-aaaa-01fd0ba14d3f";
  private static final String TEXT = "01FZG96YPZK4SANAG1ZM5T2K9Z";
  private static final Transcoder TO_TEXT = Transcoder.to(Form.TEXT);
  private static final CsvConversion OF_ID = CsvConversion.of(TO_TEXT, List.of("id")).build();

  /** Builds a random table and its expected output together. */
  @Property(tries = 500)
  @Tag("slow")
  void chosenColumnsAreConvertedAndEverythingElsePassesThrough(
      @ForAll long seed,
      @ForAll @IntRange(min = 3, max = 200) int sliceSize,
      @ForAll @IntRange(min = 1, max = 4) int threads) {
    Slicing slicing = new Slicing(sliceSize, threads);
    Random random = new Random(seed);
    int columns = 1 + random.nextInt(5);
    List<Integer> chosen =
        IntStream.range(0, columns).filter(i -> i == 0 || random.nextInt(3) == 0).boxed().toList();
    boolean header = random.nextBoolean();
    boolean beside = random.nextBoolean();
    boolean aside = random.nextBoolean();
    String delimiter = List.of(",", "\t", ";", "|", "-", ":").get(random.nextInt(6));
    boolean dashes = delimiter.equals("-");
    Transcoder transcoder =
        dashes || random.nextBoolean()
            ? Transcoder.to(Form.TEXT)
            : Transcoder.of(IdReader.parse("ulid"), Form.TIME);

    StringBuilder input = new StringBuilder(random.nextInt(4) == 0 ? "\uFEFF" : "");
    StringBuilder expected = new StringBuilder(input);
    StringBuilder kept = new StringBuilder();
    List<String> names = IntStream.range(0, columns).mapToObj(i -> "c" + i).toList();
    if (header) {
      String end = random.nextBoolean() ? "\n" : "\r\n";
      input.append(String.join(delimiter, names)).append(end);
      expected
          .append(
              String.join(
                  delimiter,
                  IntStream.range(0, columns)
                      .mapToObj(
                          i ->
                              beside && chosen.contains(i)
                                  ? names.get(i) + delimiter + names.get(i) + "_x"
                                  : names.get(i))
                      .toList()))
          .append(end);
      kept.append(String.join(delimiter, names)).append(end);
    }
    int rejected = 0;
    int rows = random.nextInt(15);
    StringBuilder keptRows = new StringBuilder();
    for (int row = 0; row < rows; row++) {
      StringBuilder before = new StringBuilder();
      StringBuilder after = new StringBuilder();
      boolean bad = false;
      for (int i = 0; i < columns; i++) {
        if (i > 0) {
          before.append(delimiter);
          after.append(delimiter);
        }
        if (!chosen.contains(i)) {
          String raw = raw(random, delimiter);
          before.append(raw);
          after.append(raw);
          continue;
        }
        Ulid id = Ulid.of(random.nextLong(), random.nextLong());
        String content =
            switch (random.nextInt(6)) {
              case 0 ->
                  row == 0 ? id.toString() : ""; // An empty first line does not have the columns.
              case 1 -> "\\N";
              case 2 -> "bad";
              default -> (random.nextBoolean() || dashes ? Form.TEXT : Form.UUID).write(id);
            };
        boolean isNull = content.isEmpty() || content.equals("\\N");
        String raw = random.nextBoolean() ? content : quoted(content);
        before.append(raw);
        if (beside) {
          after.append(raw).append(delimiter);
        }
        if (isNull) {
          after.append(raw);
        } else if (content.equals("bad")) {
          bad = true;
        } else {
          String written = written(transcoder, content);
          after.append(written.contains(delimiter) ? quoted(written) : written);
        }
      }
      String end =
          row == rows - 1 && before.length() > 0 && random.nextBoolean()
              ? ""
              : random.nextBoolean() ? "\n" : "\r\n";
      boolean isLineOfNothing = before.length() == 0;
      assertThat(isLineOfNothing && columns > 1).isFalse();
      input.append(before).append(end);
      if (bad) {
        rejected++;
      }
      if (bad && aside) {
        keptRows.append(before).append(end.isEmpty() ? "\n" : end);
      } else {
        expected.append(after).append(end);
      }
    }

    CsvConversion.Builder builder =
        CsvConversion.of(
                transcoder, chosen.stream().map(i -> header ? names.get(i) : "" + (i + 1)).toList())
            .delimiter(delimiter.charAt(0))
            .nullText("\\N");
    if (!header) {
      builder.withoutHeader();
    }
    if (beside) {
      builder.beside("_x");
    }
    Run run = Run.of(builder.build().with(slicing), Run.inPieces(input.toString(), random), aside);

    assertThat(run.output()).isEqualTo(expected.toString());
    assertThat(run.outcome())
        .isEqualTo(new Conversion.Outcome(rows, rejected, false, run.outcome().readings()));
    assertThat(run.reported().isEmpty()).isEqualTo(aside || rejected == 0);
    if (aside && rejected > 0) {
      String keptHeader = header ? "line%sreason%s".formatted(delimiter, delimiter) + kept : "";
      assertThat(run.kept()).startsWith(keptHeader);
      assertThat(withoutLineAndReason(run.kept(), delimiter, keptHeader.length()))
          .isEqualTo(parsed(keptRows.toString(), delimiter));
    }
    // An independent parser reads the right number of fields in each row.
    int fields = columns + (beside ? chosen.size() : 0);
    assertThat(parsed(run.output(), delimiter))
        .allSatisfy(record -> assertThat(record).hasSize(fields));
  }

  /**
   * With the delimiter {@code #}, no record is converted as a plain record. Text between two of
   * them is no identifier, unlike with {@code :}, which are a pURI.
   */
  @Tag("long")
  @Property(tries = 1_000)
  void plainRecordsBecomeWhatTheyDoTheLongWay(
      @ForAll long seed,
      @ForAll @IntRange(min = 3, max = 400) int sliceSize,
      @ForAll @IntRange(min = 1, max = 4) int threads) {
    Slicing slicing = new Slicing(sliceSize, threads);
    Random random = new Random(seed);
    List<String> pieces =
        List.of(
            "\"", "\"\"", "-", "\u000b", "+", "\r", "\r\n", "\n", "\n", "#", "#", "#", "N", "a");
    StringBuilder records = new StringBuilder();
    for (int i = random.nextInt(60); i > 0; i--) {
      int kind = random.nextInt(8);
      if (kind < 5) {
        Ulid id = Ulid.of(random.nextLong(), random.nextLong());
        String made = random.nextBoolean() ? TEXT : "x".repeat(random.nextInt(20));
        records.append(random.nextInt(1000)).append('#').append(Form.UUID.write(id));
        records.append('#').append(made).append(random.nextBoolean() ? "\n" : "\r\n");
      } else {
        random
            .ints(random.nextInt(8), 0, pieces.size())
            .forEach(piece -> records.append(pieces.get(piece)));
      }
    }
    boolean beside = random.nextBoolean();
    List<String> columns = random.nextBoolean() ? List.of("id") : List.of("id", "made");

    for (boolean aside : List.of(true, false)) {
      String plain =
          result(columns, ',', beside, aside, records.toString().replace('#', ','), slicing);
      String longWay = result(columns, '#', beside, aside, records.toString(), slicing);

      assertThat(plain).isEqualTo(longWay);
    }
  }

  /** Otherwise a program that writes a record and waits for its result would wait forever. */
  @Test
  void whatWasReadIsWrittenBeforeMoreIsWaitedFor() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Dialogue asking = new Dialogue(out, "id,n\n", UUID + ",1\n", UUID + ",2\n");

    OF_ID.convert(asking, out, new Rejects.InPlace(reject -> true));

    assertThat(asking.outputs())
        .endsWith("id,n\n" + TEXT + ",1\n", "id,n\n" + TEXT + ",1\n" + TEXT + ",2\n");
  }

  /**
   * Returns the result for some records, or the message of the error, with commas as delimiters.
   */
  private static String result(
      List<String> columns,
      char delimiter,
      boolean beside,
      boolean aside,
      String records,
      Slicing slicing) {
    CsvConversion.Builder builder =
        CsvConversion.of(TO_TEXT, columns).delimiter(delimiter).nullText("N");
    if (beside) {
      builder.beside("_x");
    }
    Random pieces = new Random(records.length());
    try {
      Run run =
          Run.of(
              builder.build().with(slicing),
              Run.inPieces("n,id,made\n".replace(',', delimiter) + records, pieces),
              aside);
      return (run.outcome() + run.output() + run.reported()).replace('#', ',');
    } catch (ConversionException e) {
      return String.valueOf(e.getMessage()).replace('#', ',');
    }
  }

  /** Returns a field, with its quotes, of a column that is not converted. */
  private static String raw(Random random, String delimiter) {
    List<String> pieces = List.of("a", "\"", delimiter, "\n", "\r\n", "é", " ", UUID, "\\N", "'");
    StringBuilder text = new StringBuilder("b");
    random.ints(random.nextInt(5), 0, pieces.size()).forEach(i -> text.append(pieces.get(i)));
    boolean needsQuotes = text.indexOf("\n") >= 0 || text.indexOf(delimiter) >= 0;
    return needsQuotes || random.nextBoolean() ? quoted(text.toString()) : text.toString();
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"") + '"';
  }

  private static String written(Transcoder transcoder, String id) {
    byte[] target = new byte[transcoder.lengthMax()];
    byte[] source = id.getBytes(StandardCharsets.UTF_8);
    int length = transcoder.transcode(source, 0, source.length, target, 0);
    return new String(target, 0, length, StandardCharsets.UTF_8);
  }

  private static List<List<String>> parsed(String csv, String delimiter) {
    List<List<String>> records = new ArrayList<>();
    CsvReader.builder()
        .fieldSeparator(delimiter.charAt(0))
        .skipEmptyLines(false)
        .detectBomHeader(false)
        .ofCsvRecord(csv.replaceFirst("^\uFEFF", ""))
        .forEach(record -> records.add(List.copyOf(record.getFields())));
    return records;
  }

  private static List<List<String>> withoutLineAndReason(String kept, String delimiter, int from) {
    return parsed(kept.substring(from), delimiter).stream()
        .map(record -> record.subList(2, record.size()))
        .toList();
  }

  @Test
  void quotedIdsAreReadAndWrittenPlain() {
    Run run = Run.inPlace(OF_ID, "n,id\n1,\"%s\"\n2,%s\n".formatted(UUID, UUID));

    assertThat(run.output()).isEqualTo("n,id\n1,%s\n2,%s\n".formatted(TEXT, TEXT));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17})
  void recordsMayBeginAnywhereInAWord(int length) {
    String input =
        "n,id,m\n-,%s,-\n\u000b-,%s,\n-,%s,-+\r\n\"-\",%s,1\n"
            .replace("-", "-" + "x".repeat(length));

    Run run = Run.inPlace(OF_ID, input.formatted(UUID, UUID, UUID, UUID));

    assertThat(run.output()).isEqualTo(input.formatted(TEXT, TEXT, TEXT, TEXT));
  }

  /** Slices of the field are converted as records. Their output must be discarded. */
  @Test
  void recordsWithinAFieldStayAsTheyAre() {
    String records = "1,%s,\n".formatted(UUID).repeat(20_000);
    String converted = records.replace(UUID, TEXT);
    String row = "%s1,%s,\"%s\"\n";
    String input = "n,id,m\n" + row.formatted(records, UUID, records).repeat(3);
    String output = "n,id,m\n" + row.formatted(converted, TEXT, records).repeat(3);

    for (int size = 1 << 11; size <= 1 << 20; size *= 2) {
      assertThat(Run.inPlace(OF_ID.with(new Slicing(size, 8)), input).output().equals(output))
          .as("slices of %,d bytes", size)
          .isTrue();
    }
  }

  @Test
  void whatStandsForNullMayBeLongerThanAnyIdentifier() {
    String nothing = "N".repeat(500);
    String nulls = "1,%s,%s\n".formatted(nothing, nothing).repeat(2_000);

    assertThat(
            Run.inPlace(
                    CsvConversion.of(TO_TEXT, List.of("id", "m"))
                        .beside("_x")
                        .nullText(nothing)
                        .build(),
                    "n,id,m\n" + nulls)
                .output())
        .isEqualTo("n,id,id_x,m,m_x\n" + nulls.replace(nothing, nothing + "," + nothing));
  }

  /** Otherwise each read of a few bytes would search the record from its start again. */
  @Test
  void endOfALongRecordIsNotLookedForEachTimeThatThereIsMore() throws IOException {
    String record = "1,%s,\"%s\"\n".formatted(UUID, "x".repeat(1 << 20));
    byte[] input = ("n,id,m\n" + record.repeat(3)).getBytes(UTF_8);
    List<Long> reads = new ArrayList<>();

    try (InputStream pieces =
        new ByteArrayInputStream(input) {
          @Override
          public synchronized int read(byte[] bytes, int from, int count) {
            return super.read(bytes, from, Math.min(count, 1 << 10));
          }

          @Override
          public synchronized int available() {
            return 0;
          }
        }) {
      OF_ID
          .with(new Slicing(1 << 22, 4))
          .convert(
              pieces,
              new Output.Stream(OutputStream.nullOutputStream()),
              new Rejects.InPlace(reject -> false),
              (bytes, rows) -> reads.add(bytes));
    }

    assertThat(reads).hasSizeLessThan(input.length / (1 << 11));
  }

  @Test
  void anAddedColumnIsCalledAfterItsOwn() {
    CsvConversion conversion =
        CsvConversion.of(TO_TEXT, List.of("the \"id\"")).beside("_t").build();

    Run run = Run.inPlace(conversion, "\"the \"\"id\"\"\",n\r\n%s,1\r\n".formatted(UUID));

    assertThat(run.output())
        .isEqualTo(
            "\"the \"\"id\"\"\",\"the \"\"id\"\"_t\",n\r\n%s,%s,1\r\n".formatted(UUID, TEXT));
  }

  @Test
  void emptyLinesPassUnlessThereIsOneColumn() {
    assertThat(Run.inPlace(OF_ID, "n,id\n\n1," + UUID + "\n\r\n").output())
        .isEqualTo("n,id\n\n1," + TEXT + "\n\r\n");
    assertThat(
            Run.inPlace(CsvConversion.of(TO_TEXT, List.of("id")).beside("_t").build(), "id\n\n")
                .output())
        .isEqualTo("id,id_t\n,\n");
  }

  @Test
  void rejectsAreToldByLineAndColumn() {
    CsvConversion both = CsvConversion.of(TO_TEXT, List.of("b", "id")).build();
    String input = "id,n,b\n%s,\"a\n\nb\",x\ny,1,\"z\"\"\"\n".formatted(UUID);

    Run inPlace = Run.inPlace(both, input);
    Run aside = Run.aside(both, input);

    assertThat(inPlace.output()).isEqualTo("id,n,b\n%s,\"a\n\nb\",\n,1,\n".formatted(TEXT));
    assertThat(inPlace.reported())
        .extracting(reject -> reject.replaceFirst(": not a .*", ""))
        .containsExactly(
            "line 2: column \"b\": malformed identifier \"x\"",
            "line 5: column \"id\": malformed identifier \"y\"",
            "line 5: column \"b\": malformed identifier \"z\\\"\"");
    assertThat(inPlace.outcome()).isEqualTo(new Conversion.Outcome(2, 2, false));
    assertThat(aside.output()).isEqualTo("id,n,b\n");
    assertThat(aside.kept())
        .startsWith("line,reason,id,n,b\n2,")
        .contains("," + UUID + ",\"a\n\nb\",x\n5,")
        .endsWith(",y,1,\"z\"\"\"\n");
  }

  @Test
  void whatIsKeptAsideIsRepairedAndConverted() {
    Run run = Run.aside(OF_ID, "n,id\n1,bad\n2,%s\n3\n4,\"x\n".formatted(UUID));

    assertThat(run.output()).isEqualTo("n,id\n2,%s\n".formatted(TEXT));
    assertThat(
            run.kept()
                .lines()
                .map(line -> line.replaceFirst(",\"column.*characters\\)\",", ",...,")))
        .containsExactly(
            "line,reason,n,id",
            "2,...,1,bad",
            "4,it has 1 field: the header has 2,3",
            "5,field 2 has a quote that is not closed,4,\"x");
    String repaired =
        run.kept().replace("bad\n", UUID + "\n").replace(",3\n", ",3,\n").replace("\"x\n", UUID);
    Run again = Run.aside(OF_ID, repaired);
    assertThat(again.kept()).isEmpty();
    assertThat(parsed(again.output(), ",").stream().map(record -> record.subList(2, 4)))
        .containsExactly(
            List.of("n", "id"), List.of("1", TEXT), List.of("3", ""), List.of("4", TEXT));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "n,id;1                | line 2: it has 1 field: the header has 2",
        "n,id;1,2,3            | line 2: it has 3 fields: the header has 2",
        "n,id;'\"a\"b,2'       | line 2: field 1 has text after its closing quote",
        "n,id;;\"a             | line 3: field 1 has a quote that is not closed",
      })
  void aRecordOfAnotherShapeCannotStayInPlace(String input, String message) {
    String csv = input.replace("'", "").replace(";", "\n").strip();

    assertThatExceptionOfType(ConversionException.class)
        .isThrownBy(() -> Run.inPlace(OF_ID, csv))
        .withMessage(message)
        .matches(ConversionException::isKeptAside);
    assertThat(Run.aside(OF_ID, csv).outcome().rejected()).isEqualTo(1);
  }

  @Test
  void columnsThatAreNotThereAreNamedBesideThoseThatAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Run.inPlace(OF_ID, "di,name\n"))
        .withMessage(
            "there is no column \"id\" (did you mean \"di\"?): the header has \"di\", \"name\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Run.inPlace(OF_ID, "id,name,\"id\"\n"))
        .withMessage("the header has the column \"id\" 2 times: rename all but one");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Run.inPlace(
                    CsvConversion.of(TO_TEXT, List.of("id")).beside("_t").build(), "id,id_t\n"))
        .withMessageStartingWith("the header already has a column \"id_t\"");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Run.inPlace(
                    CsvConversion.of(TO_TEXT, List.of("3")).withoutHeader().build(), "a,b\n"))
        .withMessage("there is no column 3: the first record has 2 fields");
    assertThatExceptionOfType(ConversionException.class)
        .isThrownBy(() -> Run.inPlace(OF_ID, ""))
        .withMessage("line 1: the input is empty: expected a header");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "0", "\"", "\n", "\r", "\0", "é"})
  void refusesDelimitersThatCouldBePartOfAnId(String delimiter) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CsvConversion.of(TO_TEXT, List.of("id")).delimiter(delimiter.charAt(0)))
        .withMessageContaining("expected an ASCII character that is not a letter, digit");
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "0", "-1", "10001", "1.5", "99999999999"})
  void withoutAHeaderColumnsAreNumbers(String column) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CsvConversion.of(TO_TEXT, List.of(column)).withoutHeader().build())
        .withMessageContaining("expected a number from 1 to 10,000, because there is no header");
  }

  @Test
  void refusesColumnsThatAreChosenTwiceOrNotAtAll() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CsvConversion.of(TO_TEXT, List.of("id", "id")).build())
        .withMessage("column \"id\" is chosen twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CsvConversion.of(TO_TEXT, List.of()).build());
  }

  @Test
  @org.junit.jupiter.api.Tag("slow")
  void aRecordMayBeSixteenMebibytesLongAndNoLonger() {
    String longest = "\"" + "x".repeat(Conversion.RECORD_LENGTH_MAX - 39) + "\"," + UUID;
    assertThat(longest).hasSize(Conversion.RECORD_LENGTH_MAX);

    assertThat(Run.inPlace(OF_ID, "n,id\n" + longest + "\r\n").output())
        .endsWith("x\"," + TEXT + "\r\n");
    assertThatExceptionOfType(ConversionException.class)
        .isThrownBy(() -> Run.inPlace(OF_ID, "n,id\n\"x" + longest.substring(1) + "\r\n"))
        .withMessageStartingWith(
            "line 2: the record that starts here is longer than 16,777,216 bytes");
  }

  @Test
  void aHeaderMayHaveTenThousandColumnsAndAMebibyte() {
    assertThat(Run.inPlace(OF_ID, "id" + ",n".repeat(9_999) + "\n").outcome().rows()).isZero();
    assertThatExceptionOfType(ConversionException.class)
        .isThrownBy(() -> Run.inPlace(OF_ID, "id" + ",n".repeat(10_000) + "\n"))
        .withMessage("line 1: it has 10,001 columns: expected at most 10,000");
    assertThatExceptionOfType(ConversionException.class)
        .isThrownBy(() -> Run.inPlace(OF_ID, "id," + "n".repeat(Conversion.LINE_LENGTH_MAX) + "\n"))
        .withMessageStartingWith(
            "line 1: the record that starts here is longer than 1,048,576 bytes");
  }
}
