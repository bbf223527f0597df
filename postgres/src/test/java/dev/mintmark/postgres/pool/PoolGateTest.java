package dev.mintmark.postgres.pool;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.PoolSpec;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is let in, and how fast. */
class PoolGateTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void whoIsInAShareIsInEveryGreaterOne() {
    long seed = 29;
    Random random = new Random(seed);
    for (int i = 0; i < 1_000; i++) {
      String owner = "owner-" + random.nextInt();
      boolean wasIn = false;
      for (int share = 0; share <= PoolGate.SHARE_MAX; share += 1 + random.nextInt(400)) {
        boolean isIn = ofShare(share).admits("p", owner);
        assertThat(isIn || !wasIn).as("%s, share %d, seed %d", owner, share, seed).isTrue();
        wasIn = isIn;
      }
      assertThat(ofShare(0).admits("p", owner)).isFalse();
      assertThat(ofShare(PoolGate.SHARE_MAX).admits("p", owner)).isTrue();
    }
  }

  /** Computed with Python: int(sha256(b"p\nowner-N").hexdigest()[:12], 16) * 10000 >> 48. */
  @ParameterizedTest
  @CsvSource({"owner-1, 3533", "owner-2, 9250", "owner-3, 1661"})
  void theShareIsThatOfTheHash(String owner, int place) {
    assertThat(ofShare(place).admits("p", owner)).isFalse();
    assertThat(ofShare(place + 1).admits("p", owner)).isTrue();
  }

  @Test
  void aShareIsAboutThatManyOfTheOwnersAndOthersInEachPool() {
    PoolGate gate = ofShare(PoolGate.parseShare("5%"));

    long inBoth =
        IntStream.range(0, 20_000)
            .filter(i -> gate.admits("p", "owner-" + i) && gate.admits("q", "owner-" + i))
            .count();
    long inOne = IntStream.range(0, 20_000).filter(i -> gate.admits("p", "owner-" + i)).count();

    assertThat(inOne).isBetween(900L, 1_100L);
    assertThat(inBoth).isBetween(20L, 90L);
  }

  @Test
  void namedOwnersAreLetInBesideTheShare() {
    PoolGate named = new PoolGate(Set.of("acme"), Optional.empty(), Optional.empty());
    PoolGate both = new PoolGate(Set.of("acme"), Optional.of(0), Optional.empty());

    assertThat(named.admits("p", "acme")).isTrue();
    assertThat(named.admits("p", "Acme")).isFalse();
    assertThat(both.admits("p", "acme")).isTrue();
    assertThat(PoolGate.OPEN.admits("p", "anybody")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"5%, 500", "0.25%, 25", "100%, 10000", "0%, 0", "99.99%, 9999"})
  void sharesAreReadAndWritten(String text, int share) {
    assertThat(PoolGate.parseShare(text)).isEqualTo(share);
    assertThat(ofShare(share).shareText()).contains(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "100.01%", "0.123%", "-1%", "101%", ""})
  void otherSharesAreRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolGate.parseShare(text))
        .withMessageEndingWith("expected 0% to 100%, with at most two digits after the point");
  }

  @ParameterizedTest
  @CsvSource({"10/m, 10/1m", "100/1h30m, 100/1h30m", "1/500ms, 1/500ms", "2/PT30S, 2/30s"})
  void ratesAreReadAndWritten(String text, String written) {
    assertThat(PoolGate.Rate.parse(text)).hasToString(written);
    assertThat(PoolGate.Rate.parse(written)).isEqualTo(PoolGate.Rate.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"10", "0/m", "10/", "10/0s", "m/10", "10/x"})
  void otherRatesAreRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> PoolGate.Rate.parse(text));
  }

  @Test
  void theMostOwnersAndTheLimitsOfARateAreStated() {
    Set<String> most =
        IntStream.range(0, PoolGate.OWNERS_MAX).mapToObj(i -> "o" + i).collect(toSet());
    assertThat(gate(most).owners()).hasSize(PoolGate.OWNERS_MAX);
    Set<String> more = new HashSet<>(most);
    more.add("one more");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> gate(more))
        .withMessage("gate with 10001 owners: expected at most 10000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> gate(Set.of("")))
        .withMessageContaining("owner");

    assertThat(new PoolGate.Rate(1, Duration.ofMillis(1)).per()).hasMillis(1);
    assertThat(new PoolGate.Rate(1, PoolSpec.DURATION_MAX).claims()).isEqualTo(1);
    for (int share : List.of(-1, PoolGate.SHARE_MAX + 1)) {
      assertThatIllegalArgumentException().isThrownBy(() -> ofShare(share));
    }
    for (Duration per : List.of(Duration.ofNanos(999_999), PoolSpec.DURATION_MAX.plusMillis(1))) {
      assertThatIllegalArgumentException().isThrownBy(() -> new PoolGate.Rate(1, per));
    }
  }

  @Test
  void onlyTheGateWithoutAnyLimitIsOpen() {
    assertThat(PoolGate.OPEN.isOpen()).isTrue();
    assertThat(gate(Set.of("a")).isOpen()).isFalse();
    assertThat(ofShare(PoolGate.SHARE_MAX).isOpen()).isFalse();
  }

  private static PoolGate gate(Set<String> owners) {
    return new PoolGate(owners, Optional.empty(), Optional.empty());
  }

  @Test
  void aBucketFillsEvenly() {
    AtomicLong clock = new AtomicLong(Long.MAX_VALUE - SECOND.toNanos());
    ClaimRates rates = new ClaimRates(clock::get);
    PoolGate.Rate rate = new PoolGate.Rate(4, SECOND);

    for (int i = 0; i < 4; i++) {
      assertThat(rates.take("acme", 1, rate)).isEmpty();
    }
    assertThat(rates.take("acme", 1, rate)).contains(Duration.ofMillis(250));
    assertThat(rates.take("acme", 2, rate)).contains(Duration.ofMillis(500));
    assertThat(rates.take("other", 4, rate)).isEmpty();
    clock.addAndGet(Duration.ofMillis(250).toNanos());
    assertThat(rates.take("acme", 1, rate)).isEmpty();
    assertThat(rates.take("acme", 1, rate)).contains(Duration.ofMillis(250));
    clock.addAndGet(Duration.ofHours(1).toNanos()); // System.nanoTime may overflow.
    assertThat(rates.take("acme", 9, rate)).isEmpty();
    assertThat(rates.take("acme", 1, rate)).contains(Duration.ofMillis(250));
  }

  @Test
  void theOwnerThatClaimedTheLongestAgoIsForgotten() {
    ClaimRates rates = new ClaimRates(() -> 0, 2);
    PoolGate.Rate rate = new PoolGate.Rate(1, SECOND);

    assertThat(rates.take("a", 1, rate)).isEmpty();
    assertThat(rates.take("b", 1, rate)).isEmpty();
    assertThat(rates.take("c", 1, rate)).isEmpty();

    assertThat(rates.size()).isEqualTo(2);
    assertThat(rates.take("b", 1, rate)).isPresent();
    assertThat(rates.take("a", 1, rate)).isEmpty();
  }

  private static PoolGate ofShare(int share) {
    return new PoolGate(Set.of(), Optional.of(share), Optional.empty());
  }
}
