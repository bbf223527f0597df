package dev.mintmark.postgres.pool.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Mint;
import dev.mintmark.MintException;
import dev.mintmark.Snowflake;
import dev.mintmark.SnowflakeLayout;
import dev.mintmark.postgres.pool.numbers.WorkerTerm.Scale;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The mint of a leased number alone: a monotonic clock that the test moves, and no database. */
class WorkerMintTest {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00.000Z");

  /** What the monotonic clock shows, which runs over on the way. */
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5_000_000_000L);

  /** By how much each look at the monotonic clock moves it. */
  private volatile long step = 100;

  private final MonotonicClock monotonic =
      new MonotonicClock() {
        @Override
        public long nanos() {
          return nanos.addAndGet(step);
        }

        @Override
        public void pause(long length) {
          nanos.addAndGet(length);
        }
      };

  static Stream<SnowflakeLayout> layouts() {
    return Stream.of(
        SnowflakeLayout.TWITTER,
        SnowflakeLayout.DISCORD,
        SnowflakeLayout.INSTAGRAM,
        SnowflakeLayout.SONY,
        new SnowflakeLayout(Instant.EPOCH, 1_000, 33, 10, 3, false),
        new SnowflakeLayout(Instant.EPOCH, 7, 40, 0, 0, true));
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void idsAscendBearTheNodeAndLieBeforeTheEnd(SnowflakeLayout layout) {
    int node = layout.nodeMax();
    Duration length = Duration.ofMillis(20L * layout.unitMillis());
    step = 1_000L * layout.unitMillis();
    Instant claimed = START.plusMillis(3);
    WorkerMint mint = mint(layout, term(layout, node, claimed, length));

    List<Snowflake> ids = mintUntilEnded(mint, 5_000);

    assertThat(ids).isNotEmpty().doesNotHaveDuplicates().isSorted();
    assertThat(ids).allSatisfy(id -> assertThat(id.node(layout)).isEqualTo(node));
    assertThat(ids.get(0).time(layout)).isAfter(claimed.minusMillis(layout.unitMillis()));
    assertThat(last(ids).time(layout).plusMillis(layout.unitMillis()))
        .isBeforeOrEqualTo(claimed.plus(length));
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void idsOfASuccessorWhoseClockIsBehindStandAboveThoseOfThePredecessor(SnowflakeLayout layout) {
    Duration length = Duration.ofMillis(10L * layout.unitMillis());
    step = 1_000L * layout.unitMillis();
    List<Snowflake> before =
        mintUntilEnded(mint(layout, term(layout, 0, START.plusMillis(5), length)), 2_000);

    // As after a failover: the successor's server says that it is earlier than the end.
    Instant end = START.plusMillis(5).plus(length);
    WorkerMint successor =
        mint(
            layout,
            startingAt(
                Scale.of(layout).tickAt(end),
                term(layout, 0, end.minusMillis(2L * layout.unitMillis()), length)));
    List<Snowflake> after = mintUntilEnded(successor, 2_000);

    assertThat(after).isNotEmpty();
    assertThat(after.get(0)).isGreaterThan(last(before));
  }

  @Test
  void sequenceThatRunsOverGoesOnInTheNextUnitOfTimeAndStopsAtTheEnd() {
    SnowflakeLayout layout = SnowflakeLayout.SONY;
    step = 10;
    WorkerMint mint = mint(layout, term(layout, 9, START, Duration.ofMillis(35)));

    List<Snowflake> ids = mintUntilEnded(mint, 10_000);

    // 12:00:00.000 to .030 as whole units of 10 ms; the last one would end past the lease.
    assertThat(ids).hasSize(3 * 256).doesNotHaveDuplicates().isSorted();
    assertThat(ids.get(256).time(layout)).isEqualTo(START.plusMillis(10));
    assertThat(ids.get(256).sequence(layout)).isZero();
    assertThat(last(ids).time(layout)).isEqualTo(START.plusMillis(20));
  }

  @Test
  void batchesTakeTheSameIdsAsSingles() {
    SnowflakeLayout layout = SnowflakeLayout.TWITTER;
    step = 10;
    WorkerMint mint = mint(layout, term(layout, 1, START, Duration.ofSeconds(3)));

    List<Snowflake> ids = new ArrayList<>(mint.mint(10_000));
    ids.add(mint.mint());
    ids.addAll(mint.mint(1));

    assertThat(ids).hasSize(10_002).doesNotHaveDuplicates().isSorted();
    assertThat(ids.get(4_096).time(layout)).isEqualTo(START.plusMillis(1));
    assertThatThrownBy(() -> mint.mint(0)).hasMessage("count is 0: expected 1 to 1048576");
    assertThatThrownBy(() -> mint.mint(Mint.COUNT_MAX + 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void leaseIsOverWhenItsLengthHasPassedSinceTheRequestWhateverTheServersClockSays() {
    SnowflakeLayout layout = SnowflakeLayout.TWITTER;
    WorkerTerm term = term(layout, 1, START, Duration.ofSeconds(10));
    WorkerTerm slow =
        new WorkerTerm(
            1,
            new ServerClock(term.clock().micros() - 60_000_000, term.clock().nanos()),
            Long.MIN_VALUE,
            term.endTick(),
            term.end(),
            term.untilNanos());
    WorkerMint mint = mint(layout, slow);

    mint.mint();
    nanos.addAndGet(Duration.ofSeconds(10).toNanos());

    assertThatThrownBy(mint::mint).isInstanceOf(Ended.class);
  }

  @Test
  void numberThatMayNotBeStampedYetIsWaitedForOnlyIfThatIsSoon() {
    SnowflakeLayout layout = SnowflakeLayout.TWITTER;
    Scale scale = Scale.of(layout);
    WorkerTerm term = term(layout, 1, START, Duration.ofSeconds(30));

    Snowflake soon = mint(layout, startingAt(scale.tickAt(START.plusSeconds(1)), term)).mint();

    assertThat(soon.time(layout)).isAfterOrEqualTo(START.plusSeconds(1));
    WorkerMint late = mint(layout, startingAt(scale.tickAt(START.plusSeconds(25)), term));
    assertThatThrownBy(late::mint)
        .isInstanceOf(MintException.class)
        .hasMessageContaining("node 1 may be stamped from 2026-03-01T12:00:25Z on");
  }

  @Test
  void waitingThreadThatIsInterruptedFailsAndStaysInterrupted() {
    SnowflakeLayout layout = SnowflakeLayout.TWITTER;
    WorkerTerm term = term(layout, 1, START, Duration.ofSeconds(30));
    WorkerMint mint = mint(layout, startingAt(term.firstTick() + 1_000, term));

    Thread.currentThread().interrupt();

    assertThatThrownBy(mint::mint).isInstanceOf(MintException.class).hasMessageContaining("interr");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void closedMintMakesNothingAndTellsTheLastTime() {
    SnowflakeLayout layout = SnowflakeLayout.TWITTER;
    WorkerMint mint = mint(layout, term(layout, 1, START, Duration.ofSeconds(30)));
    Snowflake id = mint.mint();

    long lastTick = mint.close();

    assertThat(Scale.of(layout).time(lastTick)).isEqualTo(id.time(layout));
    assertThatThrownBy(mint::mint).isInstanceOf(MintException.class).hasMessageContaining("closed");
    assertThatThrownBy(() -> mint.mint(5)).isInstanceOf(MintException.class);
    assertThat(mint.drift()).isZero();
  }

  @Test
  void timeThatTheLayoutCannotHoldIsRefused() {
    SnowflakeLayout layout = SnowflakeLayout.TWITTER.withEpoch(START.plusSeconds(100));
    WorkerMint mint = mint(layout, term(layout, 1, START, Duration.ofSeconds(30)));

    assertThatThrownBy(mint::mint).isInstanceOf(IllegalArgumentException.class);
  }

  /**
   * Many threads, while the term is replaced by others: later ends, other numbers, a clock that was
   * put back. The model is the rule itself: every id lies in the times that its number was leased
   * for, and none comes twice.
   */
  @Test
  void idsOfManyThreadsAcrossManyTermsStayWithinThem() throws Exception {
    SnowflakeLayout layout = new SnowflakeLayout(Instant.EPOCH, 1, 42, 4, 2, false);
    long seed = 20260301;
    Random random = new Random(seed);
    Scale scale = Scale.of(layout);
    step = 2_000;
    WorkerTerm first = term(layout, 3, START, Duration.ofMillis(20));
    WorkerTerm[] terms = new WorkerTerm[200];
    terms[0] = first;
    long[] lastEnd = new long[layout.nodeMax() + 1];
    WorkerMint[] made = new WorkerMint[1];
    AtomicLong next = new AtomicLong(1);
    ThreadSafeTerms successor =
        ended -> {
          synchronized (terms) {
            int index = (int) next.get();
            if (!made[0].term().equals(ended)) {
              return;
            }
            if (index == terms.length) {
              throw new Ended();
            }
            int node = random.nextInt(4) == 0 ? ended.node() : random.nextInt(16);
            boolean renewed = node == ended.node();
            lastEnd[ended.node()] = Math.max(lastEnd[ended.node()], ended.endTick());
            long now = nanos.get();
            long shift = random.nextInt(3) == 0 ? -random.nextInt(4_000) : random.nextInt(2_000);
            long micros = ended.clock().microsAt(now) + shift;
            Instant end = ServerClock.instant(micros).plusMillis(1 + random.nextInt(20));
            terms[index] =
                new WorkerTerm(
                    node,
                    new ServerClock(micros, now),
                    renewed ? ended.firstTick() : lastEnd[node],
                    scale.tickAt(end),
                    end,
                    now + Duration.ofMillis(25).toNanos());
            next.incrementAndGet();
            made[0].begin(terms[index]);
          }
        };
    made[0] = new WorkerMint(layout, first, monotonic, (t, n) -> successor.next(t));

    List<Snowflake> ids = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<List<Snowflake>>> running = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Callable<List<Snowflake>> task = () -> mintUntilEnded(made[0], Integer.MAX_VALUE);
        running.add(threads.submit(task));
      }
      for (Future<List<Snowflake>> one : running) {
        assertThat(one.get()).as("of one thread, seed %d", seed).isSorted();
        ids.addAll(one.get());
      }
    } finally {
      threads.shutdown();
    }

    assertThat(ids).as("seed %d", seed).hasSizeGreaterThan(200).doesNotHaveDuplicates();
    assertThat(ids)
        .as("seed %d", seed)
        .allSatisfy(
            id -> {
              long tick = scale.tickAt(id.time(layout));
              assertThat(Stream.of(terms))
                  .anyMatch(
                      term ->
                          term.node() == id.node(layout)
                              && term.firstTick() <= tick
                              && tick < term.endTick());
            });
  }

  private interface ThreadSafeTerms {
    void next(WorkerTerm ended);
  }

  /** What the successor of these tests throws: there is no further term. */
  private static final class Ended extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private WorkerMint mint(SnowflakeLayout layout, WorkerTerm term) {
    return new WorkerMint(
        layout,
        term,
        monotonic,
        (ended, left) -> {
          throw new Ended();
        });
  }

  private WorkerTerm term(SnowflakeLayout layout, int node, Instant claimed, Duration length) {
    Instant end = claimed.plus(length);
    long now = nanos.get();
    return new WorkerTerm(
        node,
        ServerClock.at(claimed, now),
        Scale.of(layout).tickAt(claimed),
        Scale.of(layout).tickAt(end),
        end,
        now + length.toNanos());
  }

  private static WorkerTerm startingAt(long firstTick, WorkerTerm term) {
    return new WorkerTerm(
        term.node(), term.clock(), firstTick, term.endTick(), term.end(), term.untilNanos());
  }

  private static List<Snowflake> mintUntilEnded(Mint<Snowflake> mint, int max) {
    List<Snowflake> ids = new ArrayList<>();
    try {
      while (ids.size() < max) {
        ids.add(mint.mint());
      }
    } catch (Ended e) {
      // As it must come to be.
    }
    return ids;
  }

  private static Snowflake last(List<Snowflake> ids) {
    return ids.get(ids.size() - 1);
  }
}
