package dev.mintmark.warehouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Puri;
import dev.mintmark.SequenceId;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The bodies that are printed for BigQuery and Snowflake return the same as Java for any input. */
@Tag("slow")
@net.jqwik.api.Tag("slow") // Of the properties.
class JavaScriptFunctionsTest {
  private static final int TRIES = 100;
  private static final int ULIDS = 100_000;

  @Property(tries = TRIES)
  void any128BitsAreWrittenAndReadAsInJava(@ForAll long high, @ForAll long low) {
    Ulid ulid = Ulid.of(high, low);
    String uuid = ulid.toUuid().toString();
    String typeId = TypeId.of("user", ulid.toUuid()).toString();
    Instant time = ulid.time();
    for (PrintedBodies sql : all()) {
      assertThat(sql.call("ulid_text", uuid)).isEqualTo(ulid.toString());
      assertThat(sql.call("ulid_uuid", ulid.toString())).isEqualTo(uuid);
      assertThat(sql.call("typeid_text", "user", uuid)).isEqualTo(typeId);
      assertThat(sql.call("typeid_uuid", typeId)).isEqualTo(uuid);
      boolean fits = time.isBefore(Instant.parse("+10000-01-01T00:00:00Z"));
      assertThat(sql.call("js_try_ulid_time", uuid))
          .isEqualTo(fits ? Long.toString(time.toEpochMilli()) : null);
    }
  }

  /** Each by one of the engines, because an interpreter runs the bodies. */
  @Test
  @Tag("long")
  void aHundredThousandUlidsKeepTheirTime() {
    List<PrintedBodies> engines = all();
    RandomUlids random = new RandomUlids(System.nanoTime());
    int i = 0;
    for (Ulid ulid : random.upToTheYear9999(ULIDS)) {
      String uuid = ulid.toUuid().toString();
      assertThat(engines.get(i++ % engines.size()).call("js_ulid_time", uuid))
          .as("%s, seed %d", uuid, random.seed())
          .isEqualTo("" + ulid.timeMillis());
    }
  }

  @Property(tries = TRIES)
  void boundsOfAMillisecondAreThoseOfJava(
      @ForAll @LongRange(max = Ulid.TIME_MILLIS_MAX) long millis) {
    Instant time = Instant.ofEpochMilli(millis);
    for (PrintedBodies sql : all()) {
      assertThat(sql.call("js_ulid_min", Long.toString(millis)))
          .isEqualTo(Ulid.min(time).toUuid().toString());
      assertThat(sql.call("js_ulid_max", Long.toString(millis)))
          .isEqualTo(Ulid.max(time).toUuid().toString());
    }
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.warehouse.PrintedBodies#engines")
  void timesThat48BitsDoNotHoldAreRefused(Warehouse engine) {
    PrintedBodies sql = PrintedBodies.of(engine);
    for (String bound : List.of("js_ulid_min", "js_ulid_max")) {
      assertThat(sql.refusal(bound, "-1"))
          .isEqualTo(
              "Error: time 1969-12-31T23:59:59.999Z: expected 1970-01-01T00:00:00.000Z to"
                  + " +10889-08-02T05:31:50.655Z");
      assertThat(sql.refusal(bound, "281474976710656"))
          .startsWith("Error: time +10889-08-02T05:31:50.656Z: expected ");
      assertThat(sql.call(bound, "281474976710655")).startsWith("ffffffff-ffff-");
    }
    assertThat(sql.call("js_ulid_time", Ulid.min(Instant.EPOCH).toUuid().toString()))
        .isEqualTo("0");
  }

  @Property(tries = TRIES)
  void numbersArePrefixedAsInJava(
      @ForAll("prefixes") String prefix,
      @ForAll long number,
      @ForAll @IntRange(min = -2, max = 20) int width) {
    String expected = inJava(() -> new SequenceId.Format(prefix, width).of(number).toString());
    for (PrintedBodies sql : all()) {
      assertThat(answer(sql, "js_prefixed", prefix, Long.toString(number), Integer.toString(width)))
          .isEqualTo(expected);
    }
  }

  @Property(tries = TRIES)
  void typeIdsAreReadOrRefusedInTheWordsOfJava(@ForAll("nearTypeIds") String text) {
    String uuid = inJava(() -> TypeId.parse(text).uuid().toString());
    for (PrintedBodies sql : all()) {
      assertThat(answer(sql, "typeid_uuid", text)).isEqualTo(uuid);
    }
  }

  @Property(tries = TRIES)
  void ulidsAndUuidsAreReadOrRefusedInTheWordsOfJava(
      @ForAll("nearUlids") String ulid, @ForAll("nearUuids") String uuid) {
    String read = inJava(() -> Ulid.parse(ulid).toUuid().toString());
    String written = inJava(() -> Ulid.of(Uuids.parse(uuid)).toString());
    for (PrintedBodies sql : all()) {
      assertThat(answer(sql, "ulid_uuid", ulid)).isEqualTo(read);
      assertThat(answer(sql, "ulid_text", uuid)).isEqualTo(written);
    }
  }

  @Property(tries = TRIES)
  void purisAreWrittenAndReadOrRefusedInTheWordsOfJava(
      @ForAll("segments") String first,
      @ForAll("segments") String second,
      @ForAll("segments") String third) {
    String written = inJava(() -> Puri.of(first, second, third).toString());
    String raw = first + ":" + second + ":" + third;
    for (PrintedBodies sql : all()) {
      assertThat(answer(sql, "puri", first, second, third)).isEqualTo(written);
      for (String text : List.of(raw, written)) {
        assertThat(answer(sql, "puri_namespace", text))
            .isEqualTo(inJava(() -> Puri.parse(text).namespace()));
        assertThat(answer(sql, "puri_collection", text))
            .isEqualTo(inJava(() -> Puri.parse(text).collection()));
        assertThat(answer(sql, "puri_identifier", text))
            .isEqualTo(inJava(() -> Puri.parse(text).identifier()));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.warehouse.PrintedBodies#engines")
  void purisHaveTheLimitOfJava(Warehouse engine) {
    PrintedBodies sql = PrintedBodies.of(engine);
    for (int length : new int[] {1019, 1020, 1021, 1024, 1025}) {
      String first = "x".repeat(length);
      String expected = inJava(() -> Puri.of(first, "b", "c").toString());
      assertThat(answer(sql, "puri", first, "b", "c")).isEqualTo(expected);
      String text = first + ":b:c";
      String identifier = inJava(() -> Puri.parse(text).identifier());
      assertThat(answer(sql, "puri_identifier", text)).isEqualTo(identifier);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.warehouse.PrintedBodies#engines")
  void prefixIsThatOfATypeIdOrOfANumberAndElseThereIsNone(Warehouse engine) {
    PrintedBodies sql = PrintedBodies.of(engine);
    String suffix =
        TypeId.of("", UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057")).toString();
    Map<String, String> prefixes =
        Map.of(
            "user_" + suffix,
            "user",
            "a_b_" + suffix,
            "a_b",
            suffix,
            "",
            "01234567890123456789012345",
            "",
            "PM000123",
            "PM",
            "000123",
            "",
            "Invoice-EU27_BE-0042",
            "Invoice-EU27_BE-",
            "PM9223372036854775807",
            "PM");
    prefixes.forEach(
        (text, prefix) -> assertThat(sql.call("id_prefix", text)).as(text).isEqualTo(prefix));
    for (String text :
        List.of(
            "",
            "PM",
            "user_" + suffix.toUpperCase(java.util.Locale.ROOT),
            "PM9223372036854775808",
            "PM00000000000000000001",
            "Abcdefghijklmnopq1",
            "1PM1",
            "-PM1",
            "PM1\n",
            "PM\u0661")) {
      assertThat(sql.refusal("id_prefix", text))
          .startsWith("Error: malformed id ")
          .endsWith(": expected a TypeID, or 1 to 19 digits after a prefix");
      assertThat(sql.call("try_id_prefix", text)).as(text).isNull();
    }
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.warehouse.PrintedBodies#engines")
  void numbersAreReadUpTo19DigitsAsInThePack(Warehouse engine) {
    PrintedBodies sql = PrintedBodies.of(engine);
    assertThat(sql.call("js_unprefixed", "PM", "PM0000000000000000123")).isEqualTo("123");
    assertThat(sql.call("js_unprefixed", "PM", "PM0000000000000000000")).isEqualTo("0");
    assertThat(sql.call("js_try_unprefixed", "PM", "PM00000000000000000123")).isNull();
    assertThat(sql.call("js_try_unprefixed", "PM", "PM")).isNull();
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.warehouse.PrintedBodies#engines")
  void nullAnywhereIsNull(Warehouse engine) {
    PrintedBodies sql = PrintedBodies.of(engine);
    for (WarehouseFunction function : WarehouseFunction.values()) {
      List<String> names =
          function.hasTry()
              ? List.of(function.label(), function.tryName())
              : List.of(function.label());
      for (String name : names) {
        String body = sql.bodies().containsKey(name) ? name : "js_" + name;
        for (int i = 0; i < function.parameters().size(); i++) {
          @Nullable String[] arguments = new String[function.parameters().size()];
          Arrays.fill(arguments, "7");
          arguments[i] = null;
          assertThat(sql.call(body, arguments)).as(name).isNull();
        }
      }
    }
  }

  @Provide
  Arbitrary<String> prefixes() {
    return Arbitraries.of(
        "",
        "PM",
        "Invoice-EU27_BE-",
        "Abcdefghijklmnopq",
        "PM1",
        "1PM",
        "-",
        "A_",
        "P M",
        "É",
        "A\n");
  }

  @Provide
  Arbitrary<String> nearTypeIds() {
    return damaged("some_type_01h455vb4pex5vsknk084sn02q", "_aZ18u-");
  }

  @Provide
  Arbitrary<String> nearUlids() {
    return damaged("01FZG96YPZK4SANAG1ZM5T2K9Z", "0789uUaſ\"\\\u0000\u212a");
  }

  @Provide
  Arbitrary<String> nearUuids() {
    return damaged("017fe093-7adf-9932-aaaa-01fd0ba14d3f", "0aFg-\"\\\u2028\ud83d\ude00");
  }

  /** Segments that are escaped, partly escaped and not escaped. */
  @Provide
  Arbitrary<String> segments() {
    return Arbitraries.oneOf(
        Arbitraries.strings().withChars("aZ09-._~:/%!'()*+ 3A\"\u0000\u00fc\u20ac").ofMaxLength(8),
        Arbitraries.of(
            "%41",
            "%C3%BC", "%c3", "%ED%A0%80", "%C0%80", "\ud83d\ude00", "%F0%9F%98%80", "%", "%4"));
  }

  /** A text with one character replaced, removed or replaced by two. */
  private static Arbitrary<String> damaged(String text, String others) {
    return Arbitraries.integers()
        .between(0, text.length() - 1)
        .flatMap(
            i ->
                Arbitraries.integers()
                    .between(0, others.codePointCount(0, others.length()) + 1)
                    .map(
                        choice -> {
                          int count = others.codePointCount(0, others.length());
                          String instead =
                              choice < count
                                  ? Character.toString(others.codePoints().toArray()[choice])
                                  : choice == count ? "" : "00";
                          return text.substring(0, i) + instead + text.substring(i + 1);
                        }));
  }

  private interface Answer {
    String get();
  }

  /** Returns the answer, or the message of the exception. */
  private static String inJava(Answer answer) {
    try {
      return answer.get();
    } catch (IllegalArgumentException e) {
      return "Error: " + e.getMessage();
    }
  }

  private static String answer(PrintedBodies sql, String function, String... arguments) {
    String refusal = sql.refusal(function, arguments);
    return refusal.startsWith("answered ") ? refusal.substring("answered ".length()) : refusal;
  }

  private static List<PrintedBodies> all() {
    return PrintedBodies.engines().stream().map(PrintedBodies::of).toList();
  }
}
