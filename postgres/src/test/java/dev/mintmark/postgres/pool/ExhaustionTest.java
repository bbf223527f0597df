package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExhaustionTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final AtomicLong nanos = new AtomicLong();
  private final Exhaustion exhaustion = clocked(1 << 14, Exhaustion.HOLDERS_MAX);

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
  void whatIsLearntAfterAReleaseIsRemembered() {
    exhaustion.forget();
    learn(exhaustion.epoch(), List.of());

    assertThat(exhaustion.rejection("stranger")).isPresent();
    assertThat(exhaustion.rejection()).isPresent();
  }

  @Test
  void theMemoryCountsFromBeforeTheProbeWasSent() {
    Exhaustion clocked = clocked(2, 4);
    nanos.set(500);
    clocked.learn(probe(List.of()), clocked.epoch(), 100);

    nanos.set(100 + Pool.REMEMBERED_FOR.toNanos() - 1);
    assertThat(clocked.rejection("stranger")).isPresent();
    nanos.incrementAndGet();
    assertThat(clocked.rejection("stranger")).isEmpty();
  }

  @Test
  void theMemoryEndsWhenAValueBecomesFree() {
    Exhaustion clocked = clocked(2, 4);
    clocked.learn(
        new Exhaustion.Probe(
            true, false, false, NOW, NOW.plusMillis(3), 0, true, 1, 1, 0, List.of()),
        clocked.epoch(),
        0);

    nanos.set(2_999_999);
    assertThat(clocked.rejection("stranger").orElseThrow().retryAfter())
        .isEqualTo(Duration.ofMillis(3));
    nanos.set(3_000_000);
    assertThat(clocked.rejection("stranger")).isEmpty();
  }

  @Test
  void anotherHistoryOfTheDatabaseEndsTheMemoryAndTheListOfHolders() {
    learn(exhaustion.epoch(), List.of("holder"));
    long epochBefore = exhaustion.epoch();

    exhaustion.forgetHolders();

    assertThat(exhaustion.rejection("stranger")).isEmpty();
    assertThat(exhaustion.lastToken()).isZero();
    assertThat(exhaustion.epoch()).isGreaterThan(epochBefore);
  }

  @Test
  void theHorizonIsThatOfTheLatestProbe() {
    Exhaustion clocked = clocked(2, 4);
    clocked.learn(ofHorizon(7), 0, 0);
    clocked.learn(ofHorizon(5), 0, 0);

    assertThat(clocked.horizon()).isEqualTo(7);
  }

  private static Exhaustion.Probe ofHorizon(long horizon) {
    return new Exhaustion.Probe(true, false, false, NOW, null, 0, true, 1, 1, horizon, List.of());
  }

  private Exhaustion clocked(int holdersPerProbe, long holdersMax) {
    return new Exhaustion("pool", holdersPerProbe, holdersMax, nanos::get);
  }

  @Test
  void aProbeListsFewEnoughForTheHeapOfAServer() {
    assertThat(new Exhaustion("pool").holdersPerProbe()).isEqualTo(1 << 14);
  }

  @Test
  void aMillionHoldersInPartsLookLikeFewStrangers() {
    int part = 1 << 14;
    int parts = 64;
    Exhaustion large = new Exhaustion("pool", part, Exhaustion.HOLDERS_MAX, nanos::get);
    for (int i = 0; i < parts; i++) {
      int first = i * part;
      List<String> holders =
          IntStream.range(first, first + part).mapToObj(number -> "c" + number).toList();
      large.learn(
          new Exhaustion.Probe(
              true,
              false,
              false,
              NOW,
              null,
              large.lastToken(),
              i == parts - 1,
              i + 1,
              i + 1,
              0,
              holders),
          0,
          0);
    }

    assertThat(IntStream.range(0, parts * part)).allMatch(i -> large.rejection("c" + i).isEmpty());
    long perhaps =
        IntStream.range(0, 1_000_000).filter(i -> large.rejection("x" + i).isEmpty()).count();
    assertThat(perhaps).isLessThan(100);
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
            true, false, false, NOW, NOW.plusSeconds(60), 0, true, 0, token - 1, 0, List.of());
    exhaustion.learn(restored, exhaustion.epoch(), nanos.get());

    assertThat(exhaustion.lastToken()).as("the next probe lists every holder").isZero();
  }

  @Test
  void aProbeThatListedOnlyLaterHoldersTeachesNothingAfterTheFilterStartedOver() {
    learn(exhaustion.epoch(), List.of("early"));
    Exhaustion.Probe partial = probe(List.of("late"));
    exhaustion.forget();
    learn(exhaustion.epoch(), List.of("early"), token - 5);

    exhaustion.learn(partial, exhaustion.epoch(), nanos.get());

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

  @Test
  void aFilterIsFullWithTwiceItsCapacity() {
    ClientFilter filter = new ClientFilter(100);
    IntStream.range(0, 50).forEach(i -> filter.add("holder-" + i));

    assertThat(filter.isFullWith(150)).isFalse();
    assertThat(filter.isFullWith(151)).isTrue();
    ClientFilter smallest = new ClientFilter(0);
    assertThat(smallest.isFullWith(2 * ClientFilter.CAPACITY_MIN)).isFalse();
    assertThat(smallest.isFullWith(2 * ClientFilter.CAPACITY_MIN + 1)).isTrue();
  }

  @Test
  void aPoolIsRememberedOnceAllItsHoldersWereListedInParts() {
    learnPart(List.of("a", "b"), 2);
    assertThat(exhaustion.rejection("stranger")).as("c may be the stranger").isEmpty();
    assertThat(exhaustion.lastToken()).as("the next part is after this one").isEqualTo(2);
    learnPart(List.of("c", "d"), 4);
    assertThat(exhaustion.rejection("stranger")).isEmpty();
    token = 4;

    learn(exhaustion.epoch(), List.of("e"));

    assertThat(exhaustion.rejection("stranger")).isPresent();
    for (String holder : List.of("a", "b", "c", "d", "e")) {
      assertThat(exhaustion.rejection(holder)).as(holder).isEmpty();
    }
  }

  @Test
  void aPartThatTwoThreadsListedCountsOnce() {
    Exhaustion few = clocked(2, 4);
    Exhaustion.Probe part = part(0, List.of("a", "b"), 2);
    few.learn(part, 0, 0);
    few.learn(part, 0, 0);
    few.learn(part, 0, 0);

    few.learn(
        new Exhaustion.Probe(true, false, false, NOW, null, 2, true, 3, 3, 0, List.of("c")), 0, 0);

    assertThat(few.rejection("stranger")).isPresent();
  }

  @Test
  void tooManyHoldersAreNotListedForATimeAndThenAgain() {
    Exhaustion few = clocked(2, 4);
    nanos.set(1_000);
    few.learn(part(0, List.of("a", "b"), 2), 0, 0);
    few.learn(part(2, List.of("c", "d"), 4), 0, 0);
    assertThat(few.lastToken()).as("as many as there is room for").isEqualTo(4);
    few.learn(part(4, List.of("e", "f"), 6), 0, 0);

    assertThat(few.lastToken()).as("none is listed").isEqualTo(Long.MAX_VALUE);
    few.learn(part(Long.MAX_VALUE, List.of(), 9), 0, 0);
    assertThat(few.rejection("stranger")).isEmpty();
    nanos.addAndGet(Duration.ofMinutes(10).toNanos() - 1);
    assertThat(few.lastToken()).isEqualTo(Long.MAX_VALUE);
    nanos.incrementAndGet();
    assertThat(few.lastToken()).isZero();
  }

  @Test
  void aFilterThatGrowsKnowsAllThatWasAdded() {
    Exhaustion growing = new Exhaustion("pool", 1_000, 1 << 20, nanos::get);
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      List<String> more = IntStream.range(0, 1_000).mapToObj(j -> "c" + all.size() + j).toList();
      all.addAll(more);
      growing.learn(
          new Exhaustion.Probe(
              true, false, false, NOW, null, growing.lastToken(), i >= 30, i + 1, i + 1, 0, more),
          0,
          0);
    }

    assertThat(all).noneMatch(holder -> growing.rejection(holder).isPresent());
    long perhaps =
        IntStream.range(0, 100_000).filter(i -> growing.rejection("x" + i).isEmpty()).count();
    assertThat(perhaps).isLessThan(300);
  }

  /** Two holders of more than two. */
  private static Exhaustion.Probe part(long afterToken, List<String> holders, long lastToken) {
    return new Exhaustion.Probe(
        true, false, false, NOW, null, afterToken, false, lastToken, lastToken, 0, holders);
  }

  private void learnPart(List<String> holders, long lastToken) {
    exhaustion.learn(
        part(exhaustion.lastToken(), holders, lastToken), exhaustion.epoch(), nanos.get());
  }

  private long token;

  private void learn(long epochBefore, List<String> holders) {
    exhaustion.learn(probe(holders), epochBefore, nanos.get());
  }

  /** A probe after which the filter starts over: the database has gone back in time. */
  private void learn(long epochBefore, List<String> holders, long lastDrawn) {
    exhaustion.learn(
        new Exhaustion.Probe(true, false, false, NOW, null, 0, true, 0, lastDrawn, 0, holders),
        epochBefore,
        nanos.get());
  }

  private Exhaustion.Probe probe(List<String> holders) {
    return new Exhaustion.Probe(
        true,
        false,
        false,
        NOW,
        NOW.plus(Duration.ofMinutes(1)),
        exhaustion.lastToken(),
        true,
        ++token,
        token,
        0,
        holders);
  }
}
