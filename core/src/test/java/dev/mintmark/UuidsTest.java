package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Domain(Ids.class)
@Domain(DomainContext.Global.class)
class UuidsTest {
  private static final UUID V1 = UUID.fromString("c232ab00-9414-11ec-b3c8-9f6bdeced846");
  private static final UUID V4 = UUID.fromString("919108f7-52d1-4320-9bac-f847db4148a8");
  private static final UUID V6 = UUID.fromString("1ec9414c-232a-6b00-b3c8-9f6bdeced846");
  private static final UUID V7 = UUID.fromString("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
  private static final Instant RFC_EXAMPLES = Instant.parse("2022-02-22T19:22:22Z");

  @Property
  void textReadsBackInEitherCase(@ForAll Ulid bits) {
    UUID uuid = bits.toUuid();

    assertThat(Uuids.parse(uuid.toString())).isEqualTo(uuid);
    assertThat(Uuids.tryParse(uuid.toString().toUpperCase(Locale.ROOT))).contains(uuid);
  }

  @Property
  void anyTextIsReadOrRefused(@ForAll String text) {
    assertThat(Uuids.tryParse(text)).isEmpty();
    assertThatExceptionOfType(MalformedIdException.class).isThrownBy(() -> Uuids.parse(text));
  }

  @Property
  void orderIsThatOfTheText(@ForAll Ulid a, @ForAll Ulid b) {
    int byText = a.toUuid().toString().compareTo(b.toUuid().toString());

    assertThat(Integer.signum(Uuids.compare(a.toUuid(), b.toUuid())))
        .isEqualTo(Integer.signum(byText));
    assertThat(Uuids.UNSIGNED.compare(a.toUuid(), b.toUuid()))
        .isEqualTo(Uuids.compare(a.toUuid(), b.toUuid()));
  }

  @Test
  void orderIsUnsignedWhereThatOfTheJdkIsNot() {
    UUID low = new UUID(0, 0);
    UUID high = new UUID(-1, -1);

    assertThat(low).isGreaterThan(high);
    assertThat(Uuids.compare(low, high)).isNegative();
  }

  @Test
  void fieldsAreThoseThatPythonReads() {
    UUID uuid = Uuids.parse("017fe093-7adf-9932-aaaa-01fd0ba14d3f");

    assertThat(Uuids.timeLow(uuid)).isEqualTo(25157779L);
    assertThat(Uuids.timeMid(uuid)).isEqualTo(31455);
    assertThat(Uuids.timeHiVersion(uuid)).isEqualTo(39218);
    assertThat(Uuids.clockSeq(uuid)).isEqualTo(10922);
    assertThat(Uuids.clockSeqLow(uuid)).isEqualTo(170);
    assertThat(Uuids.clockSeqHiVariant(uuid)).isEqualTo(170);
    assertThat(Uuids.node(uuid)).isEqualTo(2186333474111L);
    assertThat(Uuids.version(uuid)).isEqualTo(9);
    assertThat(Uuids.variant(uuid)).isEqualTo(2);
  }

  @Test
  void fieldsWithEveryBitSetAreNotNegative() {
    UUID max = new UUID(-1, -1);

    assertThat(Uuids.timeLow(max)).isEqualTo(0xFFFF_FFFFL);
    assertThat(Uuids.timeMid(max)).isEqualTo(0xFFFF);
    assertThat(Uuids.timeHiVersion(max)).isEqualTo(0xFFFF);
    assertThat(Uuids.clockSeq(max)).isEqualTo(0x3FFF);
    assertThat(Uuids.clockSeqHiVariant(max)).isEqualTo(0xFF);
    assertThat(Uuids.node(max)).isEqualTo(0xFFFF_FFFF_FFFFL);
    assertThat(Uuids.version(max)).isEqualTo(15);
    assertThat(Uuids.variant(max)).isEqualTo(7);
  }

  @Test
  void versions1And6And7CarryTheTimeOfTheExamples() {
    assertThat(Uuids.time(V1)).contains(RFC_EXAMPLES);
    assertThat(Uuids.time(V6)).contains(RFC_EXAMPLES);
    assertThat(Uuids.time(V7)).contains(RFC_EXAMPLES);
  }

  @Test
  void timeOfVersion1IsTheOneThatTheJdkCounts() {
    UUID uuid = UUID.fromString("ffffffff-ffff-1fff-bfff-ffffffffffff");
    Instant epoch = Instant.parse("1582-10-15T00:00:00Z");

    Instant time = Uuids.time(uuid).orElseThrow();

    assertThat(time)
        .isEqualTo(
            epoch
                .plusSeconds(uuid.timestamp() / 10_000_000)
                .plusNanos(uuid.timestamp() % 10_000_000 * 100));
  }

  @ParameterizedTest
  @CsvSource({
    "919108f7-52d1-4320-9bac-f847db4148a8",
    "017f22e2-79b0-7cc3-c8c4-dc0c0c07398f",
    "00000000-0000-0000-0000-000000000000",
    "017fe093-7adf-9932-aaaa-01fd0ba14d3f"
  })
  void otherVersionsAndVariantsCarryNoTime(UUID uuid) {
    assertThat(Uuids.time(uuid)).isEmpty();
  }

  @Test
  void mintV4TakesItsEntropyAndSetsSixBits() {
    Random drawn = new Random(7);
    Ulid random = Ulid.of(drawn.nextLong(), drawn.nextLong());

    UUID uuid = Uuids.mintV4(new Random(7));

    assertThat(Uuids.version(uuid)).isEqualTo(4);
    assertThat(Uuids.variant(uuid)).isEqualTo(2);
    assertThat((uuid.getMostSignificantBits() ^ random.mostSignificantBits()) & ~0xF000L).isZero();
    assertThat((uuid.getLeastSignificantBits() ^ random.leastSignificantBits()) << 2).isZero();
  }

  @Test
  void mintV1HasTheTimeOfTheExampleAndARandomNode() {
    InstantSource clock = InstantSource.fixed(RFC_EXAMPLES);

    UUID uuid = Uuids.mintV1(clock, new Random(7));

    assertThat(uuid.getMostSignificantBits()).isEqualTo(V1.getMostSignificantBits());
    assertThat(Uuids.variant(uuid)).isEqualTo(2);
    assertThat(uuid.node() & 0x0100_0000_0000L).as("the multicast bit").isNotZero();
    assertThat(Uuids.mintV1(clock, new Random(8))).isNotEqualTo(uuid);
    assertThat(Uuids.time(Uuids.mintV1()).orElseThrow())
        .isBetween(Instant.now().minusSeconds(60), Instant.now());
  }

  @Test
  void mintV7TakesItsTimeAndEntropyAndSetsSixBits() {
    InstantSource clock = InstantSource.fixed(RFC_EXAMPLES);
    Ulid ulid = Ulid.mint(clock, new Random(7));

    UUID uuid = Uuids.mintV7(clock, new Random(7));

    assertThat(Uuids.version(uuid)).isEqualTo(7);
    assertThat(Uuids.variant(uuid)).isEqualTo(2);
    assertThat(Uuids.time(uuid)).contains(RFC_EXAMPLES);
    assertThat((uuid.getMostSignificantBits() ^ ulid.mostSignificantBits()) & ~0xF000L).isZero();
    assertThat((uuid.getLeastSignificantBits() ^ ulid.leastSignificantBits()) << 2).isZero();
  }

  @Test
  void mintsOfTheSystemDifferEachTime() {
    assertThat(Uuids.mintV4()).isNotEqualTo(Uuids.mintV4());
    assertThat(Uuids.mintV7()).isNotEqualTo(Uuids.mintV7());
    assertThat(Uuids.time(Uuids.mintV7()).orElseThrow())
        .isBetween(Instant.now().minusSeconds(60), Instant.now());
  }

  /** RFC 9562 appendices A.2 and A.4; the others by Python's uuid. */
  @Test
  void namesHaveTheUuidsOfTheRfc() {
    assertThat(Uuids.mintV3(Uuids.NAMESPACE_DNS, "www.example.com"))
        .hasToString("5df41881-3aed-3515-88a7-2f4a814cf09e");
    assertThat(Uuids.mintV5(Uuids.NAMESPACE_DNS, "www.example.com"))
        .hasToString("2ed6657d-e927-568b-95e1-2665a8aea6a2");
    assertThat(Uuids.mintV5(Uuids.NAMESPACE_X500, "\u00e4"))
        .hasToString("89f222ab-ab6d-5a34-b141-b0c8b2e77461")
        .isEqualTo(Uuids.mintV5(Uuids.NAMESPACE_X500, new byte[] {(byte) 0xc3, (byte) 0xa4}));
    assertThat(Uuids.NAMESPACE_URL).hasToString("6ba7b811-9dad-11d1-80b4-00c04fd430c8");
    assertThat(Uuids.NAMESPACE_OID).hasToString("6ba7b812-9dad-11d1-80b4-00c04fd430c8");
  }

  @Test
  void nameThatIsNotUnicodeIsRefusedForAnotherWouldHaveItsUuid() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Uuids.mintV5(Uuids.NAMESPACE_URL, "a\ud800"))
        .withMessage("name \"a\\ud800\" is not Unicode");
  }

  /** RFC 9562 appendix B.1. */
  @Test
  void version8HoldsWhatItIsGiven() {
    UUID uuid = Uuids.mintV8(0x2489_E9AD_2EE2L, 0xE00, 0x0EC9_32D5_F691_81C0L);

    assertThat(uuid).hasToString("2489e9ad-2ee2-8e00-8ec9-32d5f69181c0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Uuids.mintV8(1L << 48, 0, 0))
        .withMessage("custom_a is 281474976710656: expected 0 to 2^48-1");
    assertThatIllegalArgumentException().isThrownBy(() -> Uuids.mintV8(0, 1 << 12, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> Uuids.mintV8(0, -1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> Uuids.mintV8(0, 0, -1));
  }

  @Test
  void looseTextIsReadAsPeoplePasteIt() {
    for (String text :
        new String[] {
          " 017F22E2-79b0-7cc3-98c4-dc0c0c07398f\n",
          "017f22e279b07cc398c4dc0c0c07398f",
          "{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}",
          "URN:UUID:017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
          "017f-22e2-79b0-7cc3-98c4-dc0c-0c07-398f"
        }) {
      assertThat(Uuids.parseLoosely(text)).as(text).isEqualTo(V7);
    }
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> Uuids.parseLoosely("{017f-22e2}"))
        .withMessage(
            "malformed UUID \"{017f-22e2}\": it has 8 characters without hyphens: expected 32");
    for (String text :
        new String[] {"", "{", "{}", "1-1-1-1-1", "{017f22e279b07cc398c4dc0c0c07398f"}) {
      assertThatExceptionOfType(MalformedIdException.class)
          .as(text)
          .isThrownBy(() -> Uuids.parseLoosely(text));
    }
  }

  @Test
  void instantHasAFirstAndALastVersion7() {
    Instant time = RFC_EXAMPLES.plusNanos(999_999);

    assertThat(Uuids.minV7(time)).hasToString("017f22e2-79b0-7000-8000-000000000000");
    assertThat(Uuids.maxV7(time)).hasToString("017f22e2-79b0-7fff-bfff-ffffffffffff");
    assertThat(Uuids.rangeV7(RFC_EXAMPLES, time).last()).isEqualTo(Uuids.maxV7(time));
    assertThatIllegalArgumentException().isThrownBy(() -> Uuids.minV7(Instant.EPOCH.minusNanos(1)));
  }

  @Test
  void instantHasAFirstAndALastVersion6() {
    assertThat(Uuids.minV6(RFC_EXAMPLES)).hasToString("1ec9414c-232a-6b00-8000-000000000000");
    assertThat(Uuids.maxV6(RFC_EXAMPLES)).hasToString("1ec9414c-232a-6b00-bfff-ffffffffffff");
    assertThat(Uuids.time(Uuids.minV6(Instant.parse("5236-03-31T21:21:00.684697500Z"))))
        .contains(Instant.parse("5236-03-31T21:21:00.684697500Z"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Uuids.minV6(Instant.parse("5236-03-31T21:21:00.684697501Z")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Uuids.maxV6(Instant.parse("1582-10-14T23:59:59.999999999Z")));
  }

  @Test
  void rangeOfVersion6IsOfAllInstantsBeforeItsEnd() {
    Instant to = RFC_EXAMPLES.plusNanos(200);

    assertThat(Uuids.rangeV6(RFC_EXAMPLES, to))
        .isEqualTo(
            new IdRange<>(Uuids.minV6(RFC_EXAMPLES), Uuids.maxV6(RFC_EXAMPLES.plusNanos(100))));
    assertThatIllegalArgumentException().isThrownBy(() -> Uuids.rangeV6(to, to));
  }

  @Test
  void timeIsWrittenAsItsVersionCountsIt() {
    assertThat(Uuids.to(V1, Form.TIME)).isEqualTo("2022-02-22T19:22:22.000Z");
    assertThat(Uuids.to(V7, Form.TIME)).isEqualTo("2022-02-22T19:22:22.000Z");
    assertThat(Uuids.to(V7, Form.TIME_TEXT)).isEqualTo("01FWHE4YDG");
    assertThat(Uuids.to(V4, Form.HEX)).isEqualTo("919108f752d143209bacf847db4148a8");
  }

  @Test
  void formThatAVersionDoesNotHaveIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Uuids.to(V4, Form.TIME))
        .withMessage("UUID 919108f7-52d1-4320-9bac-f847db4148a8 has no form \"time\"");
    assertThatIllegalArgumentException().isThrownBy(() -> Uuids.to(V1, Form.TIME_TEXT));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Uuids.to(V4, Form.PURI))
        .withMessageContaining("needs a namespace and a collection");
  }
}
