package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Mints whose clock was ahead for a moment, and came back. */
class MaxDriftTest {
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
  private static final Instant AHEAD = Instant.parse("9999-12-31T23:59:59.999Z");
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

  private final AtomicLong millis = new AtomicLong(NOW.toEpochMilli());
  private final InstantSource clock = () -> Instant.ofEpochMilli(millis.get());

  @ParameterizedTest
  @EnumSource(names = {"ASCENDING", "PER_THREAD", "SPEC"})
  void mintReturnsToAClockThatWasFarAhead(Order order) {
    Mint<Ulid> mint = Mint.ofUlids(order, options(ClockPolicy.RETURN_TO_CLOCK));
    millis.set(AHEAD.toEpochMilli());
    assertThat(mint.mint().time()).isEqualTo(AHEAD);
    millis.set(NOW.toEpochMilli());
    assertThat(mint.drift()).isGreaterThan(TEN_SECONDS);

    List<Ulid> ids = new ArrayList<>(mint.mint(3));
    ids.add(mint.mint());

    assertThat(ids).isSorted().doesNotHaveDuplicates();
    assertThat(ids).allMatch(id -> id.time().equals(NOW));
    assertThat(mint.drift()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"ASCENDING", "PER_THREAD", "SPEC"})
  void mintKeepsAscendingWithinTheGreatestDrift(Order order) {
    Mint<Ulid> mint = Mint.ofUlids(order, options(ClockPolicy.RETURN_TO_CLOCK));
    Ulid first = mint.mint();

    millis.addAndGet(-TEN_SECONDS.toMillis());
    assertThat(mint.mint()).isGreaterThan(first);
    assertThat(mint.drift()).isEqualTo(TEN_SECONDS);
    millis.decrementAndGet();
    assertThat(mint.mint().time()).isEqualTo(NOW.minus(TEN_SECONDS).minusMillis(1));
  }

  @Test
  void failToleratesTheGreatestDriftAndNoMore() {
    Mint<Ulid> mint = Mint.ofUlids(Order.ASCENDING, options(ClockPolicy.FAIL));
    Ulid first = mint.mint();

    millis.addAndGet(-TEN_SECONDS.toMillis());
    assertThat(mint.mint()).isGreaterThan(first);
    millis.decrementAndGet();
    assertThatExceptionOfType(MintException.class)
        .isThrownBy(mint::mint)
        .withMessageStartingWith(
            "the clock is 10001 ms behind the next identifier: the mint fails rather than go ahead"
                + " of it by more than 10000 ms (clock=");
  }

  @Test
  void waitToleratesTheGreatestDriftAndWaitsForTheRest() {
    AtomicLong readings = new AtomicLong();
    InstantSource slow = () -> Instant.ofEpochMilli(millis.get() + readings.getAndIncrement());
    Mint<Ulid> mint = Mint.ofUlids(Order.ASCENDING, options(ClockPolicy.WAIT).withClock(slow));
    Ulid first = mint.mint();

    millis.addAndGet(-TEN_SECONDS.toMillis() - 5);
    assertThat(mint.mint()).isGreaterThan(first);
    assertThat(mint.drift()).isLessThanOrEqualTo(TEN_SECONDS);
    millis.addAndGet(-TEN_SECONDS.toMillis());
    assertThatExceptionOfType(MintException.class)
        .isThrownBy(mint::mint)
        .withMessageContaining("the mint waits for 2000 ms at most");
  }

  @Test
  void keepAscendingGoesOnHoweverFar() {
    Mint<Ulid> mint = Mint.ofUlids(Order.ASCENDING, options(ClockPolicy.KEEP_ASCENDING));
    millis.set(AHEAD.toEpochMilli());
    Ulid ahead = mint.mint();
    millis.set(NOW.toEpochMilli());

    assertThat(mint.mint()).isGreaterThan(ahead);
  }

  @Test
  void counterGoesOnIfAMintOfObjectIdsReturns() {
    Mint<ObjectId> mint = Mint.ofObjectIds(options(ClockPolicy.RETURN_TO_CLOCK));
    millis.set(Instant.parse("2100-01-01T00:00:00Z").toEpochMilli());
    ObjectId ahead = mint.mint();
    millis.set(NOW.toEpochMilli());

    ObjectId next = mint.mint();

    assertThat(next.time()).isEqualTo(NOW);
    assertThat(Integer.parseInt(next.toString().substring(18), 16))
        .isEqualTo(Integer.parseInt(ahead.toString().substring(18), 16) + 1);
    assertThat(mint.mint(100)).isSorted().allMatch(id -> id.compareTo(next) > 0);
  }

  @Test
  void threadsRepeatNothingWhileTheClockJumps() throws Exception {
    AtomicLong readings = new AtomicLong();
    InstantSource jumping =
        () ->
            NOW.plusMillis(readings.incrementAndGet() / 64)
                .plus(Duration.ofHours(readings.get() / 1_000 % 2 * 24));
    Mint<Ulid> mint =
        Mint.ofUlids(Order.ASCENDING, options(ClockPolicy.RETURN_TO_CLOCK).withClock(jumping));
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      Callable<List<Ulid>> some =
          () -> {
            List<Ulid> ids = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
              ids.add(mint.mint());
            }
            return ids;
          };
      Set<Ulid> all = new HashSet<>();
      for (Future<List<Ulid>> ids : threads.invokeAll(List.of(some, some, some, some))) {
        all.addAll(ids.get());
      }
      assertThat(all).hasSize(20_000);
      assertThat(all).anyMatch(id -> id.time().isAfter(NOW.plus(Duration.ofHours(23))));
      assertThat(all).anyMatch(id -> id.time().isBefore(NOW.plus(Duration.ofHours(1))));
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void nodesDoNotReturn() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Mint.ofTsids(1, clock, ClockPolicy.RETURN_TO_CLOCK))
        .withMessageStartingWith("clock policy RETURN_TO_CLOCK: a node would repeat identifiers");
    Mint<Tsid> mint =
        Mint.of(
            IdType.tsids(), MintSettings.NONE.withNode(1), options(ClockPolicy.RETURN_TO_CLOCK));
    mint.mint();
    millis.addAndGet(-3_000);

    assertThatExceptionOfType(MintException.class).isThrownBy(mint::mint);
  }

  @Test
  void driftOutOfRangeIsRefused() {
    assertThat(MintOptions.DEFAULT.maxDrift()).isZero();
    assertThat(MintOptions.DEFAULT.withMaxDrift(Duration.ofDays(365)).maxDrift())
        .isEqualTo(MintOptions.MAX_DRIFT_LIMIT);
    for (Duration drift : List.of(Duration.ofNanos(-1), MintOptions.MAX_DRIFT_LIMIT.plusNanos(1))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> MintOptions.DEFAULT.withMaxDrift(drift))
          .withMessage("maxDrift " + drift + ": expected 0 to 365 days");
    }
  }

  private MintOptions options(ClockPolicy policy) {
    return MintOptions.DEFAULT
        .withClock(clock)
        .withEntropy(new Random(7))
        .withClockPolicy(policy)
        .withMaxDrift(TEN_SECONDS);
  }
}
