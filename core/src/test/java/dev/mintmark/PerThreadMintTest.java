package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PerThreadMintTest {
  private static final long NOW_MILLIS = Instant.parse("2026-01-31T12:00:00.123Z").toEpochMilli();
  private static final int PLACE_BITS = 6;

  private final AtomicLong millis = new AtomicLong(NOW_MILLIS);
  private final MintOptions options =
      MintOptions.DEFAULT.withClock(() -> Instant.ofEpochMilli(millis.get()));

  /** An identifier, with the clock and the drift at the time it was returned. */
  private record Minted(Ulid id, int thread, long clockMillis, Duration drift) {}

  /** The promise of the order, for one identifier after another from threads at random. */
  @Test
  @Tag("slow")
  void identifiersAscendInAThreadAndFromMillisecondToMillisecond() throws Exception {
    for (ClockPolicy policy : ClockPolicy.values()) {
      for (long seed = 1; seed <= 5; seed++) {
        assertOrdered(mint(options.withClockPolicy(policy)), seed, policy);
      }
    }
  }

  private void assertOrdered(Mint<Ulid> mint, long seed, ClockPolicy policy) throws Exception {
    Random random = new Random(seed);
    List<ExecutorService> threads =
        Stream.generate(Executors::newSingleThreadExecutor).limit(6).toList();
    List<Minted> all = new ArrayList<>();
    try {
      for (int i = 0; i < 600; i++) {
        millis.addAndGet(step(random, policy));
        int thread = random.nextInt(threads.size());
        int count = random.nextInt(3);
        for (Ulid id : threads.get(thread).submit(() -> some(mint, count)).get()) {
          Minted next = new Minted(id, thread, millis.get(), mint.drift());
          assertThat(all)
              .as("seed " + seed + ", " + policy)
              .filteredOn(before -> mustPrecede(before, next))
              .allMatch(before -> before.id().compareTo(next.id()) < 0);
          all.add(next);
        }
      }
    } finally {
      threads.forEach(ExecutorService::shutdownNow);
    }
    assertThat(all.stream().map(Minted::id)).doesNotHaveDuplicates();
  }

  /**
   * The clock stands still most of the time, and steps back where the mint does not wait for it.
   */
  private static int step(Random random, ClockPolicy policy) {
    int kind = random.nextInt(20);
    if (kind == 0 && policy == ClockPolicy.KEEP_ASCENDING) {
      return -random.nextInt(50);
    }
    return kind < 6 ? random.nextInt(3) : 0;
  }

  private static List<Ulid> some(Mint<Ulid> mint, int count) {
    return count == 0 ? List.of(mint.mint()) : mint.mint(count);
  }

  private static boolean mustPrecede(Minted before, Minted next) {
    return before.thread() == next.thread()
        || next.clockMillis() > before.clockMillis() + before.drift().toMillis();
  }

  @Test
  void eightThreadsThatMintTogetherAscendEach() throws Exception {
    for (Mint<Ulid> mint : List.of(mint(options), Mint.ofUlids(Order.PER_THREAD))) {
      ExecutorService threads = Executors.newFixedThreadPool(8);
      try {
        Callable<List<Ulid>> minting = () -> mintedBy(mint, 20_000);
        Set<Ulid> all = new HashSet<>();
        for (Future<List<Ulid>> own : threads.invokeAll(Collections.nCopies(8, minting))) {
          assertThat(own.get()).isSorted();
          all.addAll(own.get());
        }

        assertThat(all).hasSize(8 * 20_000);
      } finally {
        threads.shutdownNow();
      }
    }
  }

  private static List<Ulid> mintedBy(Mint<Ulid> mint, int count) {
    List<Ulid> own = new ArrayList<>();
    while (own.size() < count) {
      own.add(mint.mint());
      own.addAll(mint.mint(3));
    }
    return own;
  }

  /** Which keeps its place when another thread carries it on. */
  @Test
  @SuppressWarnings("ThreadPriorityCheck") // Lets carriers change.
  void virtualThreadsAscendEach() throws Exception {
    Optional<Method> start =
        Arrays.stream(Thread.class.getMethods())
            .filter(method -> method.getName().equals("startVirtualThread"))
            .findFirst();
    assumeTrue(start.isPresent(), "this JDK has no virtual threads");
    Mint<Ulid> mint = mint(options);
    List<FutureTask<List<Ulid>>> tasks = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      tasks.add(
          new FutureTask<>(
              () -> Stream.generate(mint::mint).peek(id -> Thread.yield()).limit(50).toList()));
    }

    for (FutureTask<List<Ulid>> task : tasks) {
      start.orElseThrow().invoke(null, task);
    }

    Set<Ulid> all = new HashSet<>();
    for (FutureTask<List<Ulid>> task : tasks) {
      assertThat(task.get()).isSorted();
      all.addAll(task.get());
    }
    assertThat(all).hasSize(500 * 50);
  }

  @Test
  void threadsShareACounterOnlyAtOnePlace() throws Exception {
    Mint<Ulid> mint = mint(options);
    int place = ThreadPlace.among(PLACE_BITS);
    long first = counter(mint.mint());

    long elsewhere = counter(inAThreadWhosePlace(other -> other != place, mint::mint));
    long here = counter(inAThreadWhosePlace(other -> other == place, mint::mint));

    assertThat(here).isEqualTo(first + 1);
    assertThat(elsewhere).isNotEqualTo(first + 1);
  }

  @Test
  void theDriftIsThatOfTheThreadThatIsAheadMost() throws Exception {
    Mint<Ulid> mint = mint(options);
    int place = ThreadPlace.among(PLACE_BITS);
    inAThreadWhosePlace(other -> other != place, mint::mint);
    millis.addAndGet(-40);
    mint.mint();

    assertThat(mint.drift()).isEqualTo(Duration.ofMillis(40));
    millis.addAndGet(-2);
    assertThat(mint.drift()).isEqualTo(Duration.ofMillis(42));
    millis.set(NOW_MILLIS);
    assertThat(mint.drift()).isZero();
  }

  @Test
  void aThreadIsNotAheadBecauseAnotherIs() throws Exception {
    Mint<Ulid> mint = mint(options.withClockPolicy(ClockPolicy.FAIL));
    int place = ThreadPlace.among(PLACE_BITS);
    mint.mint();
    millis.addAndGet(-40);

    Ulid elsewhere = inAThreadWhosePlace(other -> other != place, mint::mint);

    assertThat(elsewhere.timeMillis()).isEqualTo(NOW_MILLIS - 40);
    assertThatExceptionOfType(MintException.class).isThrownBy(mint::mint);
  }

  private static Mint<Ulid> mint(MintOptions options) {
    MintOptions seeded = options.withEntropy(new Random(7));
    return new PerThreadMint<>(MillisecondLayout.ULID, seeded, PLACE_BITS);
  }

  /** Starts threads until one has such a place, and returns its answer. */
  private static <T> T inAThreadWhosePlace(Predicate<Integer> wanted, Callable<T> action)
      throws InterruptedException, ExecutionException {
    while (true) {
      FutureTask<T> task = new FutureTask<>(action);
      Thread thread = new Thread(task);
      if (wanted.test(ThreadPlace.of(thread.getId(), PLACE_BITS))) {
        thread.start();
        return task.get();
      }
    }
  }

  private static long counter(Ulid id) {
    return (id.mostSignificantBits() & 0xFFFF) << 4 | id.leastSignificantBits() >>> 60;
  }
}
