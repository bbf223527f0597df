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
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SnowflakeMintTest {
  private static final SnowflakeLayout TWITTER = SnowflakeLayout.TWITTER;
  private static final Instant NOW = Instant.parse("2024-05-01T12:00:00Z");

  private final AtomicLong millis = new AtomicLong(NOW.toEpochMilli());
  private final AtomicLong readings = new AtomicLong();
  private final InstantSource clock = () -> Instant.ofEpochMilli(millis.get());

  @Test
  void idsCarryTheTimeTheNodeAndACountFromZero() {
    Mint<Snowflake> mint = Mint.ofSnowflakes(TWITTER, 7, clock, ClockPolicy.WAIT);

    assertThat(mint.mint()).isEqualTo(Snowflake.of(TWITTER, NOW, 7, 0));
    assertThat(mint.mint()).isEqualTo(Snowflake.of(TWITTER, NOW, 7, 1));
    millis.addAndGet(5);
    assertThat(mint.mint()).isEqualTo(Snowflake.of(TWITTER, NOW.plusMillis(5), 7, 0));
  }

  @Test
  void sonyCountsInItsTenMilliseconds() {
    SnowflakeLayout sony = SnowflakeLayout.SONY;
    Mint<Snowflake> mint = Mint.ofSnowflakes(sony, 65_535, clock, ClockPolicy.WAIT);

    assertThat(mint.mint()).isEqualTo(Snowflake.of(sony, NOW, 65_535, 0));
    millis.addAndGet(9);
    assertThat(mint.mint()).isEqualTo(Snowflake.of(sony, NOW, 65_535, 1));
    millis.addAndGet(1);
    assertThat(mint.mint()).isEqualTo(Snowflake.of(sony, NOW.plusMillis(10), 65_535, 0));
  }

  @Test
  void systemsClockIsTakenUnlessAnotherIsGiven() {
    Instant before = Instant.now().minusMillis(1);

    Snowflake id = Mint.ofSnowflakes(TWITTER, 0).mint();

    assertThat(id.time(TWITTER)).isBetween(before, Instant.now());
  }

  @Test
  void keepAscendingBorrowsFromTheNextMillisecondAndSaysHowFar() {
    Mint<Snowflake> mint = Mint.ofSnowflakes(TWITTER, 7, clock, ClockPolicy.KEEP_ASCENDING);
    assertThat(mint.drift()).isEqualTo(Duration.ZERO);

    List<Snowflake> ids = mint.mint(4_097);

    assertThat(ids.get(4_095)).isEqualTo(Snowflake.of(TWITTER, NOW, 7, 4_095));
    assertThat(ids.get(4_096)).isEqualTo(Snowflake.of(TWITTER, NOW.plusMillis(1), 7, 0));
    assertThat(mint.drift()).isEqualTo(Duration.ofMillis(1));
  }

  @Test
  void keepAscendingGoesOnBehindAClockThatWasSetBack() {
    Mint<Snowflake> mint = Mint.ofSnowflakes(TWITTER, 7, clock, ClockPolicy.KEEP_ASCENDING);
    mint.mint();
    millis.addAndGet(-3_600_000);

    assertThat(mint.mint()).isEqualTo(Snowflake.of(TWITTER, NOW, 7, 1));
    assertThat(mint.drift()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void failRefusesTheIdBeyondTheMillisecondAndGoesOnInTheNext() {
    Mint<Snowflake> mint = Mint.ofSnowflakes(TWITTER, 7, clock, ClockPolicy.FAIL);
    mint.mint(4_096);

    for (int i = 0; i < 10_000; i++) {
      assertThatExceptionOfType(MintException.class)
          .isThrownBy(mint::mint)
          .withMessageStartingWith("the clock is 1 ms behind the next identifier");
    }
    millis.incrementAndGet();
    assertThat(mint.mint()).isEqualTo(Snowflake.of(TWITTER, NOW.plusMillis(1), 7, 0));
  }

  @Test
  void waitRefusesAClockThatWasSetFarBack() {
    Mint<Snowflake> mint = Mint.ofSnowflakes(TWITTER, 7, clock, ClockPolicy.WAIT);
    mint.mint();
    millis.addAndGet(-3_600_000);

    assertThat(mint.drift()).isEqualTo(Duration.ofHours(1));
    assertThatExceptionOfType(MintException.class)
        .isThrownBy(mint::mint)
        .withMessageStartingWith("the clock is 3600000 ms behind the next identifier");
  }

  @Tag("slow")
  @Test
  void waitIsNeverAheadOfTheClock() {
    InstantSource slow = () -> Instant.ofEpochMilli(millis.get() + readings.getAndIncrement() / 8);
    Mint<Snowflake> mint = Mint.ofSnowflakes(TWITTER, 7, slow, ClockPolicy.WAIT);

    List<Snowflake> ids = mint.mint(50_000);

    assertThat(ids).hasSize(50_000).isSorted().doesNotHaveDuplicates();
    assertThat(mint.drift()).isEqualTo(Duration.ZERO);
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource(names = {"KEEP_ASCENDING", "WAIT"})
  void eightThreadsNeverGoBackOrRepeatWhileTheClockJumpsBothWays(ClockPolicy policy)
      throws Exception {
    InstantSource jumping =
        () ->
            Instant.ofEpochMilli(
                millis.get()
                    + readings.getAndIncrement() / 100
                    + ThreadLocalRandom.current().nextInt(-3, 4));
    Mint<Snowflake> mint = Mint.ofSnowflakes(TWITTER, 7, jumping, policy);
    int threads = 8;
    int singles = 3_000;
    Callable<List<Snowflake>> worker =
        () -> {
          List<Snowflake> ids = new ArrayList<>();
          for (int i = 0; i < singles; i++) {
            ids.add(mint.mint());
          }
          ids.addAll(mint.mint(5_000));
          return ids;
        };

    ExecutorService executor = Executors.newFixedThreadPool(threads);
    Set<Snowflake> all = new HashSet<>();
    try {
      List<Future<List<Snowflake>>> results = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        results.add(executor.submit(worker));
      }
      for (Future<List<Snowflake>> result : results) {
        assertThat(result.get()).isSorted();
        all.addAll(result.get());
      }
    } finally {
      executor.shutdownNow();
    }

    assertThat(all).hasSize(threads * (singles + 5_000));
  }

  @Test
  void clockBeforeTheEpochIsRefused() {
    Mint<Snowflake> mint =
        Mint.ofSnowflakes(TWITTER, 7, InstantSource.fixed(Instant.EPOCH), ClockPolicy.WAIT);

    assertThatIllegalArgumentException()
        .isThrownBy(mint::mint)
        .withMessage(
            "time 1970-01-01T00:00:00Z: expected 2010-11-04T01:42:54.657Z to"
                + " 2080-07-10T17:30:30.208Z");
  }

  @Test
  void clockBehindTheLastTimeIsRefused() {
    Mint<Snowflake> mint = Mint.ofSnowflakes(TWITTER, 7, clock, ClockPolicy.KEEP_ASCENDING);
    millis.set(TWITTER.timeMax().toEpochMilli());
    assertThat(mint.mint(4_096)).hasSize(4_096).last().isEqualTo(lastOfNode7());

    assertThatExceptionOfType(MintException.class)
        .isThrownBy(mint::mint)
        .withMessage(
            "no Snowflake is left for node 7: the last time of its layout,"
                + " 2080-07-10T17:30:30.208Z, is used up");
    millis.incrementAndGet();
    assertThatIllegalArgumentException()
        .isThrownBy(mint::mint)
        .withMessageStartingWith("time 2080-07-10T17:30:30.209Z: expected ");
  }

  @Test
  void layoutWithoutASequenceHasOneIdAUnit() {
    SnowflakeLayout bare = new SnowflakeLayout(NOW, 1, 41, 22, 0, false);
    Mint<Snowflake> mint = Mint.ofSnowflakes(bare, 7, clock, ClockPolicy.KEEP_ASCENDING);

    assertThat(mint.mint(3))
        .extracting(id -> id.time(bare))
        .containsExactly(NOW, NOW.plusMillis(1), NOW.plusMillis(2));
  }

  @Test
  void aBatchThatSpansMillisecondsHasEveryNumberOfEach() {
    Mint<Snowflake> mint = Mint.ofSnowflakes(TWITTER, 7, clock, ClockPolicy.KEEP_ASCENDING);
    mint.mint();

    List<Snowflake> ids = mint.mint(8_192);

    for (int i = 0; i < ids.size(); i++) {
      Instant time = NOW.plusMillis((i + 1) / 4_096);
      assertThat(ids.get(i)).isEqualTo(Snowflake.of(TWITTER, time, 7, (i + 1) % 4_096));
    }
  }

  @Test
  void aKindIsMintedByAMintThatWaitsOrFails() {
    MintSettings node = MintSettings.NONE.withNode(7);
    MintOptions options = MintOptions.DEFAULT.withClock(clock);
    for (ClockPolicy policy : ClockPolicy.values()) {
      Mint<Snowflake> mint =
          SnowflakeMint.of(Kind.SNOWFLAKE, TWITTER, node, options.withClockPolicy(policy));
      assertThat(mint.mint()).isEqualTo(Snowflake.of(TWITTER, NOW, 7, 0));
      millis.addAndGet(-3_000);
      String why = policy == ClockPolicy.FAIL ? "the mint fails" : "the mint waits for 2000 ms";
      assertThatExceptionOfType(MintException.class)
          .isThrownBy(mint::mint)
          .withMessageContaining(why);
      millis.addAndGet(3_000);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SnowflakeMint.of(Kind.SNOWFLAKE, TWITTER, MintSettings.NONE, options))
        .withMessage("kind snowflake needs a node: 0 to 1023, a number that no other process has");
  }

  @Test
  void nodeOutOfRangeIsRefused() {
    for (int node : new int[] {-1, 1_024}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Mint.ofSnowflakes(TWITTER, node))
          .withMessage("node %d: expected 0 to 1023", node);
    }
  }

  @Test
  void countOutOfRangeIsRefused() {
    Mint<Snowflake> mint = Mint.ofSnowflakes(TWITTER, 7);

    for (int count : new int[] {-1, 0, Mint.COUNT_MAX + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> mint.mint(count))
          .withMessage("count is %d: expected 1 to 1048576", count);
    }
  }

  private static Snowflake lastOfNode7() {
    return Snowflake.of(TWITTER, TWITTER.timeMax(), 7, 4_095);
  }
}
