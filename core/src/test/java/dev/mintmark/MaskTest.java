package dev.mintmark;

import static dev.mintmark.KeyringTest.secret;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.mintmark.CollectionSpec.Face;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

@Domain(Ids.class)
@Domain(DomainContext.Global.class)
class MaskTest {
  private static final Face PAYMENTS = new Face("pay", "payments");
  private static final Keyring KEYRING = Keyring.of('a', secret(1));
  private static final Mask<Long> NUMBERS = Mask.ofNumbers(KEYRING, PAYMENTS);
  private static final Mask<UUID> UUIDS = Mask.ofUuids(KEYRING, PAYMENTS);

  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

  static Stream<JsonNode> faces() {
    return Vectors.masks().stream().filter(vector -> vector.has("id"));
  }

  static Stream<JsonNode> texts() {
    return Vectors.masks().stream().filter(vector -> vector.has("reason"));
  }

  @Test
  void exampleInTheDocumentationHolds() {
    Mask<Long> payments = Mask.ofNumbers(KEYRING, new Face("pay", "payments"));

    String face = payments.show(123L);

    assertThat(face).matches("pay_a[0-7][0-9a-z]{25}");
    assertThat(payments.open(face)).isEqualTo(123L);
  }

  /** A forged face has it too: only the mask knows better. */
  @Test
  void theFormOfAFaceDoesNotDependOnItsKey() {
    String face = NUMBERS.show(123L);
    String forged = face.substring(0, face.length() - 1) + (face.endsWith("z") ? "y" : "z");

    assertThat(NUMBERS.tryOpen(forged)).isEmpty();
    assertThat(List.of(face, forged, face.toUpperCase(Locale.ROOT))).allMatch(PAYMENTS::hasFormOf);
    assertThat(List.of(face.substring(1), "PM000123", "")).noneMatch(PAYMENTS::hasFormOf);
    assertThat(Face.ofUuids("payments").hasFormOf("017fe093-7adf-8932-aaaa-01fd0ba14d3f")).isTrue();
  }

  @ParameterizedTest
  @MethodSource("faces")
  void vectorsShowAndOpen(JsonNode vector) {
    String id = text(vector, "id");
    String face = text(vector, "face");

    if (text(vector, "storage").equals("bigint")) {
      assertThat(numbers(vector).show(Long.valueOf(id))).isEqualTo(face);
      assertThat(numbers(vector).open(face)).isEqualTo(Long.valueOf(id));
    } else {
      Mask<UUID> uuids = Mask.ofUuids(keyring(vector), face(vector));
      assertThat(uuids.show(Uuids.parse(id))).isEqualTo(face);
      assertThat(uuids.open(face)).isEqualTo(Uuids.parse(id));
    }
  }

  @ParameterizedTest
  @MethodSource("texts")
  void vectorsThatAreNoFaceAreRefused(JsonNode vector) {
    Mask<Long> mask = numbers(vector);
    String text = text(vector, "face");

    assertThat(mask.tryOpen(text)).isEmpty();
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> mask.open(text))
        .withMessageStartingWith("malformed face " + Quoted.of(text) + ": ")
        .withMessageEndingWith(text(vector, "reason"));
  }

  @Property
  void facesOpenInEitherCaseAndAreOfOneLength(@ForAll long number, @ForAll Ulid id) {
    String sealed = NUMBERS.show(number);
    String hidden = UUIDS.show(id.toUuid());

    assertThat(List.of(sealed, hidden)).allMatch(face -> face.matches("pay_[0-9a-z]{27}"));
    assertThat(NUMBERS.open(sealed)).isEqualTo(number);
    assertThat(NUMBERS.open(sealed.toUpperCase(Locale.ROOT))).isEqualTo(number);
    assertThat(UUIDS.open(hidden)).isEqualTo(id.toUuid());
    assertThat(UUIDS.open(hidden.toUpperCase(Locale.ROOT))).isEqualTo(id.toUuid());
  }

  @Property(tries = 20)
  void anyOtherCharacterAnywhereInASealedFaceIsRefused(@ForAll long number) {
    String face = NUMBERS.show(number);

    for (int i = 0; i < face.length(); i++) {
      for (char other : (DIGITS + "_ilou").toCharArray()) {
        String changed = face.substring(0, i) + other + face.substring(i + 1);
        if (!changed.equals(face)) {
          assertThat(NUMBERS.tryOpen(changed)).as(changed).isEmpty();
        }
      }
    }
  }

  @Property
  void everyWellFormedTextHidesSomeUuid(@ForAll Ulid block) {
    String face = "pay_a" + block.toString().toLowerCase(Locale.ROOT);

    assertThat(UUIDS.show(UUIDS.open(face))).isEqualTo(face);
  }

  @Property
  void anyTextIsReadOrRefused(@ForAll @StringLength(max = 40) String text) {
    assertThat(NUMBERS.tryOpen(text)).isEmpty();
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> UUIDS.open(text))
        .withMessageStartingWith("malformed face \"");
  }

  @Test
  void textOfMegabytesIsRefusedByItsLength() {
    assertThatThrownBy(() -> UUIDS.open("pay_" + "0".repeat(10_000_000)))
        .isInstanceOf(MalformedIdException.class)
        .hasMessageEndingWith("it has 10000004 characters: expected 31")
        .message()
        .hasSizeLessThan(200);
  }

  /** Of 128 bits, neighbours share as many as two random blocks do: half of them. */
  @Test
  void facesOfNeighboursShareNothing() {
    long neighbours = 10_000;

    long sealedBits =
        LongStream.range(0, neighbours)
            .map(i -> different(block(NUMBERS.show(i)), block(NUMBERS.show(i + 1))))
            .sum();
    long hiddenBits =
        LongStream.range(0, neighbours)
            .map(
                i ->
                    different(
                        block(UUIDS.show(new UUID(0, i))), block(UUIDS.show(new UUID(0, i + 1)))))
            .sum();

    // 1.28 million bits: the standard deviation is 0.09 percent.
    assertThat(sealedBits).isCloseTo(64 * neighbours, withinPercentage(1));
    assertThat(hiddenBits).isCloseTo(64 * neighbours, withinPercentage(1));
  }

  @Test
  void facesOfManyNumbersAreDistinct() {
    Set<String> faces = new HashSet<>();

    LongStream.range(0, 10_000).forEach(number -> faces.add(NUMBERS.show(number)));

    assertThat(faces).hasSize(10_000);
  }

  @Test
  void oldFacesStillOpenAfterARotation() {
    Keyring rotated = Keyring.of('b', secret(2)).withOlder('a', secret(1));
    Mask<Long> after = Mask.ofNumbers(rotated, PAYMENTS);

    String oldFace = NUMBERS.show(123L);
    String newFace = after.show(123L);

    assertThat(oldFace).startsWith("pay_a").isNotEqualTo(newFace);
    assertThat(newFace).startsWith("pay_b");
    assertThat(after.open(oldFace)).isEqualTo(after.open(newFace)).isEqualTo(123L);
    assertThat(NUMBERS.tryOpen(newFace)).isEmpty();
  }

  @Test
  void keyThatWasTakenAwayIsNamedInTheMessage() {
    Keyring rotated = Keyring.of('c', secret(3)).withOlder('b', secret(2));

    for (Mask<?> mask :
        List.of(Mask.ofNumbers(rotated, PAYMENTS), Mask.ofUuids(rotated, PAYMENTS))) {
      assertThatThrownBy(() -> mask.open(NUMBERS.show(123L)))
          .isInstanceOf(MalformedIdException.class)
          .hasMessageEndingWith("character 4, 'a', is not the name of a key: expected one of c, b");
    }
  }

  @Test
  void faceOfAnotherKeyUnderTheSameNameIsRefused() {
    Mask<Long> other = Mask.ofNumbers(Keyring.of('a', secret(2)), PAYMENTS);

    assertThat(other.tryOpen(NUMBERS.show(123L))).isEmpty();
  }

  @Test
  void prefixHasNoPartInTheKey() {
    Mask<Long> renamed = Mask.ofNumbers(KEYRING, new Face("payment", "payments"));

    assertThat(renamed.show(123L)).isEqualTo(NUMBERS.show(123L).replace("pay_", "payment_"));
  }

  @Test
  void equalNumbersOfTwoCollectionsHaveUnequalBlocks() {
    Mask<Long> mandates = Mask.ofNumbers(KEYRING, new Face("pay", "mandates"));

    assertThat(mandates.show(123L)).isNotEqualTo(NUMBERS.show(123L));
    assertThat(mandates.tryOpen(NUMBERS.show(123L))).isEmpty();
  }

  @Test
  void numbersAndUuidsNeverShareAKey() {
    UUID blockOf123 = new UUID(123, 0);

    assertThat(UUIDS.show(blockOf123)).isNotEqualTo(NUMBERS.show(123L));
  }

  @Test
  void manyThreadsShareAMask() throws Exception {
    int threads = 16; // more than there are places for ciphers
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Boolean>> allOpen = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        long first = thread * 5_000L;
        allOpen.add(
            executor.submit(
                () ->
                    LongStream.range(first, first + 5_000)
                        .allMatch(number -> NUMBERS.open(NUMBERS.show(number)) == number)));
      }
      for (Future<Boolean> future : allOpen) {
        assertThat(future.get()).isTrue();
      }
    } finally {
      executor.shutdown();
    }
  }

  @Test
  void textOfAMaskNamesItsPrefixAndKeys() {
    Keyring rotated = Keyring.of('b', secret(2)).withOlder('a', secret(1));

    assertThat(Mask.ofNumbers(rotated, PAYMENTS)).hasToString("Mask[pay_, keys b, a]");
  }

  private static int different(Ulid a, Ulid b) {
    return Long.bitCount(a.mostSignificantBits() ^ b.mostSignificantBits())
        + Long.bitCount(a.leastSignificantBits() ^ b.leastSignificantBits());
  }

  private static Ulid block(String face) {
    return Ulid.parse(face.substring("pay_a".length()));
  }

  private static Mask<Long> numbers(JsonNode vector) {
    return Mask.ofNumbers(keyring(vector), face(vector));
  }

  private static Keyring keyring(JsonNode vector) {
    return Keyring.of(
        text(vector, "key").charAt(0), HexFormat.of().parseHex(text(vector, "secret")));
  }

  private static Face face(JsonNode vector) {
    return new Face(
        text(vector, "mask"),
        text(vector, "key_label"),
        Face.Shape.parse(vector.path("shape").stringValue("long")));
  }

  private static String text(JsonNode vector, String member) {
    return vector.path(member).stringValue();
  }
}
