package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mintmark.Form;
import dev.mintmark.Inspector;
import dev.mintmark.MalformedIdException;
import dev.mintmark.Puri;
import dev.mintmark.fixtures.Conformance;
import dev.mintmark.fixtures.Conformance.Operation;
import dev.mintmark.verify.HttpApi.Answer;
import dev.mintmark.verify.Mintmark.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import tools.jackson.databind.JsonNode;

/** One set of vectors through all surfaces: each has to say what the vectors say. */
class ConformanceIT {
  private static final List<JsonNode> IDENTIFIERS = Vectors.identifiers();
  private static final List<JsonNode> MALFORMED = Vectors.malformed();
  private static final List<String> INPUTS = IDENTIFIERS.stream().map(Vectors::input).toList();

  /** Those that {@code convert} knows: 128 bits, and nothing before them. */
  private static final List<JsonNode> CONVERTIBLE =
      IDENTIFIERS.stream()
          .filter(vector -> vector.path("forms").has("uuid") && !vector.has("prefix"))
          .toList();

  /** Identifiers that are inspected in one request at most. */
  private static final int IDS_MAX = 100;

  private static Mintmark mintmark;
  private static RunningServer server;

  /** What the vectors' identifiers are read as, by surface; asked for once. */
  private static final Map<Surface, List<Inspection>> INSPECTIONS = new EnumMap<>(Surface.class);

  /** Where identifiers can be brought to be inspected. */
  private enum Surface {
    JAVA {
      @Override
      List<Inspection> inspect(List<String> inputs) {
        return inputs.stream().map(id -> Inspection.of(id, Inspector.inspect(id))).toList();
      }
    },
    COMMAND_LINE {
      @Override
      List<Inspection> inspect(List<String> inputs) {
        Outcome outcome = mintmark.runWith(inputs, "inspect", "--json", "--");
        return outcome.json().valueStream().map(Inspection::of).toList();
      }
    },
    HTTP {
      @Override
      List<Inspection> inspect(List<String> inputs) {
        List<Inspection> inspections = new ArrayList<>();
        for (int first = 0; first < inputs.size(); first += IDS_MAX) {
          int end = Math.min(first + IDS_MAX, inputs.size());
          inspections.addAll(inspectAtOnce(inputs.subList(first, end)));
        }
        return inspections;
      }

      private List<Inspection> inspectAtOnce(List<String> inputs) {
        Answer answer =
            server.get(
                inputs.stream()
                    .map(id -> "id=" + HttpApi.encode(id))
                    .collect(Collectors.joining("&", "/v1/ids?", "")));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json().valueStream().map(Inspection::of).toList();
      }
    };

    abstract List<Inspection> inspect(List<String> inputs);

    Conformance compared() {
      return switch (this) {
        case JAVA -> Conformance.of(Conformance.Surface.JAVA, "");
        case COMMAND_LINE -> commandLine();
        case HTTP -> Conformance.of(Conformance.Surface.HTTP, "");
      };
    }
  }

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException {
    Path catalog = directory.resolve("catalog.yaml");
    Files.writeString(
        catalog,
        """
        namespace: bobsburgers
        collections:
          tracks: { kind: ulid }
        """);
    mintmark = Mintmark.in(directory);
    server = RunningServer.start(mintmark, directory.resolve("data"));
    for (Surface surface : Surface.values()) {
      INSPECTIONS.put(surface, surface.inspect(INPUTS));
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void thereAreVectorsToPass() {
    assertThat(IDENTIFIERS).hasSizeGreaterThanOrEqualTo(114);
    assertThat(CONVERTIBLE).hasSizeGreaterThanOrEqualTo(58);
    assertThat(MALFORMED).hasSizeGreaterThanOrEqualTo(49);
  }

  @ParameterizedTest
  @EnumSource
  void everyVectorIsReadAsItSays(Surface surface) {
    List<Inspection> inspected = inspected(surface);

    assertThat(inspected).extracting(Inspection::input).isEqualTo(INPUTS);
    for (int i = 0; i < IDENTIFIERS.size(); i++) {
      assertSays(inspected.get(i), IDENTIFIERS.get(i));
    }
    surface
        .compared()
        .vectors(Operation.INSPECT, IDENTIFIERS.size())
        .vectors(Operation.FORMAT, having(vector -> vector.path("forms").has("text")))
        .vectors(Operation.TIME, having(vector -> vector.path("time").isString()));
    if (surface == Surface.HTTP) {
      // The forms of an inspection are all that HTTP has for this.
      surface.compared().vectors(Operation.PARSE, CONVERTIBLE.size());
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "JAVA")
  void everyReadingIsThatOfJavaToTheLastWarning(Surface surface) {
    assertThat(inspected(surface)).isEqualTo(inspected(Surface.JAVA));
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsReadIntoWhatIsMalformed(Surface surface) {
    List<String> inputs =
        MALFORMED.stream()
            .filter(vector -> !vector.path("inspected").asBoolean(false))
            .map(Vectors::input)
            .filter(input -> surface != Surface.COMMAND_LINE || !input.contains("\0"))
            .toList();

    List<Inspection> inspected = surface.inspect(inputs);

    assertThat(inspected).extracting(Inspection::input).isEqualTo(inputs);
    assertThat(inspected).extracting(Inspection::readings).allSatisfy(r -> assertThat(r).isEmpty());
    surface.compared().vectors(Operation.REJECT, inputs.size());
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"TIME", "PURI", "COMPACT", "MASK"})
  void aStreamIsConvertedIntoEveryForm(Form form) {
    List<String> inputs = CONVERTIBLE.stream().map(Vectors::input).toList();

    Outcome outcome =
        mintmark.feed(String.join("\n", inputs) + "\n", "convert", "--to", form.label());

    List<String> lines = outcome.outLines();
    assertThat(outcome.status()).as(outcome.err()).isZero();
    assertThat(lines).hasSameSizeAs(inputs);
    for (int i = 0; i < inputs.size(); i++) {
      JsonNode vector = CONVERTIBLE.get(i);
      assertThat(lines.get(i))
          .as(vector.path("name").stringValue())
          .isEqualTo(Form.readAny(inputs.get(i)).to(form));
      assertThat(vector.path("forms").path(form.label()).asString(lines.get(i)))
          .as(vector.path("name").stringValue())
          .isEqualTo(lines.get(i));
    }
    if (form == Form.UUID) {
      commandLine().vectors(Operation.PARSE, CONVERTIBLE.size());
    }
  }

  @Test
  void aStreamIsConvertedIntoTheTimesOfItsFirstReadings() {
    List<String> inputs = CONVERTIBLE.stream().map(Vectors::input).toList();

    Outcome outcome = mintmark.feed(String.join("\n", inputs) + "\n", "convert", "--to", "time");

    assertThat(outcome.outLines())
        .isEqualTo(CONVERTIBLE.stream().map(vector -> vector.path("time").asString("")).toList());
    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err()).contains("it is read as uuidv4", "read as different kinds:");
  }

  @Test
  void aStreamIsConvertedIntoPurisOfACollection() {
    List<String> inputs = CONVERTIBLE.stream().map(Vectors::input).toList();

    Outcome outcome =
        mintmark.feed(
            String.join("\n", inputs),
            "convert --to puri --collection tracks --catalog catalog.yaml".split(" "));

    assertThat(outcome.outLines())
        .isEqualTo(
            inputs.stream()
                .map(id -> Form.readAny(id).toString())
                .map(id -> Puri.of("bobsburgers", "tracks", id).toString())
                .toList());
    commandLine().vectors(Operation.PURI, CONVERTIBLE.size());
  }

  @ParameterizedTest
  @EnumSource(names = {"TEXT", "UUID", "HEX", "INT", "BIN", "OCT", "BYTES", "BASE64URL"})
  void whatIsMalformedIsRefusedWithTheSameWords(Form form) {
    List<JsonNode> malformed =
        MALFORMED.stream()
            .filter(vector -> vector.path("form").stringValue().equals(form.label()))
            .filter(vector -> !Vectors.input(vector).contains("\n"))
            .toList();
    List<String> expected = malformed.stream().map(vector -> refusal(form, vector)).toList();

    Outcome outcome =
        mintmark.feed(
            malformed.stream()
                .map(vector -> Vectors.input(vector) + "\n")
                .collect(Collectors.joining()),
            "convert",
            "--from",
            form.label(),
            "--to",
            "text");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.outLines()).hasSameSizeAs(malformed).allMatch(String::isEmpty);
    assertThat(outcome.errLines())
        .isEqualTo(
            IntStream.range(0, malformed.size())
                .mapToObj(i -> "line %d: %s".formatted(i + 1, expected.get(i)))
                .toList());
  }

  @Test
  void inspectingWhatIsMalformedSaysNo() {
    assertThat(mintmark.run("inspect", "--json", "1-1-1-1-1").status()).isEqualTo(1);
    assertThat(mintmark.run("inspect", "--json", INPUTS.get(0)).status()).isZero();
  }

  /** As the seeds print them, or as they were found to be where a seed is wrong. */
  @ParameterizedTest
  @CsvSource({
    "01FZG96YPZK4SANAG1ZM5T2K9Z, uuid, 017fe093-7adf-9932-aaaa-01fd0ba14d3f",
    "01FZG96YPZK4SANAG1ZM5T2K9Z, int, 1993204641137431665444657879740140863",
    "01FZG96YPZK4SANAG1ZM5T2K9Z, time, 2022-03-31T15:23:55.999Z",
    "017fe093-7adf-9932-aaaa-01fd0ba14d3f, text, 01FZG96YPZK4SANAG1ZM5T2K9Z",
    "5M78MCQ9J989PTTP8KPAG2H573, uuid, b43a28cb-a649-426d-ad59-13b2a02894e3",
    "017eb31e-1440-b69e-d82f-5f0937f823c8, text, 01FTSHW520PTFDGBTZ14VZG8Y8",
    "0GWWXY2G84DFMRVWQNJ1SRYCMC, uuid, 10e73be1-4104-6be9-8df2-f590738f328c"
  })
  void factsOfTheSeedsHoldOnEverySurface(String input, String form, String expected) {
    assertThat(Form.readAny(input).to(Form.parse(form))).isEqualTo(expected);
    for (Surface surface : Surface.values()) {
      assertThat(surface.inspect(List.of(input)).get(0).readings().get(0).forms())
          .as(surface.name())
          .containsEntry(form, expected);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theDraftOfSeed001IsReadAsADraftBeforeAVersion7OfTheFuture(Surface surface) {
    Inspection draft = surface.inspect(List.of("061ff8d8-e24b-7000-8092-ca1e5440d491")).get(0);

    assertThat(draft.readings())
        .extracting(Inspection.Reading::kind)
        .containsExactly("uuidv7-draft", "uuidv7");
    assertThat(draft.readings().get(0).time()).contains("2022-02-06T08:57:50.587Z");
    assertThat(draft.readings().get(1).time().orElseThrow()).startsWith("2183-");
    assertThat(draft.readings().get(1).warnings())
        .singleElement()
        .asString()
        .contains("in the future");
  }

  private static int having(Predicate<JsonNode> member) {
    return (int) IDENTIFIERS.stream().filter(member).count();
  }

  private static Conformance commandLine() {
    return Conformance.of(Conformance.Surface.COMMAND_LINE, "");
  }

  private static List<Inspection> inspected(Surface surface) {
    return INSPECTIONS.getOrDefault(surface, List.of());
  }

  private static void assertSays(Inspection inspection, JsonNode vector) {
    String name = vector.path("name").stringValue();
    Inspection.Reading first = inspection.readings().get(0);
    List<String> warnings = Inspection.strings(vector.path("warnings"));
    assertThat(inspection.readings())
        .as(name)
        .extracting(Inspection.Reading::kind)
        .isEqualTo(Inspection.strings(vector.path("readings")));
    assertThat(first.version()).as(name).isEqualTo(Inspection.number(vector.path("version")));
    assertThat(first.time()).as(name).isEqualTo(Inspection.text(vector.path("time")));
    assertThat(first.forms()).as(name).isEqualTo(Inspection.texts(vector.path("forms")));
    assertThat(first.reason()).as(name).contains(vector.path("reason").asString(""));
    assertThat(first.warnings()).as(name).hasSameSizeAs(warnings);
    for (int i = 0; i < warnings.size(); i++) {
      assertThat(first.warnings().get(i)).as(name).contains(warnings.get(i));
    }
    if (vector.has("fields")) {
      assertThat(first.fields())
          .as(name)
          .usingRecursiveFieldByFieldElementComparatorIgnoringFields("meaning")
          .isEqualTo(Inspection.fields(vector));
    }
  }

  /** Of other kinds the inspector tells the time where they keep it, which no form looks at. */
  private static String refusal(Form form, JsonNode vector) {
    MalformedIdException refused =
        assertThatExceptionOfType(MalformedIdException.class)
            .isThrownBy(() -> form.read(Vectors.input(vector)))
            .withMessageContaining(vector.path("reason").stringValue())
            .actual();
    return String.valueOf(refused.getMessage());
  }
}
