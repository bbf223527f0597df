package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExhaustionTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final Exhaustion exhaustion = new Exhaustion("pool");

  @Test
  void turnsAwayThoseWhoHoldNothing() {
    learn(exhaustion.epoch(), List.of("holder"));

    assertThat(exhaustion.rejection("stranger")).isPresent();
    assertThat(exhaustion.rejection("holder")).isEmpty();
  }

  @Test
  void aReleaseDuringAProbeKeepsThePoolFromBeingTakenForEmpty() {
    long epochBefore = exhaustion.epoch();
    exhaustion.forget();
    learn(epochBefore, List.of());

    assertThat(exhaustion.rejection("stranger")).isEmpty();
  }

  @Test
  void aReleaseEndsTheMemory() {
    learn(exhaustion.epoch(), List.of());
    exhaustion.forget();

    assertThat(exhaustion.rejection("stranger")).isEmpty();
  }

  @Test
  void theMemoryCountsFromBeforeTheProbeWasSent() {
    long longAgo = System.nanoTime() - Pool.REMEMBERED_FOR.toNanos();
    exhaustion.learn(probe(List.of()), exhaustion.epoch(), longAgo);

    assertThat(exhaustion.rejection("stranger")).isEmpty();
  }

  @Test
  void theFilterOfHoldersStartsOverWhenTooManyHaveLeft() {
    for (int i = 0; i < 65; i++) {
      learn(exhaustion.epoch(), List.of("holder-" + i));
    }

    assertThat(exhaustion.lastToken()).as("the next probe lists every holder").isZero();
  }

  @Test
  void theFilterStartsOverWhenTheDatabaseHasGoneBackInTime() {
    learn(exhaustion.epoch(), List.of("holder"));

    var restored =
        new Exhaustion.Probe(
            true, false, false, NOW, NOW.plusSeconds(60), 0, 0, token - 1, 0, List.of());
    exhaustion.learn(restored, exhaustion.epoch(), System.nanoTime());

    assertThat(exhaustion.lastToken()).as("the next probe lists every holder").isZero();
  }

  @Test
  void aProbeThatListedOnlyLaterHoldersTeachesNothingAfterTheFilterStartedOver() {
    learn(exhaustion.epoch(), List.of("early"));
    Exhaustion.Probe partial = probe(List.of("late"));
    exhaustion.forget();
    learn(exhaustion.epoch(), List.of("early"), token - 5);

    exhaustion.learn(partial, exhaustion.epoch(), System.nanoTime());

    assertThat(exhaustion.rejection("early")).as("it holds a value").isEmpty();
  }

  @Test
  void theFilterNeverSaysNoForAHolderAndSeldomPerhapsForOthers() {
    ClientFilter filter = new ClientFilter(2_044);
    IntStream.range(0, 2_044).forEach(i -> filter.add("holder-" + i));

    assertThat(IntStream.range(0, 2_044)).allMatch(i -> filter.mayContain("holder-" + i));
    long perhaps = IntStream.range(0, 500_000).filter(i -> filter.mayContain("x" + i)).count();
    assertThat(perhaps).isLessThan(100);
  }

  private long token;

  private void learn(long epochBefore, List<String> holders) {
    exhaustion.learn(probe(holders), epochBefore, System.nanoTime());
  }

  /** A probe after which the filter starts over: the database has gone back in time. */
  private void learn(long epochBefore, List<String> holders, long lastDrawn) {
    exhaustion.learn(
        new Exhaustion.Probe(true, false, false, NOW, null, 0, 0, lastDrawn, 0, holders),
        epochBefore,
        System.nanoTime());
  }

  private Exhaustion.Probe probe(List<String> holders) {
    return new Exhaustion.Probe(
        true,
        false,
        false,
        NOW,
        NOW.plus(Duration.ofMinutes(1)),
        exhaustion.lastToken(),
        ++token,
        token,
        0,
        holders);
  }
}
