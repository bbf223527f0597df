package dev.mintmark.testkit;

import static dev.mintmark.testkit.IdAssertions.assertAscending;
import static dev.mintmark.testkit.IdAssertions.assertDistinct;
import static dev.mintmark.testkit.IdAssertions.assertKind;
import static dev.mintmark.testkit.IdAssertions.assertType;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.IdType;
import dev.mintmark.Kind;
import dev.mintmark.Mint;
import dev.mintmark.Snowflake;
import dev.mintmark.SnowflakeLayout;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Identifiers that are the same in every run of a test, and assertions about identifiers. */
@ExtendWith(ReproducibleIdsExtension.class)
class ReproducibleIdsTest {
  private static final Set<Kind> IN_RANDOM_ORDER = Set.of(Kind.KSUID, Kind.NANOID, Kind.UUIDV4);

  private Ulid first;

  @BeforeEach
  void mintTheFirst(Mint<Ulid> ids) {
    first = ids.mint();
  }

  /** These values may change only with the layout of a mint: tests of users contain such values. */
  @Test
  void identifiersOfATestAreTheSameInEveryRun(Mint<Ulid> ids, ReproducibleIds all) {
    List<Ulid> minted = List.of(first, ids.mint(), all.ulids().mint());

    assertAscending(minted);
    assertThat(minted)
        .extracting(Ulid::toString)
        .containsExactly(
            "01KDVDNA009HE30THB2RX2N133",
            "01KDVDNA0176X01H4PBEV0E5H1",
            "01KDVDNA02A1QQH7DE1PKRQ9FD");
  }

  @RepeatedTest(2)
  void invocationsHaveIdentifiersOfTheirOwn(RepetitionInfo invocation, ReproducibleIds ids) {
    assertThat(ids.seed())
        .isEqualTo(
            ReproducibleIds.of(
                    ("[class:%s]/[test-template:invocationsHaveIdentifiersOfTheirOwn"
                            + "(org.junit.jupiter.api.RepetitionInfo,"
                            + " dev.mintmark.testkit.ReproducibleIds)]/[test-template-invocation:#%d]")
                        .formatted(
                            ReproducibleIdsTest.class.getName(), invocation.getCurrentRepetition()))
                .seed());
  }

  @Test
  void theParametersOfATestHaveOneClock(
      SteppingClock clock, Mint<Ulid> ids, Mint<Snowflake> snowflakes) {
    clock.set(Instant.parse("2030-01-01T00:00:00Z"));

    assertThat(ids.mint().time()).isEqualTo("2030-01-01T00:00:00Z");
    assertThat(snowflakes.mint().time(SnowflakeLayout.TWITTER))
        .isAfter("2030-01-01T00:00:00Z")
        .isBefore("2030-01-01T00:00:01Z");
  }

  static Stream<Kind> minted() {
    return Arrays.stream(Kind.values()).filter(Kind::isMinted);
  }

  @ParameterizedTest
  @MethodSource("minted")
  void everyKindIsReproducible(Kind kind) {
    IdType<?> type = IdType.of(kind, kind.has(Kind.Option.PREFIX) ? "user" : "");

    List<String> minted = texts(type, "a");

    assertThat(texts(type, "a")).isEqualTo(minted);
    if (!kind.has(Kind.Option.NODE)) { // These have no random bits.
      assertThat(texts(type, "b")).isNotEqualTo(minted);
    }
    assertDistinct(minted);
    if (!IN_RANDOM_ORDER.contains(kind)) {
      assertAscending(minted);
    }
  }

  private static <T> List<String> texts(IdType<T> type, String seed) {
    Mint<T> mint = ReproducibleIds.of(seed).mint(type);
    return Stream.generate(mint::mint).limit(20).map(type::format).toList();
  }

  @Test
  void theClockStepsAndIsSet() {
    SteppingClock clock = SteppingClock.from(Instant.EPOCH, Duration.ofSeconds(2));

    assertThat(List.of(clock.instant(), clock.instant()))
        .containsExactly(Instant.EPOCH, Instant.EPOCH.plusSeconds(2));
    assertThat(clock.peek()).isEqualTo(clock.peek()).isEqualTo(Instant.EPOCH.plusSeconds(4));
    clock.advance(Duration.ofSeconds(-3));
    assertThat(clock.instant()).isEqualTo(Instant.EPOCH.plusSeconds(1));
  }

  /** What a test of the user's code looks for: the order when the clock is set back. */
  @Test
  void identifiersStayAscendingWhenTheClockIsSetBack(SteppingClock clock, Mint<Ulid> ids) {
    List<Ulid> before = ids.mint(3);
    clock.advance(Duration.ofHours(-1));

    assertAscending(Stream.concat(before.stream(), ids.mint(3).stream()).toList());
  }

  @Test
  void positionsAndNeighboursAreNamed() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertAscending(List.of("a", "c", "b")))
        .withMessage(
            "expected ascending ids: \"b\" at position 2 is not greater than \"c\" at position 1");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertAscending(List.of("a", "a")));
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertDistinct(List.of("a", "b", "a")))
        .withMessage("expected distinct ids: \"a\" at position 2 is at position 0 as well");
    assertAscending(List.of());
    assertAscending(List.of(1L, 2L));
  }

  @Test
  void uuidsAreComparedUnsigned() {
    UUID lesser = UUID.fromString("7fffffff-ffff-7fff-bfff-ffffffffffff");
    UUID greater = UUID.fromString("80000000-0000-7000-8000-000000000000");

    assertAscending(List.of(lesser, greater));
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertAscending(List.of(greater, lesser)));
  }

  @Test
  void kindsAreAsserted() {
    assertKind(Kind.ULID, "01FZG96YPZK4SANAG1ZM5T2K9Z");
    assertKind(Kind.UUIDV7, Uuids.mintV7().toString());
    assertType(IdType.typeIds("user"), "user_01h455vb4pex5vsknk084sn02q");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertKind(Kind.UUIDV7, "b43a28cb-a649-426d-ad59-13b2a02894e3"))
        .withMessage(
            "expected an id of the kind uuidv7: \"b43a28cb-a649-426d-ad59-13b2a02894e3\" is a UUID of version 4");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertKind(Kind.ULID, "01ARZ3NDEKTSV4RRFFQ69G5FAU"))
        .withMessageStartingWith("expected an id of the kind ulid: ")
        .withMessageContaining("character 25, 'U', is not Crockford base 32");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertType(IdType.typeIds("org"), "user_01h455vb4pex5vsknk084sn02q"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assertKind(Kind.TYPEID, "user_01h455vb4pex5vsknk084sn02q"));
  }
}
