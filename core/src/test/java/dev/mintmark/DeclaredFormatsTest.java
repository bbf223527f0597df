package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.mintmark.FormatSpec.Bits;
import dev.mintmark.FormatSpec.DigitNotation;
import dev.mintmark.FormatSpec.Field;
import dev.mintmark.FormatSpec.Shape;
import dev.mintmark.FormatSpec.TimeRange;
import dev.mintmark.FormatSpec.Unit;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DeclaredFormatsTest {
  private static final Instant EPOCH = Instant.parse("2020-05-01T00:00:00Z");
  private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
  private static final NamespaceSpec SHOP = new NamespaceSpec("shop", Optional.empty(), List.of());
  private static final Puris PURIS = Puris.of(new Catalog("shop", List.of(), List.of()));

  private static final FormatSpec ACME_FLAKE =
      new FormatSpec("acme-flake", Bits.snowflake(EPOCH, 10, 12));
  private static final FormatSpec SHOP_ORDER =
      new FormatSpec("shop-order", new Shape("SO-[0-9a-z]{12}"));

  /** 2024-01-01T00:00:00.123Z is 115,776,000,123 ms after the epoch; node 5, sequence 7. */
  private static final String FLAKE = "485599740419919879";

  @Test
  void snowflakeWithAnEpochIsReadFirst() {
    List<Reading> readings = inspect(FLAKE, ACME_FLAKE);

    assertThat(readings).extracting(Reading::kind).startsWith("acme-flake", "snowflake-twitter");
    Reading first = readings.get(0);
    assertThat(first.time()).contains(Instant.parse("2024-01-01T00:00:00.123Z"));
    assertThat(first.reason())
        .isEqualTo(
            "the catalog declares this kind, which is written as a decimal number, and its time is plausible");
    assertThat(first.fields())
        .extracting(field -> field.name() + " " + field.value())
        .containsExactly("sign 0", "timestamp 115776000123", "node 5", "sequence 7");
    assertThat(first.warnings())
        .containsExactly("JavaScript rounds numbers above 2^53-1: use text there and in JSON");
    assertThat(readings.get(1).reason()).endsWith("; the catalog declares the kind before");
  }

  @Test
  void formatOfAnImplausibleTimeIsNotRead() {
    FormatSpec retired =
        new FormatSpec(
            "acme-flake",
            Bits.snowflake(EPOCH, 10, 12)
                .withTime(
                    new TimeRange(
                        EPOCH, EPOCH, Optional.of(Instant.parse("2023-12-31T00:00:00Z")))));
    FormatSpec ofTheFuture =
        new FormatSpec("acme-flake", Bits.snowflake(Instant.parse("2024-06-01T00:00:00Z"), 10, 12));
    List<Reading> builtIn = inspect(FLAKE);

    assertThat(inspect(FLAKE, ACME_FLAKE)).hasSize(builtIn.size() + 1);
    assertThat(inspect(FLAKE, retired)).isEqualTo(builtIn);
    assertThat(inspect(FLAKE, ofTheFuture)).isEqualTo(builtIn);
  }

  @Test
  void formatWithAPrefixIsReadWithAWarningIfItsTimeIsNotPlausible() {
    TimeRange until2023 =
        new TimeRange(EPOCH, EPOCH, Optional.of(Instant.parse("2023-12-31T00:00:00Z")));
    FormatSpec format =
        new FormatSpec(
            "acme-flake",
            Bits.snowflake(EPOCH, 10, 12)
                .withTime(until2023)
                .withText(DigitNotation.DECIMAL, "acme:", OptionalInt.empty()));

    List<Reading> readings = inspect("acme:" + FLAKE, format);

    assertThat(readings).extracting(Reading::kind).containsExactly("acme-flake");
    assertThat(readings.get(0).warnings())
        .containsExactly(
            "the time 2024-01-01T00:00:00.123Z is after the last identifiers of this kind");
    assertThat(readings.get(0).fields().get(1).text()).isEqualTo(new Reading.Span(5, 23));
  }

  @Test
  void shapeIsReadBesideBuiltInFormats() {
    FormatSpec loose = new FormatSpec("codes", new Shape("[0-9A-Z]{26}"));

    assertThat(inspect("SO-0123456789ab", SHOP_ORDER))
        .extracting(Reading::kind)
        .containsExactly("shop-order");
    assertThat(inspect(" \"SO-0123456789ab\"", SHOP_ORDER).get(0).fields().get(0).text())
        .isEqualTo(new Reading.Span(2, 17));
    assertThat(inspect("01FZG96YPZK4SANAG1ZM5T2K9Z", loose))
        .extracting(Reading::kind)
        .containsExactly("ulid", "codes");
  }

  @Test
  void identifierOfAPuriHasAFormat() {
    assertThat(inspect("shop:orders:SO-0123456789ab", SHOP_ORDER))
        .extracting(Reading::kind)
        .containsExactly("puri", "shop-order");
  }

  @Test
  void formatsAreFoundInARunningText() {
    Catalog catalog =
        new Catalog(SHOP, List.of(), List.of(), List.of(), List.of(ACME_FLAKE, SHOP_ORDER));
    IdScanner scanner = IdScanner.of(catalog, InstantSource.fixed(NOW), address -> false);

    List<IdScanner.Found> found =
        scanner
            .scan("order SO-0123456789ab of " + FLAKE + ", SO-1, 2024, 20240131235959123")
            .found();

    assertThat(found)
        .extracting(one -> one.text() + " " + one.readings().get(0).kind())
        .containsExactly("SO-0123456789ab shop-order", FLAKE + " acme-flake");
  }

  @ParameterizedTest
  @EnumSource(DigitNotation.class)
  void whatIsWrittenInAFormatIsReadWithTheSameFields(DigitNotation notation) {
    for (long seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      Bits bits = bits(random, notation);
      List<BigInteger> values = values(random, bits);
      String text = write(bits, values);

      List<Reading> readings = inspect(text, new FormatSpec("acme", bits));

      assertThat(readings)
          .as("seed %d: %s of %s", seed, text, bits)
          .anySatisfy(
              reading -> {
                assertThat(reading.kind()).isEqualTo("acme");
                assertThat(reading.fields().stream().map(Reading.Field::value)).isEqualTo(values);
                assertThat(reading.time()).isEqualTo(time(bits, values));
              });
    }
  }

  @Test
  @Tag("slow")
  void catastrophicPatternDoesNotHangTheScanner() {
    FormatSpec evil = new FormatSpec("evil", new Shape("aa" + "[a-z0-9]{0,7}".repeat(36) + "_"));
    Catalog catalog = new Catalog(SHOP, List.of(), List.of(), List.of(), List.of(evil));
    String text = ("a".repeat(250) + "1 ").repeat(1_000);

    assertTimeoutPreemptively(
        Duration.ofMinutes(2),
        () -> assertThat(IdScanner.of(catalog).scan(text).found()).isEmpty());
  }

  @Test
  void nameOfABuiltInFormatIsRejected() {
    for (String name : List.of("ulid", "cuid", "text", "snowflake", "prefixed", "puri")) {
      assertThatThrownBy(() -> new FormatSpec(name, SHOP_ORDER.content()))
          .hasMessage(
              "format \"%s\": a built-in format has this name: choose another, such as \"our-%s\"",
              name, name);
    }
  }

  @Test
  void formatsOfACatalogHaveDifferentNamesAndALimit() {
    assertThatThrownBy(() -> catalog(List.of(SHOP_ORDER, SHOP_ORDER)))
        .hasMessage("format \"shop-order\": the name \"shop-order\" is taken by another format");
    assertThatThrownBy(
            () ->
                catalog(
                    IntStream.rangeClosed(0, 64)
                        .mapToObj(i -> new FormatSpec("f" + i, SHOP_ORDER.content()))
                        .toList()))
        .hasMessage("65 formats: expected at most 64");
  }

  private static Catalog catalog(List<FormatSpec> formats) {
    return new Catalog(SHOP, List.of(), List.of(), List.of(), formats);
  }

  private static List<Reading> inspect(String text, FormatSpec... formats) {
    return Inspector.inspect(
        text, InstantSource.fixed(NOW), PURIS, DeclaredFormats.of(List.of(formats)));
  }

  /** Random fields, among them often a time that ends before now. */
  private static Bits bits(Random random, DigitNotation notation) {
    List<Field> fields = new ArrayList<>();
    int width = notation == DigitNotation.UUID ? 128 : 20 + random.nextInt(200);
    boolean timed = random.nextBoolean();
    if (timed) {
      String unit = List.of("s", "ms", "10ms", "us", "256ms").get(random.nextInt(5));
      fields.add(Field.time(10 + random.nextInt(8), "time", Unit.parse(unit)));
    }
    int rest = width - fields.stream().mapToInt(Field::bits).sum();
    while (rest > 0) {
      int bits = 1 + random.nextInt(rest);
      String name = "f" + fields.size();
      FormatSpec.Type type = List.of(FormatSpec.Type.values()).get(random.nextInt(4));
      fields.add(
          fields.size() == FormatSpec.FIELDS_MAX - 1
              ? Field.of(rest, name, type)
              : random.nextInt(4) == 0
                  ? Field.fixed(bits, name, new BigInteger(bits, random))
                  : Field.of(bits, name, type));
      rest -= fields.get(fields.size() - 1).bits();
    }
    Collections.shuffle(fields, random);
    String prefix = random.nextBoolean() ? "" : "acme:";
    return new Bits(
        fields,
        timed ? Optional.of(TimeRange.from(EPOCH)) : Optional.empty(),
        notation,
        prefix,
        OptionalInt.empty());
  }

  private static List<BigInteger> values(Random random, Bits bits) {
    return bits.fields().stream()
        .map(field -> field.value().orElseGet(() -> new BigInteger(field.bits(), random)))
        .toList();
  }

  private static Optional<Instant> time(Bits bits, List<BigInteger> values) {
    return IntStream.range(0, values.size())
        .filter(i -> bits.fields().get(i).unit().isPresent())
        .mapToObj(
            i -> EPOCH.plus(unit(bits.fields().get(i)).multipliedBy(values.get(i).intValueExact())))
        .findFirst();
  }

  private static Duration unit(Field field) {
    return switch (field.unit().orElseThrow().toString()) {
      case "s" -> Duration.ofSeconds(1);
      case "ms" -> Duration.ofMillis(1);
      case "10ms" -> Duration.ofMillis(10);
      case "256ms" -> Duration.ofMillis(256);
      default -> Duration.ofNanos(1_000);
    };
  }

  /** Writes the bits digit by digit, as no code of the formats does. */
  private static String write(Bits bits, List<BigInteger> values) {
    String binary =
        IntStream.range(0, values.size())
            .mapToObj(i -> padded(values.get(i).toString(2), bits.fields().get(i).bits()))
            .collect(Collectors.joining());
    BigInteger number = new BigInteger(binary, 2);
    String digits =
        switch (bits.notation()) {
          case DECIMAL -> number.toString();
          case HEX -> padded(number.toString(16), (binary.length() + 3) / 4);
          case UUID ->
              padded(number.toString(16), 32)
                  .replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5");
          case CROCKFORD32 -> inAlphabet(binary, 5, true, "0123456789ABCDEFGHJKMNPQRSTVWXYZ");
          case BASE32 -> inAlphabet(binary, 5, false, "abcdefghijklmnopqrstuvwxyz234567");
          case BASE32HEX -> inAlphabet(binary, 5, false, "0123456789abcdefghijklmnopqrstuv");
          case BASE64URL ->
              inAlphabet(
                  binary,
                  6,
                  false,
                  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
          case BASE36 -> padded(number.toString(36), length(binary.length(), 36));
          case BASE58 ->
              inBase(
                  number,
                  binary.length(),
                  "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz");
          case BASE62 ->
              inBase(
                  number,
                  binary.length(),
                  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
        };
    return bits.prefix() + digits;
  }

  private static String padded(String digits, int length) {
    return "0".repeat(length - digits.length()) + digits;
  }

  private static String inAlphabet(String binary, int bits, boolean first, String alphabet) {
    String padding = "0".repeat((bits - binary.length() % bits) % bits);
    String padded = first ? padding + binary : binary + padding;
    return IntStream.range(0, padded.length() / bits)
        .map(i -> Integer.parseInt(padded.substring(i * bits, (i + 1) * bits), 2))
        .mapToObj(value -> alphabet.substring(value, value + 1))
        .collect(Collectors.joining());
  }

  private static String inBase(BigInteger number, int bits, String alphabet) {
    BigInteger base = BigInteger.valueOf(alphabet.length());
    StringBuilder digits = new StringBuilder();
    for (BigInteger rest = number; digits.length() < length(bits, alphabet.length()); ) {
      digits.append(alphabet.charAt(rest.mod(base).intValue()));
      rest = rest.divide(base);
    }
    return digits.reverse().toString();
  }

  private static int length(int bits, int base) {
    return (int) Math.ceil(bits * Math.log(2) / Math.log(base));
  }
}
