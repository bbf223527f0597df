package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

@Domain(Ids.class)
@Domain(DomainContext.Global.class)
class InspectorTest {
  private static final String DECIMAL = "0123456789";
  private static final String HEX = DECIMAL + "abcdef";
  private static final String CROCKFORD = DECIMAL + "ABCDEFGHJKMNPQRSTVWXYZ";
  private static final String BASE62 =
      DECIMAL + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final String BASE64URL = BASE62 + "-_";

  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));

  @Test
  void exampleInTheDocumentationHolds() {
    Reading likely = Inspector.inspect("017fe093-7adf-9932-aaaa-01fd0ba14d3f").get(0);

    assertThat(likely.kind()).isEqualTo("ulid");
    assertThat(likely.time()).contains(Instant.parse("2022-03-31T15:23:55.999Z"));
    assertThat(likely.reason())
        .startsWith("this kind, among others, is written as 32 hexadecimal digits with hyphens, ");
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.Vectors#identifiers")
  void vectorIsReadAsItSays(JsonNode vector) {
    List<Reading> readings = Inspector.inspect(vector.path("input").stringValue(), CLOCK);
    Reading first = readings.get(0);

    assertThat(readings.stream().map(Reading::kind))
        .containsExactlyElementsOf(strings(vector.path("readings")));
    assertThat(labelled(first.forms())).isEqualTo(texts(vector.path("forms")));
    assertThat(first.time().map(Form::timeText).orElse("none"))
        .isEqualTo(vector.path("time").asString("none"));
    assertThat(first.version().orElse(-1)).isEqualTo(vector.path("version").asInt(-1));
    assertThat(first.reason()).contains(vector.path("reason").asString(""));
    assertWarnings(first, strings(vector.path("warnings")));
    if (vector.has("fields")) {
      assertThat(first.fields().stream().map(InspectorTest::fieldText))
          .containsExactlyElementsOf(fieldTexts(vector.path("fields")));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.Vectors#rankings")
  void rankingIsAsTheVectorSaysAndForItsReasons(JsonNode vector) {
    InstantSource clock = InstantSource.fixed(Instant.parse(vector.path("now").stringValue()));

    List<Reading> readings = Inspector.inspect(vector.path("input").stringValue(), clock);

    List<JsonNode> expected = vector.path("readings").valueStream().toList();
    assertThat(readings.stream().map(Reading::kind))
        .containsExactlyElementsOf(
            expected.stream().map(one -> one.path("kind").stringValue()).toList());
    for (int i = 0; i < expected.size(); i++) {
      assertThat(readings.get(i).time().map(Form::timeText).orElse("none"))
          .isEqualTo(expected.get(i).path("time").asString("none"));
      assertThat(readings.get(i).reason()).endsWith(expected.get(i).path("reason").stringValue());
    }
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.Vectors#pasted")
  void whatPeopleCopyIsReadOrItsMistakeIsNamed(JsonNode vector) {
    String text = vector.path("input").stringValue();
    List<Reading> readings = Inspector.inspect(text);

    if (vector.has("miss")) {
      assertThat(readings).isEmpty();
      assertThat(Inspector.nearestMiss(text)).startsWith(vector.path("miss").stringValue());
    } else {
      assertThat(readings).as(text).isNotEmpty();
      assertThat(readings.get(0).kind()).isEqualTo(vector.path("kind").stringValue());
      for (Reading.Field field : readings.get(0).fields()) {
        assertThat(field.text().end()).isLessThanOrEqualTo(text.length());
      }
    }
  }

  @Test
  void fieldsOfAQuotedTextAreCountedInTheGivenText() {
    Reading reading = Inspector.inspect("(\"01FZG96YPZ-K4SANAG1ZM5T2K9Z\")").get(0);

    assertThat(reading.fields().get(0).text()).isEqualTo(new Reading.Span(2, 12));
    assertThat(reading.fields().get(1).text()).isEqualTo(new Reading.Span(13, 29));
  }

  /** All its characters are hexadecimal digits, as many as a SHA-512 has. */
  @Test
  void binaryNumberOf126DigitsIsNoDigest() {
    String binary =
        Form.BIN.write(Ulid.of(UUID.fromString("3461e296-fa30-471a-96e8-d9154e55bfc4")));
    String digest = "0b1" + "2".repeat(125);

    assertThat(binary).hasSize(128);
    assertThat(kinds(binary)).containsExactly("uuidv4");
    assertThat(kinds(digest)).containsExactly("digest-512");
    assertThat(kinds("0B1" + "2".repeat(125))).containsExactly("digest-512");
  }

  /** One of 10,000 NanoIDs ends in a zero and digits behind a letter or hyphen. */
  @Test
  void nanoIdThatEndsLikeASequenceIsBoth() {
    assertThat(kinds("h-nURQe9YNJgLj5S03712")).startsWith("sequence").contains("nanoid");
  }

  /** Everything that is minted and printed. */
  @Property
  void whatMintmarkPrintsIsReadBack(@ForAll Kind kind, @ForAll Form form) {
    if (kind.isMinted()) {
      readBack(kind, form);
    }
  }

  private static void readBack(Kind kind, Form form) {
    boolean hasPrefix = kind.has(Kind.Option.PREFIX);
    IdType<?> type = IdType.of(kind, hasPrefix ? "user" : "");
    MintSettings settings =
        kind.has(Kind.Option.NODE)
            ? new MintSettings(Optional.empty(), Optional.of(7))
            : MintSettings.NONE;
    String text = mintedText(type, settings);
    List<String> kinds = kinds(text);
    assertThat(kinds)
        .as(text)
        .anyMatch(read -> read.startsWith(kind.label()) || kind.label().startsWith(read));
    assertThat(kinds("shop:things:" + text)).as(text).startsWith("puri").containsAll(kinds);
    boolean isOf128Bits = kind.storage() == Kind.Storage.UUID;
    if (isOf128Bits && form.isReadable()) {
      while (isShort(new BigInteger(IdReader.of(type).write(text, Form.INT)))) {
        text = mintedText(type, settings);
      }
      String written = IdReader.of(type).write(text, form);
      assertThat(kinds(written)).as(written).isNotEmpty();
      assertThat(Inspector.inspect(written).get(0).forms().get(Form.HEX))
          .isEqualTo(IdReader.of(type).write(text, Form.HEX));
    }
  }

  private static <T> String mintedText(IdType<T> type, MintSettings settings) {
    return type.format(Mint.of(type, settings, MintOptions.DEFAULT).mint());
  }

  /** Whether it has fewer decimal digits than a number that is read as one of 128 bits. */
  private static boolean isShort(BigInteger number) {
    return number.compareTo(BigInteger.TEN.pow(34)) < 0;
  }

  private static List<String> kinds(String text) {
    return Inspector.inspect(text).stream().map(Reading::kind).toList();
  }

  @Property
  void any128BitsAreReadInEveryForm(@ForAll Ulid id, @ForAll Form form) {
    boolean isLong = form.isReadable() && !isShort(id.toBigInteger());
    if (isLong) {
      assertThat(kinds(form.write(id))).as(form.write(id)).isNotEmpty();
    }
  }

  @Property
  void anyTextHasANearestMiss(@ForAll String text) {
    assertThat(Inspector.nearestMiss(text)).startsWith("malformed ");
  }

  @Test
  void compactPurisOfTheCatalogAreRead() {
    CollectionSpec payments =
        CollectionSpec.builder("payments", Kind.SEQUENCE).prefix("PM").code("p").build();
    Puris puris =
        Puris.of(
            new Catalog(
                new NamespaceSpec("shop", Optional.of("s"), List.of(payments)),
                List.of(),
                List.of()));
    List<Reading> readings = Inspector.inspect("s.p.123", InstantSource.system(), puris);

    assertThat(readings.get(0).kind()).isEqualTo("puri");
    assertThat(readings.get(0).forms()).containsEntry(Form.PURI, "shop:payments:PM123");
    assertThat(Inspector.inspect("s.p.123")).isEmpty();
    assertThat(Inspector.inspect("www.example.org")).isEmpty();
    assertThat(Inspector.inspect("12:34:56")).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.Vectors#withoutReading")
  void malformedVectorHasNoReading(JsonNode vector) {
    assertThat(Inspector.inspect(vector.path("input").stringValue(), CLOCK)).isEmpty();
  }

  @Property
  void anyTextHasReadingsOrNone(@ForAll String text) {
    assertThat(Inspector.inspect(text, CLOCK)).allSatisfy(reading -> assertIsWhole(reading, text));
  }

  @Property
  void whatLooksLikeAnIdentifierHasReadingsOrNone(@ForAll("lookalikes") String text) {
    assertThat(Inspector.inspect(text, CLOCK)).allSatisfy(reading -> assertIsWhole(reading, text));
  }

  @Provide
  Arbitrary<String> lookalikes() {
    Arbitrary<String> prefixes = Arbitraries.of("", "", "user_", "sk_test_", "PM", "PM-");
    Arbitrary<String> texts =
        Combinators.combine(
                Arbitraries.of(DECIMAL, HEX, CROCKFORD, BASE62, BASE64URL),
                Arbitraries.of(1, 10, 13, 16, 19, 20, 22, 24, 26, 27, 32, 37, 39))
            .flatAs((digits, length) -> Arbitraries.strings().withChars(digits).ofLength(length));
    return Combinators.combine(prefixes, texts).as(String::concat);
  }

  @Property
  void numberWithinItsWidthIsASequenceAtLeast(@ForAll @LongRange(min = 0) long number) {
    List<Reading> readings = Inspector.inspect(Long.toString(number), CLOCK);

    Reading last = readings.get(readings.size() - 1);
    assertThat(last.kind()).isEqualTo("sequence");
    assertThat(last.forms()).containsEntry(Form.INT, Long.toString(number));
  }

  @Property
  void sequenceIdThatIsPaddedOrBehindCapitalsIsASequence(
      @ForAll("formats") SequenceId.Format format, @ForAll @LongRange(min = 0) long number) {
    String text = format.of(number).toString();
    boolean isBehindCapitals = format.prefix().matches("[A-Z]+[_-]?");
    boolean isPadded = text.startsWith("0", format.prefix().length()) && number > 0;
    Assume.that(isBehindCapitals || isPadded);

    Optional<Reading> sequence =
        Inspector.inspect(text, CLOCK).stream()
            .filter(reading -> reading.kind().equals("sequence"))
            .findFirst();

    assertThat(sequence.orElseThrow().forms()).containsEntry(Form.INT, Long.toString(number));
  }

  @Provide
  Arbitrary<SequenceId.Format> formats() {
    return Combinators.combine(
            Arbitraries.of("", "P", "PM", "ABCDEFGHIJKLMNOP", "Pm", "v2-", "inv-2024-eu-00_"),
            Arbitraries.integers().between(0, SequenceId.Format.WIDTH_MAX))
        .as(SequenceId.Format::new);
  }

  @Property
  void maskIsReadAsOneFirstInEitherCase(@ForAll long number, @ForAll Ulid id) {
    Keyring keyring = Keyring.of('3', KeyringTest.secret(1));
    CollectionSpec.Face face = new CollectionSpec.Face("pay_2", "payments");
    String ofNumber = Mask.ofNumbers(keyring, face).show(number);
    String ofUuid = Mask.ofUuids(keyring, face).show(id.toUuid());

    for (String mask : List.of(ofNumber, ofUuid)) {
      assertThat(Inspector.inspect(mask, CLOCK).get(0).kind()).isEqualTo("mask");
      assertThat(Inspector.inspect(mask.toUpperCase(Locale.ROOT), CLOCK).get(0).kind())
          .isEqualTo("mask");
    }
  }

  @Property
  void fieldsAreAllBitsInTheirOrder(@ForAll Ulid id, @ForAll("inspected") Form form) {
    for (Reading reading : Inspector.inspect(id.to(form), CLOCK)) {
      assertThat(reading.fields().get(reading.fields().size() - 1).bits().end()).isEqualTo(128);
      boolean isOtherByteOrder = reading.reason().startsWith("it can be ");
      if (!isOtherByteOrder) {
        assertThat(number(reading)).isEqualTo(id.toBigInteger());
      }
    }
  }

  @Test
  void textOf10MegabytesHasNoReading() {
    for (String digit : List.of("0", "7", "a", "_", "\ud835\udfd8")) {
      assertThat(Inspector.inspect(digit.repeat(10_000_000 / digit.length()), CLOCK)).isEmpty();
    }
  }

  @Test
  void textIsReadUpTo255Characters() {
    String prefix = "a".repeat(Inspector.LENGTH_MAX - 27) + "_";

    assertThat(Inspector.inspect(prefix + "01FZG96YPZK4SANAG1ZM5T2K9Z", CLOCK)).hasSize(1);
    assertThat(Inspector.inspect("a" + prefix + "01FZG96YPZK4SANAG1ZM5T2K9Z", CLOCK)).isEmpty();
  }

  @Property
  void charactersOfAFieldAreThoseThatChangeWithItsBits(
      @ForAll Ulid id, @ForAll("inspected") Form form) {
    String text = id.to(form);
    for (Reading.Field field : Inspector.inspect(text, CLOCK).get(0).fields()) {
      String flipped = Ulid.from(id.toBigInteger().xor(mask(field.bits()))).to(form);

      int[] changed =
          IntStream.range(0, text.length())
              .filter(i -> text.charAt(i) != flipped.charAt(i))
              .toArray();

      assertThat(field.text())
          .isEqualTo(new Reading.Span(changed[0], changed[changed.length - 1] + 1));
    }
  }

  @Provide
  Arbitrary<Form> inspected() {
    return Arbitraries.of(Form.TEXT, Form.LOWER, Form.UUID, Form.HEX);
  }

  @Property
  void uuidAlwaysHasAReading(@ForAll Ulid id) {
    assertThat(Inspector.inspect(id.to(Form.UUID), CLOCK)).isNotEmpty();
    assertThat(Inspector.inspect(id.to(Form.TEXT), CLOCK).get(0).kind()).isEqualTo("ulid");
  }

  @Test
  void versionDigitThatIsNoneLeavesTheUlid() {
    List<Reading> readings = Inspector.inspect("017fe093-7adf-9932-aaaa-01fd0ba14d3f", CLOCK);

    assertThat(readings.get(0).kind()).isEqualTo("ulid");
    assertThat(readings.get(0).warnings())
        .containsExactly("9 is not a version of RFC 9562: it only has the form of a UUID");
  }

  @Test
  void draftIsMoreLikelyThanAVersion7FromTheFuture() {
    List<Reading> readings = Inspector.inspect("061ff8d8-e24b-7000-8092-ca1e5440d491", CLOCK);

    assertThat(readings.get(0).kind()).isEqualTo("uuidv7-draft");
    assertThat(readings.get(0).time()).contains(Instant.parse("2022-02-06T08:57:50.587Z"));
    assertThat(readings.get(1).kind()).isEqualTo("uuidv7");
    assertThat(readings.get(1).warnings()).singleElement().asString().contains("2183");
  }

  @Test
  void futureBeginsADayFromNow() {
    String id = Uuids.mintV7(CLOCK, new Random(1)).toString();
    InstantSource dayBefore = InstantSource.fixed(CLOCK.instant().minusSeconds(24 * 3600));
    InstantSource earlier = InstantSource.fixed(CLOCK.instant().minusSeconds(24 * 3600 + 1));

    assertThat(Inspector.inspect(id, dayBefore).get(0).warnings()).isEmpty();
    assertThat(Inspector.inspect(id, earlier).get(0).warnings())
        .containsExactly("the time 2026-01-01T00:00:00.000Z is in the future");
  }

  @Test
  void version7WithoutRandomnessIsWarnedOf() {
    List<Reading> readings = Inspector.inspect("017f22e2-79b0-7000-8000-000000000000", CLOCK);

    assertThat(readings.get(0).warnings()).containsExactly("every random bit is zero");
  }

  /** The fields follow one another from bit 0 on, and each is in characters that are there. */
  private static void assertIsWhole(Reading reading, String text) {
    int end = 0;
    for (Reading.Field field : reading.fields()) {
      assertThat(field.bits().first()).isEqualTo(end);
      assertThat(field.value().bitLength()).isLessThanOrEqualTo(field.bits().length());
      assertThat(field.text().end()).isLessThanOrEqualTo(text.length());
      end = field.bits().end();
    }
    String hex = reading.forms().getOrDefault(Form.HEX, "");
    assertThat(hex)
        .matches(digits -> digits.isEmpty() || new BigInteger(digits, 16).equals(number(reading)));
  }

  /** The fields one behind the other. */
  private static BigInteger number(Reading reading) {
    BigInteger number = BigInteger.ZERO;
    for (Reading.Field field : reading.fields()) {
      number = number.shiftLeft(field.bits().length()).or(field.value());
    }
    return number;
  }

  private static BigInteger mask(Reading.Span bits) {
    BigInteger ones = BigInteger.ONE.shiftLeft(bits.length()).subtract(BigInteger.ONE);
    return ones.shiftLeft(128 - bits.end());
  }

  private static void assertWarnings(Reading reading, List<String> parts) {
    assertThat(reading.warnings()).hasSameSizeAs(parts);
    for (int i = 0; i < parts.size(); i++) {
      assertThat(reading.warnings().get(i)).contains(parts.get(i));
    }
  }

  private static List<String> strings(JsonNode array) {
    return array.valueStream().map(JsonNode::stringValue).toList();
  }

  private static Map<String, String> texts(JsonNode object) {
    Map<String, String> texts = new LinkedHashMap<>();
    object.properties().forEach(e -> texts.put(e.getKey(), e.getValue().stringValue()));
    return texts;
  }

  private static Map<String, String> labelled(Map<Form, String> forms) {
    Map<String, String> labelled = new LinkedHashMap<>();
    forms.forEach((form, text) -> labelled.put(form.label(), text));
    return labelled;
  }

  private static String fieldText(Reading.Field field) {
    return "%s bits [%d,%d] text [%d,%d] = %s"
        .formatted(
            field.name(),
            field.bits().first(),
            field.bits().end(),
            field.text().first(),
            field.text().end(),
            field.value());
  }

  private static List<String> fieldTexts(JsonNode fields) {
    return fields
        .valueStream()
        .map(
            field ->
                "%s bits %s text %s = %s"
                    .formatted(
                        field.path("name").stringValue(),
                        field.path("bits"),
                        field.path("text"),
                        field.path("value").asString()))
        .toList();
  }
}
