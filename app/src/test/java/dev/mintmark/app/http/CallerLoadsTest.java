package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.PoolGate.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of a caller, by a clock that the tests set. */
class CallerLoadsTest {
  private final AtomicLong nanos = new AtomicLong();

  private CallerLoads loads(Optional<String> rate, OptionalInt atOnce) {
    return new CallerLoads(new RequestLimits(rate.map(Rate::parse), atOnce), nanos::get);
  }

  private static boolean admits(CallerLoads loads, String caller) {
    return loads.begin(caller).refusal().isEmpty();
  }

  private static long admitted(CallerLoads loads, String caller, int requests) {
    return IntStream.range(0, requests).filter(i -> admits(loads, caller)).count();
  }

  /** The clock of a JVM may begin anywhere, and pass from positive to negative numbers. */
  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 1_000_000_000L, Long.MIN_VALUE})
  void aCallerMaySendAsManyAtOnceAsTheRateHasAndThenEvenly(long start) {
    nanos.set(start);
    CallerLoads loads = loads(Optional.of("10/s"), OptionalInt.empty());

    assertThat(admitted(loads, "a", 100)).isEqualTo(10);
    nanos.addAndGet(Duration.ofMillis(99).toNanos());
    assertThat(admits(loads, "a")).isFalse();
    nanos.addAndGet(Duration.ofMillis(1).toNanos());
    assertThat(admitted(loads, "a", 100)).isEqualTo(1);
    nanos.addAndGet(Duration.ofSeconds(60).toNanos());
    assertThat(admitted(loads, "a", 100))
        .as("no more than the rate has are saved up")
        .isEqualTo(10);
    assertThat(loads.refusedByRate()).isEqualTo(90 + 1 + 99 + 90);
  }

  @Test
  void whoWaitsAsLongAsToldIsAdmittedHoweverOftenItWasRefused() {
    CallerLoads loads = loads(Optional.of("3/s"), OptionalInt.empty());
    admitted(loads, "a", 1_000);

    CallerLoads.Refusal refusal = loads.begin("a").refusal().orElseThrow();
    nanos.addAndGet(refusal.retryAfter().toNanos());

    assertThat(refusal.retryAfter()).isBetween(Duration.ofMillis(333), Duration.ofMillis(334));
    assertThat(admits(loads, "a")).isTrue();
  }

  @Test
  void oneCallerDoesNotUseUpWhatAnotherMaySend() {
    CallerLoads loads = loads(Optional.of("2/s"), OptionalInt.of(2));

    assertThat(admitted(loads, "a", 10)).isEqualTo(2);
    assertThat(admitted(loads, "b", 10)).isEqualTo(2);
  }

  @Test
  void aRequestIsInProgressUntilItEndsOnce() {
    CallerLoads loads = loads(Optional.empty(), OptionalInt.of(2));
    CallerLoads.Request first = loads.begin("a");
    CallerLoads.Request second = loads.begin("a");
    CallerLoads.Request refused = loads.begin("a");
    assertThat(refused.refusal().orElseThrow().limit())
        .isEqualTo("2 requests in progress at a time");

    refused.end();
    assertThat(admits(loads, "a")).as("a refused request was not in progress").isFalse();
    first.end();
    first.end();
    assertThat(admitted(loads, "a", 10)).isEqualTo(1);
    assertThat(loads.refusedAtOnce()).isEqualTo(1 + 1 + 9);
    assertThat(second.refusal()).isEmpty();
  }

  @Test
  void anIdleCallerIsForgotten() {
    CallerLoads loads = loads(Optional.empty(), OptionalInt.of(2));
    CallerLoads.Request request = loads.begin("a");
    assertThat(loads.size()).isEqualTo(1);

    request.end();

    assertThat(loads.size()).isZero();
  }

  @Test
  void callersWithoutNumberShareACountUntilOthersAreIdle() {
    CallerLoads loads = loads(Optional.of("1/s"), OptionalInt.empty());
    IntStream.range(0, CallerLoads.CALLERS_MAX).forEach(i -> loads.begin("caller-" + i).end());
    assertThat(loads.size()).isEqualTo(CallerLoads.CALLERS_MAX);

    assertThat(admits(loads, "new")).isTrue();
    assertThat(admits(loads, "newer")).as("it shares a count with the one before").isFalse();
    assertThat(admits(loads, "caller-7")).as("it has its own").isFalse();
    assertThat(loads.size()).isEqualTo(CallerLoads.CALLERS_MAX + 1);

    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(admits(loads, "newest")).isTrue();
    assertThat(loads.size()).isLessThan(10);
  }

  @Test
  void manyThreadsTogetherAreAdmittedExactlyAsOftenAsTheRateHas() {
    CallerLoads loads = loads(Optional.of("1000/s"), OptionalInt.empty());
    List<CompletableFuture<Long>> threads =
        IntStream.range(0, 8)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> admitted(loads, "a", 1_000), ThreadPerTask.EXECUTOR))
            .toList();

    assertThat(threads.stream().mapToLong(CompletableFuture::join).sum()).isEqualTo(1_000);
  }

  @Test
  void aLimitIsOneRequestOrMore() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RequestLimits(Optional.empty(), OptionalInt.of(0)))
        .withMessage("0 requests at once: expected 1 or more");
  }
}
