package dev.mintmark.warehouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Quoted;
import dev.mintmark.fixtures.Conformance.Operation;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The bodies that are printed for BigQuery and Snowflake agree with the vectors. */
@Tag("slow")
class JavaScriptVectorsTest {
  /** The kinds that begin with milliseconds. {@code ulid_time} reads every UUID in this way. */
  private static final Set<String> OF_MILLISECONDS = Set.of("ulid", "uuidv7", "typeid");

  /** The last millisecond of a timestamp in either engine. */
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

  @ParameterizedTest
  @MethodSource("dev.mintmark.warehouse.Bodies#everywhere")
  void identifiersAreWrittenAndRead(Bodies sql) {
    List<JsonNode> vectors =
        vectors("identifiers.json").filter(vector -> vector.path("forms").has("uuid")).toList();
    assertThat(vectors).hasSizeGreaterThan(60);

    for (JsonNode vector : vectors) {
      String name = vector.path("name").stringValue();
      String text = vector.path("forms").path("text").stringValue();
      String lower = vector.path("forms").path("lower").stringValue();
      String uuid = vector.path("forms").path("uuid").stringValue();

      for (String tried : List.of("", "try_")) {
        assertThat(sql.call(tried + "ulid_text", uuid)).as(name).isEqualTo(text);
        assertThat(sql.call(tried + "ulid_text", upper(uuid))).as(name).isEqualTo(text);
        assertThat(sql.call(tried + "ulid_uuid", text)).as(name).isEqualTo(uuid);
        assertThat(sql.call(tried + "ulid_uuid", lower)).as(name).isEqualTo(uuid);
      }
    }
    sql.compared()
        .vectors(Operation.FORMAT, vectors.size())
        .vectors(Operation.PARSE, vectors.size());
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.warehouse.Bodies#everywhere")
  void timesAreThoseOfTheVectorsAsFarAsTimestampsGo(Bodies sql) {
    int late = 0;
    int dated = 0;
    for (JsonNode vector : vectors("identifiers.json").toList()) {
      JsonNode forms = vector.path("forms");
      String kind = vector.path("readings").path(0).asString("");
      boolean hasTime = vector.path("time").isString();
      if (!forms.has("uuid") || !OF_MILLISECONDS.contains(kind) || !hasTime) {
        continue;
      }
      String name = vector.path("name").stringValue();
      String uuid = forms.path("uuid").stringValue();
      Instant time = Instant.parse(vector.path("time").stringValue());
      if (time.isAfter(LAST)) {
        late++;
        assertThat(sql.refusal("js_ulid_time", uuid))
            .as(name)
            .isEqualTo("Error: time %s of %s: expected at most %s", time, Quoted.of(uuid), LAST);
        assertThat(sql.call("js_try_ulid_time", uuid)).as(name).isNull();
      } else {
        String millis = Long.toString(time.toEpochMilli());
        assertThat(sql.call("js_ulid_time", uuid)).as(name).isEqualTo(millis);
        assertThat(sql.call("js_try_ulid_time", uuid)).as(name).isEqualTo(millis);
      }
      dated++;
    }
    assertThat(late).isPositive();
    sql.compared().vectors(Operation.TIME, dated);
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.warehouse.Bodies#everywhere")
  void malformedTextsAreRefusedInTheWordsOfJava(Bodies sql) {
    int refused = 0;
    for (JsonNode vector : vectors("malformed.json").toList()) {
      String input = vector.path("input").stringValue();
      String reason = vector.path("reason").stringValue();
      String form = vector.path("form").stringValue();
      switch (form) {
        case "text" -> assertRefused(sql, "", "ulid_uuid", input, "ULID", reason);
        case "uuid" -> {
          assertRefused(sql, "", "ulid_text", input, "UUID", reason);
          assertRefused(sql, "js_", "ulid_time", input, "UUID", reason);
          assertThat(sql.refusal("typeid_text", "user", input)).contains(reason);
          assertThat(sql.call("try_typeid_text", "user", input)).isNull();
        }
        default -> {
          continue;
        }
      }
      refused++;
    }
    assertThat(refused).isGreaterThan(15);
    sql.compared().vectors(Operation.REJECT, refused);
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.warehouse.Bodies#everywhere")
  void numbersAreShownAndReadBehindTheirPrefix(Bodies sql) {
    for (JsonNode vector : vectors("sequences.json").toList()) {
      String name = vector.path("name").stringValue();
      String prefix = vector.path("prefix").stringValue();
      String input = vector.path("input").stringValue();
      if (vector.has("number")) {
        String number = vector.path("number").stringValue();
        String width = Integer.toString(vector.path("width").intValue());
        assertThat(sql.call("js_prefixed", prefix, number, width)).as(name).isEqualTo(input);
        assertThat(sql.call("id_prefix", input)).as(name).isEqualTo(prefix);
      }
      String loose = vector.path("loose").asString("");
      if (!loose.isEmpty() && input.matches(prefix + "[0-9]{1,19}")) {
        assertThat(sql.call("js_unprefixed", prefix, input)).as(name).isEqualTo(loose);
        assertThat(sql.call("js_try_unprefixed", prefix, input)).as(name).isEqualTo(loose);
      } else {
        assertThat(sql.refusal("js_unprefixed", prefix, input))
            .as(name)
            .isEqualTo(
                "Error: malformed sequence id %s: expected %s and 1 to 19 digits, at most"
                    + " 9223372036854775807",
                Quoted.of(input), Quoted.of(prefix));
        assertThat(sql.call("js_try_unprefixed", prefix, input)).as(name).isNull();
      }
    }
    sql.compared().vectors(Operation.SEQUENCE, (int) vectors("sequences.json").count());
  }

  /** As Snowflake writes a number with all digits of its fraction, and as BigQuery does. */
  @ParameterizedTest
  @MethodSource("dev.mintmark.warehouse.Bodies#everywhere")
  void numbersAreNeitherRoundedNorCut(Bodies sql) {
    for (JsonNode vector : vectors("numbers.json").toList()) {
      String number = vector.path("number").stringValue();
      String width = vector.path("width").stringValue();
      String refusal = "Error: " + vector.path("reason").stringValue();
      assertThat(sql.refusal("js_prefixed", "PM", number, width)).isEqualTo(refusal);
      assertThat(sql.refusal("js_prefixed", "PM", withZeros(number), withZeros(width)))
          .isEqualTo(refusal);
    }
    assertThat(sql.call("js_prefixed", "PM", withZeros("120"), withZeros("10")))
        .isEqualTo("PM0000000120");
    assertThat(sql.call("js_prefixed", "PM", withZeros("0"), withZeros("0"))).isEqualTo("PM0");
  }

  private static String withZeros(String number) {
    return (number.contains(".") ? number : number + ".") + "000";
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.warehouse.Bodies#everywhere")
  void typeIdsAreWrittenAndRead(Bodies sql) {
    for (JsonNode vector : vectors("typeids.json").toList()) {
      String name = vector.path("name").stringValue();
      String input = vector.path("input").stringValue();
      if (vector.has("reason")) {
        assertRefused(sql, "", "typeid_uuid", input, "TypeID", vector.path("reason").stringValue());
      } else {
        String prefix = vector.path("prefix").stringValue();
        String uuid = vector.path("uuid").stringValue();
        for (String tried : List.of("", "try_")) {
          assertThat(sql.call(tried + "typeid_uuid", input)).as(name).isEqualTo(uuid);
          assertThat(sql.call(tried + "typeid_text", prefix, uuid)).as(name).isEqualTo(input);
          assertThat(sql.call(tried + "id_prefix", input)).as(name).isEqualTo(prefix);
        }
      }
    }
    sql.compared().vectors(Operation.TYPEID, (int) vectors("typeids.json").count());
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.warehouse.Bodies#everywhere")
  void purisAreTakenApartAndPutTogether(Bodies sql) {
    for (JsonNode vector : vectors("puris.json").toList()) {
      String name = vector.path("name").stringValue();
      String input = vector.path("input").stringValue();
      String[] segments =
          Stream.of("namespace", "collection", "identifier")
              .map(segment -> vector.path(segment).stringValue())
              .toArray(String[]::new);
      for (String tried : List.of("", "try_")) {
        assertThat(sql.call(tried + "puri_namespace", input)).as(name).isEqualTo(segments[0]);
        assertThat(sql.call(tried + "puri_collection", input)).as(name).isEqualTo(segments[1]);
        assertThat(sql.call(tried + "puri_identifier", input)).as(name).isEqualTo(segments[2]);
        assertThat(sql.call(tried + "puri", segments))
            .as(name)
            .isEqualTo(vector.path("text").stringValue());
      }
    }
    for (JsonNode vector : vectors("puris-malformed.json").toList()) {
      String input = vector.path("input").stringValue();
      String reason = vector.path("reason").stringValue();
      for (String part : List.of("namespace", "collection", "identifier")) {
        assertRefused(sql, "", "puri_" + part, input, "pURI", reason);
      }
    }
    long puris =
        Stream.of("puris.json", "puris-malformed.json")
            .flatMap(JavaScriptVectorsTest::vectors)
            .count();
    sql.compared().vectors(Operation.PURI, (int) puris);
  }

  private static void assertRefused(
      Bodies sql, String inner, String function, String input, String what, String reason) {
    assertThat(sql.refusal(inner + function, input))
        .startsWith("Error: malformed " + what + " " + Quoted.of(input) + ": ")
        .contains(reason);
    assertThat(sql.call(inner + "try_" + function, input)).as(input).isNull();
  }

  private static String upper(String uuid) {
    return uuid.toUpperCase(java.util.Locale.ROOT);
  }

  private static Stream<JsonNode> vectors(String file) {
    InputStream stream = JavaScriptVectorsTest.class.getResourceAsStream("/vectors/" + file);
    return JsonMapper.shared().readTree(Objects.requireNonNull(stream, file)).valueStream();
  }
}
