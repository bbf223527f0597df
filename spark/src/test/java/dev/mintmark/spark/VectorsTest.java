package dev.mintmark.spark;

import static dev.mintmark.spark.LocalSpark.line;
import static dev.mintmark.spark.LocalSpark.lines;
import static dev.mintmark.spark.LocalSpark.row;
import static dev.mintmark.spark.LocalSpark.table;
import static dev.mintmark.spark.Vectors.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Ulid;
import dev.mintmark.fixtures.Conformance.Operation;
import dev.mintmark.spark.LocalSpark.Mode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** The vectors of all surfaces, in every mode of Spark. */
class VectorsTest {
  @ParameterizedTest
  @EnumSource
  void ulidsAreShownReadAndDated(Mode mode) {
    List<JsonNode> forms =
        Vectors.read("identifiers.json").stream()
            .filter(vector -> vector.path("forms").has("uuid") && !vector.has("prefix"))
            .map(vector -> vector.path("forms"))
            .toList();

    List<String> answers =
        answers(
            mode,
            "uuid string, text string",
            forms,
            form -> row(text(form, "uuid"), text(form, "text")),
            "ulid_text(uuid)",
            "try_ulid_text(upper(uuid))",
            "ulid_text(unhex(replace(uuid, '-')))",
            "try_ulid_text(unhex(replace(uuid, '-')))",
            "ulid_uuid(text)",
            "try_ulid_uuid(lower(text))",
            "unix_millis(ulid_time(uuid))",
            "unix_millis(try_ulid_time(upper(uuid)))",
            "unix_millis(ulid_time(unhex(replace(uuid, '-'))))",
            "unix_millis(try_ulid_time(unhex(replace(uuid, '-'))))",
            "ulid_min(ulid_time(uuid))",
            "ulid_max(ulid_time(uuid))");

    assertThat(forms).hasSizeGreaterThan(50);
    assertThat(answers).isEqualTo(forms.stream().map(VectorsTest::ulidLine).toList());
    LocalSpark.compared()
        .vectors(Operation.FORMAT, forms.size())
        .vectors(Operation.PARSE, forms.size())
        .vectors(Operation.TIME, forms.size())
        .vectors(Operation.BOUNDS, forms.size());
  }

  private static String ulidLine(JsonNode forms) {
    String text = text(forms, "text");
    String uuid = text(forms, "uuid");
    long millis = Ulid.parse(text).time().toEpochMilli();
    Instant time = Instant.ofEpochMilli(millis);
    return line(
        text,
        text,
        text,
        text,
        uuid,
        uuid,
        millis,
        millis,
        millis,
        millis,
        Ulid.min(time).toUuid(),
        Ulid.max(time).toUuid());
  }

  @ParameterizedTest
  @EnumSource
  void malformedIdentifiersHaveNoValue(Mode mode) {
    List<JsonNode> malformed = Vectors.read("malformed.json");

    List<String> answers =
        answers(
            mode,
            "input string",
            malformed,
            vector -> row(text(vector, "input")),
            "try_ulid_text(input)",
            "try_ulid_uuid(input)",
            "try_ulid_time(input)",
            "try_typeid_text('user', input)",
            "try_typeid_uuid(input)");

    assertThat(malformed).hasSizeGreaterThan(40);
    assertThat(answers).allMatch("null|null|null|null|null"::equals);
    LocalSpark.compared().vectors(Operation.REJECT, malformed.size());
  }

  @ParameterizedTest
  @EnumSource
  void numbersAreShownAndReadBehindTheirPrefix(Mode mode) {
    List<JsonNode> vectors = Vectors.read("sequences.json");

    List<String> answers =
        answers(
            mode,
            "prefix string, number bigint, width int, input string",
            vectors,
            vector ->
                row(
                    text(vector, "prefix"),
                    number(vector, "number"),
                    vector.path("width").intValue(),
                    text(vector, "input")),
            "prefixed(prefix, number, width)",
            "try_unprefixed(prefix, input)",
            "if(number is null, null, unprefixed(prefix, input))",
            "if(number is null, null, id_prefix(input))");

    assertThat(vectors).hasSizeGreaterThan(30);
    assertThat(answers).isEqualTo(vectors.stream().map(VectorsTest::numberLine).toList());
    LocalSpark.compared().vectors(Operation.SEQUENCE, vectors.size());
  }

  private static String numberLine(JsonNode vector) {
    String input = text(vector, "input");
    String prefix = text(vector, "prefix");
    boolean isRead = input.matches(prefix + "[0-9]{1,19}") && vector.has("loose");
    boolean isCanonical = vector.has("number");
    return line(
        isCanonical ? input : null,
        isRead ? number(vector, "loose") : null,
        number(vector, "number"),
        isCanonical ? prefix : null);
  }

  private static @Nullable Long number(JsonNode vector, String member) {
    Optional<String> digits = vector.path(member).stringValueOpt();
    return digits.isPresent() ? Long.valueOf(digits.get()) : null;
  }

  @ParameterizedTest
  @EnumSource
  void typeIdsAreShownAndRead(Mode mode) {
    List<JsonNode> vectors = Vectors.read("typeids.json");

    List<String> answers =
        answers(
            mode,
            "prefix string, uuid string, input string",
            vectors,
            vector ->
                row(
                    vector.path("prefix").asString(null),
                    vector.path("uuid").asString(null),
                    text(vector, "input")),
            "typeid_text(prefix, uuid)",
            "try_typeid_text(prefix, unhex(replace(uuid, '-')))",
            "if(uuid is null, null, typeid_uuid(input))",
            "try_typeid_uuid(input)",
            "if(uuid is null, null, id_prefix(input))",
            "if(uuid is null, null, try_id_prefix(input))");

    assertThat(vectors).hasSizeGreaterThan(30);
    assertThat(answers).isEqualTo(vectors.stream().map(VectorsTest::typeIdLine).toList());
    LocalSpark.compared().vectors(Operation.TYPEID, vectors.size());
  }

  private static String typeIdLine(JsonNode vector) {
    if (vector.has("reason")) {
      return "null|null|null|null|null|null";
    }
    String input = text(vector, "input");
    String uuid = text(vector, "uuid");
    String prefix = text(vector, "prefix");
    return line(input, input, uuid, uuid, prefix, prefix);
  }

  @ParameterizedTest
  @EnumSource
  void purisAreWrittenAndTakenApart(Mode mode) {
    List<JsonNode> vectors = Vectors.read("puris.json");

    List<String> answers =
        answers(
            mode,
            "input string, namespace string, collection string, identifier string",
            vectors,
            vector ->
                row(
                    text(vector, "input"),
                    text(vector, "namespace"),
                    text(vector, "collection"),
                    text(vector, "identifier")),
            "puri(namespace, collection, identifier)",
            "try_puri(namespace, collection, identifier)",
            "puri_namespace(input)",
            "try_puri_namespace(input)",
            "puri_collection(input)",
            "try_puri_collection(input)",
            "puri_identifier(input)",
            "try_puri_identifier(input)");

    assertThat(vectors).hasSizeGreaterThan(20);
    assertThat(answers).isEqualTo(vectors.stream().map(VectorsTest::puriLine).toList());
    LocalSpark.compared().vectors(Operation.PURI, vectors.size());
  }

  private static String puriLine(JsonNode vector) {
    return line(
        Stream.of("text", "namespace", "collection", "identifier")
            .flatMap(member -> Stream.of(text(vector, member), text(vector, member)))
            .toArray());
  }

  @ParameterizedTest
  @EnumSource
  void malformedPurisHaveNoSegments(Mode mode) {
    List<JsonNode> malformed = Vectors.read("puris-malformed.json");

    List<String> answers =
        answers(
            mode,
            "input string",
            malformed,
            vector -> row(text(vector, "input")),
            "try_puri_namespace(input)",
            "try_puri_collection(input)",
            "try_puri_identifier(input)");

    assertThat(malformed).hasSizeGreaterThan(20);
    assertThat(answers).allMatch("null|null|null"::equals);
  }

  /** Returns the results of the calls, a line for each vector. */
  private static List<String> answers(
      Mode mode,
      String columns,
      List<JsonNode> vectors,
      Function<JsonNode, Row> row,
      String... calls) {
    List<Row> rows = vectors.stream().map(row).toList();
    return lines(table(mode.newSession(), columns, rows).selectExpr(calls));
  }
}
