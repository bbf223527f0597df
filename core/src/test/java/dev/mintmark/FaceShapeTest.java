package dev.mintmark;

import static dev.mintmark.KeyringTest.secret;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.CollectionSpec.Face;
import dev.mintmark.CollectionSpec.Face.Shape;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faces that are UUIDs, and short ones. */
class FaceShapeTest {
  private static final Keyring KEYRING = Keyring.of('a', secret(1));
  private static final Keyring ROTATED = Keyring.of('z', secret(2)).withOlder('a', secret(1));
  private static final Face AS_UUID = Face.ofUuids("payments");
  private static final Face SHORT = new Face("pay", "payments", Shape.SHORT);
  private static final Mask<Long> UUID_NUMBERS = Mask.ofNumbers(KEYRING, AS_UUID);
  private static final Mask<UUID> UUIDS = Mask.ofUuids(KEYRING, AS_UUID);
  private static final Mask<Long> SHORT_NUMBERS = Mask.ofNumbers(KEYRING, SHORT);

  @Property
  void numberIsAUuidV8ThatOpensInEitherCase(@ForAll long number) {
    String face = UUID_NUMBERS.show(number);
    UUID uuid = UUID.fromString(face);

    assertThat(uuid.version()).isEqualTo(8);
    assertThat(uuid.variant()).isEqualTo(2);
    assertThat(UUID_NUMBERS.open(face)).isEqualTo(number);
    assertThat(UUID_NUMBERS.open(face.toUpperCase(Locale.ROOT))).isEqualTo(number);
    assertThat(Mask.ofNumbers(ROTATED, AS_UUID).open(face)).isEqualTo(number);
    assertThat(Mask.ofNumbers(ROTATED, AS_UUID).show(number)).isNotEqualTo(face);
  }

  @Property
  void uuidV7IsAUuidV8ThatOpens(
      @ForAll @LongRange(min = 0, max = (1L << 43) - 1) long millis,
      @ForAll Long a,
      @ForAll Long b) {
    UUID id = MillisecondLayout.UUID_V7.random(millis, Ulid.of(a, b));
    String face = UUIDS.show(id);

    assertThat(UUID.fromString(face).version()).isEqualTo(8);
    assertThat(UUIDS.open(face)).isEqualTo(id);
    assertThat(Mask.ofUuids(ROTATED, AS_UUID).open(face)).isEqualTo(id);
    assertThat(Mask.ofUuids(ROTATED, AS_UUID).open(Mask.ofUuids(ROTATED, AS_UUID).show(id)))
        .isEqualTo(id);
  }

  @Property
  void anyUuidV8OfTheKeyOpensToSomeUuidV7AndShowsAgain(@ForAll long high, @ForAll long low) {
    String named = UUIDS.show(Uuids.mintV7()).substring(0, 1);
    UUID random =
        new UUID(
            (high & 0x07FF_FFFF_FFFF_0FFFL) | 0x8000 | 10L << 59,
            (low & 0x3FFF_FFFF_FFFF_FFFFL) | 1L << 63);

    assertThat(random.toString()).startsWith(named);
    assertThat(UUIDS.show(UUIDS.open(random.toString()))).isEqualTo(random.toString());
  }

  /** 53 zero bits: a forged face is as good as never accepted. */
  @Property(tries = 100)
  void changedFaceOfANumberIsRefused(
      @ForAll long number,
      @ForAll @IntRange(max = 127) int bit,
      @ForAll @IntRange(max = 127) int b) {
    Ulid face = Ulid.of(UUID.fromString(UUID_NUMBERS.show(number)));
    Ulid changed = flipped(flipped(face, bit), b);

    if (!changed.equals(face)) {
      assertThat(UUID_NUMBERS.tryOpen(changed.toUuid().toString())).isEmpty();
    }
  }

  private static Ulid flipped(Ulid bits, int bit) {
    return bit < 64
        ? Ulid.of(bits.mostSignificantBits(), bits.leastSignificantBits() ^ 1L << bit)
        : Ulid.of(bits.mostSignificantBits() ^ 1L << bit, bits.leastSignificantBits());
  }

  @Property
  void shortFaceOpensAndIsAPermutation(@ForAll long number) {
    String face = SHORT_NUMBERS.show(number);

    assertThat(face).matches("pay_a[0-9a-f][0-9a-z]{12}").hasSize(18);
    assertThat(SHORT_NUMBERS.open(face)).isEqualTo(number);
    assertThat(SHORT_NUMBERS.open(face.toUpperCase(Locale.ROOT))).isEqualTo(number);
    String other = "pay_a" + Tsid.of(number).toString().toLowerCase(Locale.ROOT);
    assertThat(SHORT_NUMBERS.show(SHORT_NUMBERS.open(other))).isEqualTo(other);
  }

  @Test
  void neighboursHaveFacesWithNothingInCommon() {
    Set<String> beginnings = new HashSet<>();
    long differing =
        LongStream.range(0, 2_000)
            .peek(number -> beginnings.add(SHORT_NUMBERS.show(number).substring(0, 9)))
            .map(
                number ->
                    Long.bitCount(
                        Tsid.parse(SHORT_NUMBERS.show(number).substring(5)).toLong()
                            ^ Tsid.parse(SHORT_NUMBERS.show(number + 1).substring(5)).toLong()))
            .sum();

    assertThat(beginnings).hasSizeGreaterThan(1_900);
    assertThat(differing / 2_000.0).isBetween(31.0, 33.0);
  }

  @Test
  void shapesOfOneKeyLabelHaveDifferentKeys() {
    String number = Mask.ofNumbers(KEYRING, AS_UUID).show(7L);

    assertThat(UUIDS.show(UUIDS.open(number))).isEqualTo(number);
    assertThat(UUIDS.open(number)).isNotEqualTo(new UUID(7, 7));
    assertThat(SHORT_NUMBERS.tryOpen(Mask.ofNumbers(KEYRING, new Face("pay", "payments")).show(7L)))
        .isEmpty();
  }

  @Test
  void uuidWithoutRoomIsRefused() {
    for (UUID id : List.of(Uuids.mintV4(), new UUID(-1, -1), new UUID(0, 0))) {
      assertThatExceptionOfType(MalformedIdException.class)
          .isThrownBy(() -> UUIDS.show(id))
          .withMessage(
              "a face of shape uuid has room for a UUIDv7 before 2248-09-26T15:10:22.208Z: found %s",
              id);
    }
    UUID tooLate = MillisecondLayout.UUID_V7.random(1L << 43, Ulid.of(1, 1));
    assertThatExceptionOfType(MalformedIdException.class).isThrownBy(() -> UUIDS.show(tooLate));
  }

  @Test
  void everyTypeOf64BitsAndUuidV7HasAMask() {
    roundTrip(IdType.snowflakes(), Snowflake.of(-1), AS_UUID, SHORT);
    roundTrip(IdType.tsids(), Tsid.parse("01226N0640J7Q"), AS_UUID, SHORT);
    SequenceId.Format format = new SequenceId.Format("PM", 6);
    roundTrip(IdType.sequences(format), format.of(123), AS_UUID, SHORT);
    roundTrip(IdType.uuidsV7(), Uuids.mintV7(), AS_UUID);
    roundTrip(IdType.typeIds("user"), TypeId.mint("user"), AS_UUID);
    Face ofLong = new Face("pay", "payments");
    roundTrip(IdType.ulids(), Ulid.mint(), ofLong);
    roundTrip(IdType.tsids(), Tsid.of(-1), ofLong);
    roundTrip(IdType.uuidsV4(), Uuids.mintV4(), ofLong);
  }

  private static <T> void roundTrip(IdType<T> type, T id, Face... faces) {
    for (Face face : faces) {
      Mask<T> mask = Mask.of(type, KEYRING, face);
      assertThat(mask.open(mask.show(id))).isEqualTo(id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shapesFitTheKindsThatTheySay(Kind kind) {
    boolean isText = kind.storage() == Kind.Storage.TEXT;
    boolean isNumber = kind.storage() == Kind.Storage.BIGINT;

    assertThat(Shape.LONG.fits(kind)).isEqualTo(!isText);
    assertThat(Shape.SHORT.fits(kind)).isEqualTo(isNumber);
    assertThat(Shape.UUID.fits(kind))
        .isEqualTo(isNumber || kind == Kind.UUIDV7 || kind == Kind.TYPEID);
    for (Face face : List.of(AS_UUID, SHORT)) {
      CollectionSpec.Builder collection = CollectionSpec.builder("a", kind).face(face);
      if (face.shape().fits(kind)) {
        assertThat(collection.build().face()).contains(face);
      } else {
        assertThatIllegalArgumentException().isThrownBy(collection::build);
      }
    }
  }

  @Test
  void refusesShapesThatAKindDoesNotHave() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Mask.of(IdType.ulids(), KEYRING, AS_UUID))
        .withMessage(
            "kind ulid has no face of shape uuid: that is of uuidv7, sequence, snowflake, tsid,"
                + " typeid");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CollectionSpec.builder("tracks", Kind.ULID).face(SHORT).build())
        .withMessage(
            "collection \"tracks\": kind ulid has no face of shape short: that is of sequence,"
                + " snowflake, tsid");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Mask.ofUuids(KEYRING, SHORT))
        .withMessage("a face of shape short masks 64 bits: expected storage bigint, found uuid");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Face("pay", "payments", Shape.UUID))
        .withMessage("mask \"pay\": a face of shape uuid has no prefix");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Face("", "payments", Shape.SHORT))
        .withMessageStartingWith("malformed mask \"\"");
    assertThatIllegalArgumentException().isThrownBy(() -> Shape.parse("Long"));
  }

  @Test
  void masksOfACatalogHaveTheShapesThatItDeclares() {
    CollectionSpec payments =
        CollectionSpec.builder("payments", Kind.SEQUENCE).prefix("PM").face(AS_UUID).build();
    CollectionSpec mandates =
        CollectionSpec.builder("mandates", Kind.UUIDV7).face(Face.ofUuids("mandates")).build();
    Masks masks = Masks.of(new Catalog("shop", List.of(payments, mandates), List.of()), KEYRING);
    UUID mandate = Uuids.mintV7();

    assertThat(masks.of(long.class, "payments").show(123L)).isEqualTo(UUID_NUMBERS.show(123L));
    assertThat(
            masks.of(UUID.class, "mandates").open(masks.of(UUID.class, "mandates").show(mandate)))
        .isEqualTo(mandate);
    assertThat(UUID_NUMBERS).hasToString("Mask[uuid, keys a]");
  }
}
