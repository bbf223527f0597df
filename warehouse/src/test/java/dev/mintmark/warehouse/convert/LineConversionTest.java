package dev.mintmark.warehouse.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mintmark.Form;
import dev.mintmark.MalformedIdException;
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
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LineConversionTest {
  private static final String UUID = "017fe093-7adf-9932-aaaa-01fd0ba14d3f";
  private static final String TEXT = "01FZG96YPZK4SANAG1ZM5T2K9Z";
  private static final LineConversion TO_TEXT = LineConversion.of(Transcoder.to(Form.TEXT));

  @Property(tries = 300)
  void everyLineIsWhatItsFormWrites(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 600) int size,
      @ForAll @IntRange(min = 1, max = 4) int threads) {
    Random random = new Random(seed);
    StringBuilder input = new StringBuilder(random.nextBoolean() ? "\uFEFF" : "");
    StringBuilder expected = new StringBuilder(input);
    List<String> reported = new ArrayList<>();
    int lines = random.nextInt(20);
    for (int i = 1; i <= lines; i++) {
      String line = line(random);
      String end = i == lines && random.nextBoolean() ? "" : random.nextBoolean() ? "\n" : "\r\n";
      if (i == lines && end.isEmpty() && line.isEmpty()) {
        end = "\n";
      }
      input.append(line).append(end);
      try {
        expected.append(Form.readAny(line).to(Form.TEXT));
      } catch (MalformedIdException e) {
        reported.add("line " + i + ": " + e.getMessage());
      }
      expected.append(end);
    }

    Run run =
        Run.of(
            TO_TEXT.with(new Slicing(size + 2, threads)),
            Run.inPieces(input.toString(), random),
            false);

    assertThat(run.output()).isEqualTo(expected.toString());
    assertThat(run.reported()).isEqualTo(reported);
    assertThat(run.outcome()).isEqualTo(new Conversion.Outcome(lines, reported.size(), false));
  }

  private static String line(Random random) {
    Form[] forms = {Form.TEXT, Form.LOWER, Form.UUID, Form.HEX, Form.INT, Form.BYTES, Form.BIN};
    String id =
        forms[random.nextInt(forms.length)].write(Ulid.of(random.nextLong(), random.nextLong()));
    return switch (random.nextInt(8)) {
      case 0 -> "";
      case 1 -> id.replace(id.charAt(random.nextInt(id.length())), 'ü');
      case 2 -> id.substring(1);
      default -> id;
    };
  }

  @ParameterizedTest
  @MethodSource
  void everyVectorIsConvertedToEveryFormItHas(JsonNode vector) {
    List<Form> forms =
        List.of(Form.TEXT, Form.UUID, Form.HEX, Form.INT, Form.BASE64URL, Form.NODE, Form.FIELDS);
    for (Form form : forms) {
      String expected = vector.path("forms").path(form.label()).asString();
      Run run =
          Run.inPlace(LineConversion.of(Transcoder.to(form)), vector.path("input").asString());

      assertThat(run.output()).isEqualTo(expected);
    }
  }

  static Stream<JsonNode> everyVectorIsConvertedToEveryFormItHas() {
    return vectors("identifiers.json")
        .filter(vector -> vector.path("forms").has("uuid") && !vector.has("prefix"));
  }

  @ParameterizedTest
  @MethodSource
  void everyMalformedVectorIsRejectedWithItsReason(JsonNode vector) {
    Form form = Form.parse(vector.path("form").asString());
    Run run =
        Run.inPlace(
            LineConversion.of(Transcoder.of(form, Form.TEXT)),
            vector.path("input").asString() + "\n");

    assertThat(run.output()).isEqualTo("\n");
    assertThat(run.reported().get(0)).contains(vector.path("reason").asString());
  }

  static Stream<JsonNode> everyMalformedVectorIsRejectedWithItsReason() {
    return vectors("malformed.json")
        .filter(vector -> !vector.path("input").asString().contains("\n"));
  }

  @Test
  void whatIsKeptAsideIsCsvThatCanBeRepairedAndConverted() {
    Run run = Run.aside(TO_TEXT, UUID + "\n\"a\", b\r\n" + UUID);

    assertThat(run.output()).isEqualTo(TEXT + "\n" + TEXT);
    assertThat(run.kept())
        .isEqualTo(
            """
            line,reason,text
            2,"malformed identifier ""\\""a\\"", b"": not a ULID, a UUID or any other form \
            of 128 bits (6 characters)","\""a"", b"
            """);
    String repaired = run.kept().replace("\"\"\"a\"\", b\"", UUID);
    Run again =
        Run.inPlace(CsvConversion.of(Transcoder.to(Form.TEXT), List.of("text")).build(), repaired);
    assertThat(again.output()).endsWith("," + TEXT + "\n");
    assertThat(again.outcome().rejected()).isZero();
  }

  /** Otherwise a program that writes a line and waits for its result would wait forever. */
  @Test
  void whatWasReadIsWrittenBeforeMoreIsWaitedFor() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Dialogue asking = new Dialogue(out, UUID + "\n", UUID + "\n");

    TO_TEXT.convert(asking, out, new Rejects.InPlace(reject -> true));

    assertThat(asking.outputs()).containsExactly("", TEXT + "\n", (TEXT + "\n").repeat(2));
  }

  @Test
  void nothingIsKeptOfWhatIsWellFormed() {
    Rejects none =
        new Rejects.Aside(
            () -> {
              throw new IOException("opened");
            });

    assertThat(catchOf(UUID + "\n", none)).isEqualTo("1 0 false");
    assertThat(catchOf("", none)).isEqualTo("0 0 false");
    assertThat(catchOf("bad", none)).isEqualTo("opened");
  }

  @Test
  void stopsBeforeTheFirstRejectIfTheCallerDoesNotContinue() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Conversion.Outcome outcome =
        TO_TEXT.convert(InputStream.nullInputStream(), out, new Rejects.InPlace(reject -> false));
    assertThat(outcome.stopped()).isFalse();

    outcome =
        TO_TEXT.convert(
            new ByteArrayInputStream((UUID + "\nbad\n" + UUID).getBytes(StandardCharsets.UTF_8)),
            out,
            new Rejects.InPlace(reject -> false));
    assertThat(outcome).isEqualTo(new Conversion.Outcome(2, 1, true));
    assertThat(out).hasToString(TEXT + "\n");
  }

  @Test
  void aLineMayBeAMebibyteLongAndNoLonger() {
    String longest = "x".repeat(Conversion.LINE_LENGTH_MAX);

    Run run = Run.inPlace(TO_TEXT, UUID + "\n" + longest + "\r\n" + UUID);

    assertThat(run.output()).isEqualTo(TEXT + "\n\r\n" + TEXT);
    assertThat(run.reported())
        .containsExactly(
            "line 2: malformed identifier that begins with \"%s\": it has 1048576 bytes: expected at most 1024"
                .formatted("x".repeat(64)));
    for (String end : List.of("", "\n", "\r\n")) {
      assertThatExceptionOfType(ConversionException.class)
          .isThrownBy(() -> Run.inPlace(TO_TEXT, UUID + "\n" + longest + "x" + end))
          .withMessage("line 2: it is longer than 1,048,576 bytes: expected an identifier");
    }
  }

  private static String catchOf(String input, Rejects rejects) {
    try {
      Conversion.Outcome outcome =
          TO_TEXT.convert(
              Run.inPieces(input, new Random(1)), OutputStream.nullOutputStream(), rejects);
      return outcome.rows() + " " + outcome.rejected() + " " + outcome.stopped();
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static Stream<JsonNode> vectors(String file) {
    InputStream stream = LineConversionTest.class.getResourceAsStream("/vectors/" + file);
    return JsonMapper.shared().readTree(Objects.requireNonNull(stream, file)).valueStream();
  }
}
