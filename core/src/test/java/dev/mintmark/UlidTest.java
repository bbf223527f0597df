package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import org.junit.jupiter.api.Test;

@Domain(Ids.class)
@Domain(DomainContext.Global.class)
class UlidTest {
  private static final String TEXT = "01FZG96YPZK4SANAG1ZM5T2K9Z";
  private static final Instant TIME = Instant.parse("2022-03-31T15:23:55.999Z");

  @Test
  void exampleInTheDocumentationHolds() {
    Ulid id = Ulid.parse(TEXT);

    assertThat(id.time()).isEqualTo(TIME);
    assertThat(id.toUuid()).hasToString("017fe093-7adf-9932-aaaa-01fd0ba14d3f");
  }

  @Property
  void textReadsBackInEitherCase(@ForAll Ulid id) {
    assertThat(Ulid.parse(id.toString())).isEqualTo(id);
    assertThat(Ulid.parse(id.toString().toLowerCase(Locale.ROOT))).isEqualTo(id);
  }

  @Property
  void uuidBytesAndHalvesReadBack(@ForAll Ulid id) {
    assertThat(Ulid.of(id.toUuid())).isEqualTo(id).hasSameHashCodeAs(id);
    assertThat(Ulid.fromBytes(id.toBytes())).isEqualTo(id);
    assertThat(Ulid.of(id.mostSignificantBits(), id.leastSignificantBits())).isEqualTo(id);
    assertThat(Ulid.from(id.toBigInteger())).isEqualTo(id);
  }

  @Property
  void valuesBytesAndTextsHaveOneOrder(@ForAll Ulid a, @ForAll Ulid b) {
    int order = Integer.signum(a.compareTo(b));

    assertThat(Integer.signum(a.toString().compareTo(b.toString()))).isEqualTo(order);
    assertThat(Integer.signum(Arrays.compareUnsigned(a.toBytes(), b.toBytes()))).isEqualTo(order);
    assertThat(Integer.signum(a.toBigInteger().compareTo(b.toBigInteger()))).isEqualTo(order);
    assertThat(a.equals(b)).isEqualTo(order == 0);
  }

  @Property
  void laterTimesComeLater(@ForAll Ulid a, @ForAll Ulid b) {
    if (a.timeMillis() != b.timeMillis()) {
      assertThat(a.compareTo(b) < 0).isEqualTo(a.time().isBefore(b.time()));
    }
  }

  @Test
  void orderIsUnsigned() {
    Ulid belowTheMiddle = Ulid.parse("3ZZZZZZZZZZZZZZZZZZZZZZZZZ");
    Ulid aboveTheMiddle = Ulid.parse("40000000000000000000000000");

    assertThat(belowTheMiddle).isLessThan(aboveTheMiddle);
    assertThat(Ulid.of(0, Long.MAX_VALUE)).isLessThan(Ulid.of(0, Long.MIN_VALUE));
  }

  @Property
  void anyTextIsReadOrRefused(@ForAll @StringLength(max = 40) String text) {
    assertThat(Ulid.tryParse(text)).isEmpty();
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> Ulid.parse(text))
        .withMessageStartingWith("malformed ULID \"");
  }

  @Property
  void oneWrongCharacterIsFoundWhereItStands(@ForAll Ulid id, @ForAll char wrong) {
    int index = (int) Long.remainderUnsigned(id.leastSignificantBits(), 26);
    String text = id.toString();
    String changed = text.substring(0, index) + wrong + text.substring(index + 1);

    if ("0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz".indexOf(wrong) < 0) {
      assertThatThrownBy(() -> Ulid.parse(changed))
          .hasMessageContaining("character " + index + ",");
    }
  }

  @Test
  void textOfMegabytesIsRefusedByItsLength() {
    String text = "0".repeat(10_000_000);

    assertThatThrownBy(() -> Ulid.parse(text))
        .isInstanceOf(MalformedIdException.class)
        .hasMessageEndingWith("it has 10000000 characters: expected 26")
        .message()
        .hasSizeLessThan(200);
  }

  @Test
  void bytesOfAnotherNumberAreRefused() {
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> Ulid.fromBytes(new byte[15]))
        .withMessage("malformed ULID: it has 15 bytes: expected 16");
  }

  @Test
  void randomnessStandsBehindTheTime() {
    byte[] randomness = HexFormat.of().parseHex("9932aaaa01fd0ba14d3f");

    assertThat(Ulid.fromRandomness(TIME, randomness)).isEqualTo(Ulid.parse(TEXT));
  }

  @Test
  void randomnessOfAnotherLengthIsRefused() {
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> Ulid.fromRandomness(new byte[16]))
        .withMessage("malformed randomness: it has 16 bytes: expected 10");
  }

  @Test
  void timeIsCutToItsMillisecond() {
    Instant almostTheNext = TIME.plusNanos(999_999);

    assertThat(Ulid.fromRandomness(almostTheNext, new byte[10]).time()).isEqualTo(TIME);
  }

  @Test
  void timeMayBeTheFirstAndTheLastMillisecondThatFit() {
    Instant last = Instant.ofEpochMilli(Ulid.TIME_MILLIS_MAX);

    assertThat(Ulid.fromRandomness(Instant.EPOCH, new byte[10])).isEqualTo(Ulid.of(0, 0));
    assertThat(Ulid.fromRandomness(last, new byte[10])).hasToString("7ZZZZZZZZZ0000000000000000");
  }

  @Test
  void timeThatDoesNotFitIsRefused() {
    for (Instant time :
        new Instant[] {
          Instant.MIN,
          Instant.EPOCH.minusNanos(1),
          Instant.ofEpochMilli(Ulid.TIME_MILLIS_MAX + 1),
          Instant.MAX
        }) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Ulid.fromRandomness(time, new byte[10]))
          .withMessage(
              "time %s: expected 1970-01-01T00:00:00.000Z to +10889-08-02T05:31:50.655Z", time);
    }
  }

  @Test
  void mintTakesTheTimeAndTheEntropyItIsGiven() {
    RandomGenerator drawn = new Random(7);
    Ulid random = Ulid.of(drawn.nextLong(), drawn.nextLong());

    Ulid id = Ulid.mint(InstantSource.fixed(TIME), new Random(7));

    assertThat(id.time()).isEqualTo(TIME);
    assertThat(id.mostSignificantBits() & 0xFFFF).isEqualTo(random.mostSignificantBits() & 0xFFFF);
    assertThat(id.leastSignificantBits()).isEqualTo(random.leastSignificantBits());
  }

  @Test
  void ascendingMintTakesTheTimeAndTheEntropyItIsGiven() {
    Mint<Ulid> mint = Ulid.ascending(InstantSource.fixed(TIME), new Random(7));

    assertThat(mint.mint())
        .isEqualTo(Ulid.ascending(InstantSource.fixed(TIME), new Random(7)).mint());
    assertThat(mint.mint().time()).isEqualTo(TIME);
    assertThat(Ulid.ascending().mint(1000)).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void looseTextIsReadAsPeopleMeanIt() {
    Ulid id = Ulid.parse("01FZG96YPZ10SANAG1ZM5T2K9Z");

    assertThat(Ulid.parseLoosely("  01fzg96ypz-losanag-Izm5t2k9z\n")).isEqualTo(id);
    assertThat(Ulid.parseLoosely("OlFZG96YPZioSANAGiZM5T2K9Z")).isEqualTo(id);
    assertThat(Ulid.parseLoosely(id.toString())).isEqualTo(id);
  }

  @Property
  void looseReadingTakesWhateverIsWritten(@ForAll Ulid id) {
    assertThat(Ulid.parseLoosely(" " + id.toString().toLowerCase(Locale.ROOT) + "\t"))
        .isEqualTo(id);
  }

  @Test
  void looseReadingRefusesWhatNobodyMeans() {
    for (String text :
        new String[] {
          "",
          "01FZG96YPZK4SANAG1ZM5T2K9",
          "01FZG96YPZUUSANAG1ZM5T2K9Z",
          "8" + "0".repeat(25),
          "01FZG96YPZ K4SANAG1ZM5T2K9Z",
          "\u0660".repeat(26)
        }) {
      assertThatExceptionOfType(MalformedIdException.class)
          .as(text)
          .isThrownBy(() -> Ulid.parseLoosely(text));
    }
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> Ulid.parseLoosely(" ".repeat(10_000_000)))
        .withMessageEndingWith("it has 10000000 characters: expected at most 80");
    assertThatThrownBy(() -> Ulid.parseLoosely(" o1FZG-96YPZ-K4SAN-AG1ZM-5T2K9-U"))
        .hasMessage(
            "malformed ULID \" o1FZG-96YPZ-K4SAN-AG1ZM-5T2K9-U\": character 31, 'U', is not"
                + " Crockford base 32");
    assertThatThrownBy(() -> Ulid.parseLoosely("O1FZG-96YPZ"))
        .hasMessageEndingWith("it has 10 characters without hyphens: expected 26");
  }

  @Test
  void instantHasAFirstAndALastId() {
    assertThat(Ulid.min(TIME)).hasToString("01FZG96YPZ0000000000000000");
    assertThat(Ulid.max(TIME)).hasToString("01FZG96YPZZZZZZZZZZZZZZZZZ");
    assertThatIllegalArgumentException().isThrownBy(() -> Ulid.min(Instant.MIN));
    assertThatIllegalArgumentException().isThrownBy(() -> Ulid.max(Instant.MAX));
  }

  @Test
  void rangeEndsBeforeItsEnd() {
    IdRange<Ulid> range = Ulid.range(TIME, TIME.plusMillis(2));

    assertThat(range.first()).isEqualTo(Ulid.min(TIME));
    assertThat(range.last()).isEqualTo(Ulid.max(TIME.plusMillis(1)));
    assertThat(Ulid.range(TIME, TIME.plusNanos(1)).last()).isEqualTo(Ulid.max(TIME));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ulid.range(TIME, TIME))
        .withMessage("time 2022-03-31T15:23:55.999Z is not before 2022-03-31T15:23:55.999Z");
  }

  @Test
  void mintTakesTheTimeOfTheSystemAndDiffersEachTime() {
    Instant before = Instant.now();

    Ulid first = Ulid.mint();
    Ulid second = Ulid.mint();

    assertThat(first.time()).isBetween(before.minusMillis(1), Instant.now());
    assertThat(first).isNotEqualTo(second);
    assertThat(Ulid.fromRandomness(new byte[10]).time()).isAfterOrEqualTo(first.time());
  }

  @Test
  void uuidv7KeepsItsTimeAsUlid() {
    UUID uuid = UUID.fromString("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");

    assertThat(Ulid.of(uuid).time()).isEqualTo(Instant.parse("2022-02-22T19:22:22Z"));
  }
}
