package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class MintTest {
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00.123Z");
  private static final long NOW_MILLIS = NOW.toEpochMilli();
  private static final int COUNTERS = 1 << 20;

  /** The kinds that orders are defined for, each shown as its 128 bits. */
  private enum TimedKind {
    ULID {
      @Override
      Mint<Ulid> mint(Order order, MintOptions options) {
        return Mint.ofUlids(order, options);
      }
    },
    UUID_V7 {
      @Override
      Mint<Ulid> mint(Order order, MintOptions options) {
        return new AsUlids(Mint.ofUuidsV7(order, options));
      }
    };

    abstract Mint<Ulid> mint(Order order, MintOptions options);
  }

  private record AsUlids(Mint<UUID> uuids) implements Mint<Ulid> {
    @Override
    public Ulid mint() {
      return Ulid.of(uuids.mint());
    }

    @Override
    public List<Ulid> mint(int count) {
      return uuids.mint(count).stream().map(Ulid::of).toList();
    }

    @Override
    public Duration drift() {
      return uuids.drift();
    }
  }

  /** Each kind in each of the orders that promise that every identifier is greater. */
  private static Stream<Mint<Ulid>> strictMints(MintOptions options) {
    return Stream.of(TimedKind.values())
        .flatMap(
            kind -> Stream.of(Order.ASCENDING, Order.SPEC).map(order -> kind.mint(order, options)));
  }

  @Test
  void eightThreadsAndAClockThatJumpsNeverRepeatNorGoBack() throws Exception {
    Random jumps = new Random(11);
    AtomicLong offset = new AtomicLong();
    InstantSource jumping =
        () -> {
          synchronized (jumps) {
            if (jumps.nextInt(50) == 0) {
              offset.addAndGet(jumps.nextInt(20_001) - 10_000);
            }
          }
          return Instant.ofEpochMilli(NOW_MILLIS + offset.get());
        };
    for (Mint<Ulid> mint : strictMints(MintOptions.DEFAULT.withClock(jumping)).toList()) {
      assertAscendsInThreads(mint);
    }
  }

  @Test
  void eightThreadsOnTheSystemsClockNeverRepeatNorGoBack() throws Exception {
    for (Mint<Ulid> mint : strictMints(MintOptions.DEFAULT).toList()) {
      assertAscendsInThreads(mint);
    }
  }

  @Test
  void eightThreadsThatWaitForTheirClockNeverRepeatNorGoBack() throws Exception {
    AtomicLong reads = new AtomicLong();
    InstantSource trembling =
        () -> {
          long read = reads.getAndIncrement();
          return Instant.ofEpochMilli(NOW_MILLIS + read / 100 - (read % 7 == 0 ? 3 : 0));
        };
    MintOptions options =
        MintOptions.DEFAULT.withClock(trembling).withClockPolicy(ClockPolicy.WAIT);

    for (Mint<Ulid> mint : strictMints(options).toList()) {
      assertAscendsInThreads(mint);
    }
  }

  @Tag("slow")
  @Test
  void eightThreadsThatFillMillisecondsNeverRepeat() throws Exception {
    Mint<Ulid> mint =
        Mint.ofUlids(Order.ASCENDING, MintOptions.DEFAULT.withClock(InstantSource.fixed(NOW)));
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<List<Ulid>>> minted = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        minted.add(
            threads.submit(
                () -> {
                  List<Ulid> own = new ArrayList<>();
                  while (own.size() < 200_000) {
                    own.addAll(mint.mint(9_999));
                    own.add(mint.mint());
                  }
                  return own;
                }));
      }
      Set<Ulid> all = new HashSet<>();
      for (Future<List<Ulid>> future : minted) {
        assertThat(future.get()).isSorted();
        all.addAll(future.get());
      }

      assertThat(all).hasSize(8 * 200_000);
      assertThat(mint.drift()).isBetween(Duration.ofMillis(1), Duration.ofMillis(3));
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void entropyThatIsNotSafeForThreadsIsSharedOneByOne() throws Exception {
    for (Order order : Order.values()) {
      assertSharedOneByOne(order.label(), options -> Mint.ofUlids(order, options));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      mode = Mode.EXCLUDE,
      names = {"TEXT", "SEQUENCE"})
  void entropyOfEveryKindIsSharedOneByOne(Kind kind) throws Exception {
    MintSettings settings =
        kind.has(Kind.Option.NODE) ? MintSettings.NONE.withNode(1) : MintSettings.NONE;
    assertSharedOneByOne(kind.label(), options -> Mint.of(IdType.of(kind, ""), settings, options));
  }

  /** Collections of the kind nanoid have another type, because they declare no alphabet. */
  @Test
  void entropyOfNanoIdsOfAFormatIsSharedOneByOne() throws Exception {
    assertSharedOneByOne(
        "NanoID", options -> Mint.of(IdType.nanoIds(), MintSettings.NONE, options));
  }

  private static void assertSharedOneByOne(String what, Function<MintOptions, Mint<?>> mints)
      throws Exception {
    RandomGenerator unsafe = new SplittableRandom(7);
    AtomicInteger users = new AtomicInteger();
    AtomicInteger mostUsers = new AtomicInteger();
    RandomGenerator watched =
        () -> {
          mostUsers.accumulateAndGet(users.incrementAndGet(), Math::max);
          long word = unsafe.nextLong();
          users.decrementAndGet();
          return word;
        };
    Mint<?> mint = mints.apply(MintOptions.DEFAULT.withEntropy(watched));
    Set<Object> all = ConcurrentHashMap.newKeySet();
    List<Thread> threads =
        Stream.generate(
                () ->
                    new Thread(() -> IntStream.range(0, 50_000).forEach(n -> all.add(mint.mint()))))
            .limit(4)
            .toList();

    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(all).as(what).hasSize(200_000);
    assertThat(mostUsers).as(what).hasValueLessThanOrEqualTo(1); // 0 of those that count.
  }

  /** Each must be greater than every one that was there before it was asked for. */
  private static void assertAscendsInThreads(Mint<Ulid> mint) throws Exception {
    AtomicReference<Ulid> greatest = new AtomicReference<>(Ulid.of(0, 0));
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<List<Ulid>>> minted = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        boolean inBatches = i % 4 == 3;
        minted.add(
            threads.submit(
                () -> {
                  List<Ulid> own = new ArrayList<>();
                  while (own.size() < 20_000) {
                    Ulid before = greatest.get();
                    List<Ulid> next = inBatches ? mint.mint(7) : List.of(mint.mint());
                    assertThat(next.get(0)).isGreaterThan(before);
                    greatest.accumulateAndGet(
                        next.get(next.size() - 1), (a, b) -> a.compareTo(b) < 0 ? b : a);
                    own.addAll(next);
                  }
                  return own;
                }));
      }
      Set<Ulid> all = new HashSet<>();
      int count = 0;
      for (Future<List<Ulid>> future : minted) {
        List<Ulid> own = future.get();
        assertThat(own).isSorted();
        all.addAll(own);
        count += own.size();
      }
      assertThat(all).hasSize(count);
    } catch (ExecutionException e) {
      throw new AssertionError(mint.toString(), e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyOrderCarriesTheTimeOfItsClock(Order order) {
    for (TimedKind kind : TimedKind.values()) {
      Mint<Ulid> mint = kind.mint(order, MintOptions.DEFAULT.withClock(InstantSource.fixed(NOW)));

      assertThat(mint.mint().time()).isEqualTo(NOW);
      assertThat(mint.mint(3)).hasSize(3).allMatch(id -> id.time().equals(NOW));
      assertThat(mint.drift()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyOrderMakesUuidsOfVersion7(Order order) {
    Mint<UUID> mint = Mint.ofUuidsV7(order);

    assertThat(Stream.concat(Stream.of(mint.mint()), mint.mint(100).stream()))
        .allMatch(id -> Uuids.version(id) == 7 && Uuids.variant(id) == 2);
  }

  @ParameterizedTest
  @EnumSource
  void everyOrderRefusesATimeThatDoesNotFit(Order order) {
    for (Instant time :
        new Instant[] {
          Instant.EPOCH.minusMillis(1),
          Instant.ofEpochMilli(Ulid.TIME_MILLIS_MAX + 1),
          Instant.ofEpochMilli(Long.MIN_VALUE),
          Instant.ofEpochMilli(Long.MAX_VALUE),
          Instant.MIN,
          Instant.MAX
        }) {
      for (TimedKind kind : TimedKind.values()) {
        Mint<Ulid> mint =
            kind.mint(order, MintOptions.DEFAULT.withClock(InstantSource.fixed(time)));

        assertThatIllegalArgumentException()
            .isThrownBy(mint::mint)
            .withMessage(
                "time %s: expected 1970-01-01T00:00:00.000Z to +10889-08-02T05:31:50.655Z", time);
        assertThatIllegalArgumentException().isThrownBy(() -> mint.mint(2));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyOrderReachesTheFirstAndTheLastMillisecond(Order order) {
    for (long millis : new long[] {0, Ulid.TIME_MILLIS_MAX}) {
      Instant time = Instant.ofEpochMilli(millis);
      for (TimedKind kind : TimedKind.values()) {
        Mint<Ulid> mint =
            kind.mint(order, MintOptions.DEFAULT.withClock(InstantSource.fixed(time)));

        assertThat(mint.mint().timeMillis()).isEqualTo(millis);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void countsOutOfRangeAreRefused(Order order) {
    Mint<Ulid> mint = Mint.ofUlids(order);

    for (int count : new int[] {Integer.MIN_VALUE, -1, 0, Mint.COUNT_MAX + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> mint.mint(count))
          .withMessage("count is %d: expected 1 to 1048576", count);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatWasMintedTogetherDiffersAndCannotBeChanged(Order order) {
    for (TimedKind kind : TimedKind.values()) {
      List<Ulid> ids = kind.mint(order, MintOptions.DEFAULT).mint(10_000);

      assertThat(ids).doesNotHaveDuplicates().hasSize(10_000);
    }
    List<Ulid> ids = Mint.ofUlids(order).mint(1);
    assertThatThrownBy(() -> ids.set(0, Ulid.of(0, 0)))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void randomOrderIsThatOfMintingSingly() {
    InstantSource clock = InstantSource.fixed(NOW);
    MintOptions options = new MintOptions(clock, new Random(7), ClockPolicy.FAIL);

    assertThat(Mint.ofUlids(Order.RANDOM, options).mint())
        .isEqualTo(Ulid.mint(clock, new Random(7)));
    assertThat(Mint.ofUuidsV7(Order.RANDOM, options.withEntropy(new Random(7))).mint())
        .isEqualTo(Uuids.mintV7(clock, new Random(7)));
  }

  @ParameterizedTest
  @EnumSource
  void ascendingCountsByOneBeforeFreshRandomBits(TimedKind kind) {
    BiFunction<Ulid, Ulid, Long> step = (a, b) -> counter(kind, b) - counter(kind, a);
    Mint<Ulid> mint =
        kind.mint(Order.ASCENDING, MintOptions.DEFAULT.withClock(InstantSource.fixed(NOW)));

    List<Ulid> ids = new ArrayList<>(List.of(mint.mint(), mint.mint()));
    ids.addAll(mint.mint(2));

    for (int i = 1; i < ids.size(); i++) {
      assertThat(step.apply(ids.get(i - 1), ids.get(i))).isEqualTo(1);
    }
    assertThat(ids.stream().map(id -> id.leastSignificantBits() & 0x3F_FFFF_FFFF_FFFFL))
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void ascendingBeginsEachMillisecondAtRandomInTheLowerHalf(TimedKind kind) {
    AtomicLong millis = new AtomicLong(NOW_MILLIS);
    Mint<Ulid> mint =
        kind.mint(
            Order.ASCENDING,
            MintOptions.DEFAULT.withClock(() -> Instant.ofEpochMilli(millis.getAndIncrement())));

    List<Long> starts =
        Stream.generate(mint::mint).limit(1000).map(id -> counter(kind, id)).toList();

    assertThat(starts).allMatch(start -> start < COUNTERS / 2);
    assertThat(starts.stream().map(start -> start / (COUNTERS / 32)).distinct()).hasSize(16);
    assertThat(starts.stream().map(start -> start % 16).distinct()).hasSize(16);
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource
  void ascendingGoesOnInTheNextMillisecondWhenOneIsFull(TimedKind kind) {
    Mint<Ulid> mint =
        kind.mint(Order.ASCENDING, MintOptions.DEFAULT.withClock(InstantSource.fixed(NOW)));

    List<Ulid> ids = new ArrayList<>(mint.mint(Mint.COUNT_MAX));
    ids.add(mint.mint());

    assertThat(ids).isSorted().doesNotHaveDuplicates();
    assertThat(ids.get(0).timeMillis()).isEqualTo(NOW_MILLIS);
    assertThat(ids.get(ids.size() - 1).timeMillis()).isEqualTo(NOW_MILLIS + 1);
    assertThat(mint.drift()).isEqualTo(Duration.ofMillis(1));
  }

  @Test
  void keepingTheOrderShowsHowFarTheClockIsBehind() {
    AtomicLong millis = new AtomicLong(NOW_MILLIS);
    strictMints(MintOptions.DEFAULT.withClock(() -> Instant.ofEpochMilli(millis.get())))
        .forEach(
            mint -> {
              millis.set(NOW_MILLIS);
              Ulid before = mint.mint();
              millis.set(NOW_MILLIS - 25_000);

              assertThat(mint.mint()).isGreaterThan(before);
              assertThat(mint.drift()).isEqualTo(Duration.ofSeconds(25));
              millis.set(NOW_MILLIS + 1);
              assertThat(mint.drift()).isZero();
            });
  }

  @Test
  void failingIsChosenByName() {
    AtomicLong millis = new AtomicLong(NOW_MILLIS);
    MintOptions options =
        MintOptions.DEFAULT
            .withClock(() -> Instant.ofEpochMilli(millis.get()))
            .withClockPolicy(ClockPolicy.FAIL);
    strictMints(options)
        .forEach(
            mint -> {
              millis.set(NOW_MILLIS);
              Ulid before = mint.mint();
              millis.set(NOW_MILLIS - 1);

              assertThatExceptionOfType(MintException.class)
                  .isThrownBy(mint::mint)
                  .withMessageContaining("the clock is 1 ms behind");
              assertThatExceptionOfType(MintException.class).isThrownBy(() -> mint.mint(2));
              millis.set(NOW_MILLIS);
              assertThat(mint.mint()).isGreaterThan(before);
            });
  }

  @Test
  void waitingIsChosenByName() {
    AtomicLong reads = new AtomicLong();
    InstantSource steppingBackOnce =
        () -> {
          long read = reads.getAndIncrement();
          return Instant.ofEpochMilli(read == 0 ? NOW_MILLIS : NOW_MILLIS - 10 + read);
        };
    Mint<Ulid> mint =
        Mint.ofUlids(
            Order.ASCENDING,
            MintOptions.DEFAULT.withClock(steppingBackOnce).withClockPolicy(ClockPolicy.WAIT));
    Ulid before = mint.mint();

    Ulid waitedFor = mint.mint();

    assertThat(waitedFor).isGreaterThan(before);
    assertThat(reads).hasValueGreaterThanOrEqualTo(11);
  }

  @Test
  void fullMillisecondFailsWhereThatIsChosen() {
    Mint<Ulid> mint =
        Mint.ofUlids(
            Order.ASCENDING,
            MintOptions.DEFAULT
                .withClock(InstantSource.fixed(NOW))
                .withClockPolicy(ClockPolicy.FAIL));

    assertThatExceptionOfType(MintException.class)
        .isThrownBy(
            () -> {
              mint.mint(COUNTERS / 2);
              mint.mint(COUNTERS / 2 + 1);
            });
  }

  @Test
  void ascendingDoesNotGoPastTheLastMillisecondThereIs() {
    InstantSource last = InstantSource.fixed(Instant.ofEpochMilli(Ulid.TIME_MILLIS_MAX));
    Mint<Ulid> mint = Mint.ofUlids(Order.ASCENDING, MintOptions.DEFAULT.withClock(last));

    assertThatExceptionOfType(MintException.class)
        .isThrownBy(
            () -> {
              mint.mint(COUNTERS / 2);
              mint.mint(COUNTERS / 2 + 1);
            })
        .withMessage("the last millisecond that 48 bits can count is used up");
  }

  @Test
  void specOfAUlidAddsOne() {
    Mint<Ulid> mint =
        Mint.ofUlids(Order.SPEC, MintOptions.DEFAULT.withClock(InstantSource.fixed(NOW)));

    List<Ulid> ids = new ArrayList<>(List.of(mint.mint(), mint.mint()));
    ids.addAll(mint.mint(1000));

    for (int i = 1; i < ids.size(); i++) {
      assertThat(ids.get(i).toBigInteger().subtract(ids.get(i - 1).toBigInteger())).isOne();
    }
  }

  @Test
  void specOfAUuidAddsARandomNumber() {
    Mint<UUID> mint =
        Mint.ofUuidsV7(Order.SPEC, MintOptions.DEFAULT.withClock(InstantSource.fixed(NOW)));

    List<UUID> ids = mint.mint(1000);

    Set<Long> steps = new HashSet<>();
    for (int i = 1; i < ids.size(); i++) {
      long step = randB(ids.get(i)) - randB(ids.get(i - 1)) & 0x3FFF_FFFF_FFFF_FFFFL;
      assertThat(step).isBetween(1L, 1L << 32);
      steps.add(step);
    }
    assertThat(steps).hasSizeGreaterThan(990);
  }

  @Test
  void specCarriesIntoTheUpperHalf() {
    RandomGenerator lowEnd = sequence(0x1234, -1);
    Mint<Ulid> mint = Mint.ofUlids(Order.SPEC, fixed(lowEnd));

    assertThat(mint.mint()).hasToString("01KG9YS7KV28TFZZZZZZZZZZZZ");
    assertThat(mint.mint()).hasToString("01KG9YS7KV28TG000000000000");
  }

  @Test
  void specFailsWhenTheRandomBitsOverflow() {
    Mint<Ulid> ulids = Mint.ofUlids(Order.SPEC, fixed(sequence(-1, -2)));
    assertThat(ulids.mint().leastSignificantBits()).isEqualTo(-2);
    assertThat(ulids.mint().leastSignificantBits()).isEqualTo(-1);

    for (int i = 0; i < 3; i++) {
      assertThatExceptionOfType(MintException.class)
          .isThrownBy(ulids::mint)
          .withMessageContaining("of millisecond " + NOW_MILLIS + " are used up");
    }
  }

  @Test
  void specRefusesOnHoweverManyWereRefused() {
    SpecMint<UUID> mint = new SpecMint<>(MillisecondLayout.UUID_V7, fixed(Entropy.strong()));
    mint.mint();
    mint.run(NOW_MILLIS)
        .set(-1); // As after 2^31 identifiers of one millisecond, and as many refused.

    for (int i = 0; i < 3; i++) {
      assertThatExceptionOfType(MintException.class).isThrownBy(mint::mint);
    }
  }

  @Test
  void specGoesOnInTheNextMillisecondAfterAnOverflow() {
    AtomicLong millis = new AtomicLong(NOW_MILLIS);
    MintOptions options =
        fixed(sequence(-1, -1)).withClock(() -> Instant.ofEpochMilli(millis.get()));
    Mint<Ulid> mint = Mint.ofUlids(Order.SPEC, options);
    mint.mint();
    assertThatExceptionOfType(MintException.class).isThrownBy(mint::mint);

    millis.incrementAndGet();

    assertThat(mint.mint().timeMillis()).isEqualTo(NOW_MILLIS + 1);
  }

  @Test
  void specOfAUuidOverflowsIntoNeitherVersionNorVariant() {
    Mint<UUID> mint = Mint.ofUuidsV7(Order.SPEC, fixed(sequence(-1, -1)));

    UUID first = mint.mint();
    UUID second = mint.mint();

    assertThat(first).hasToString("019c13ec-9e7b-77ff-bfff-ffffffffffff");
    assertThat(second).hasToString("019c13ec-9e7b-7800-8000-0000ffffffff");
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.INCLUDE, names = "MICROSECOND")
  void microsecondsStandBehindTheMilliseconds(Order order) {
    Instant time = NOW.plusNanos(987_654);
    MintOptions options = MintOptions.DEFAULT.withClock(InstantSource.fixed(time));

    Ulid ulid = Mint.ofUlids(order, options).mint();
    UUID uuid = Mint.ofUuidsV7(order, options).mint();

    assertThat(ulid.time()).isEqualTo(NOW);
    assertThat(ulid.mostSignificantBits() >>> 6 & 0x3FF).isEqualTo(987);
    assertThat(uuid.getMostSignificantBits() & 0xFFF).isEqualTo(987_654L * 4096 / 1_000_000);
  }

  @Test
  void microsecondsAreInTheOrderOfTheirClock() {
    AtomicLong micros = new AtomicLong(NOW_MILLIS * 1000);
    InstantSource clock = () -> Instant.EPOCH.plusNanos(micros.getAndAdd(1) * 1000);
    for (TimedKind kind : TimedKind.values()) {
      assertThat(kind.mint(Order.MICROSECOND, MintOptions.DEFAULT.withClock(clock)).mint(5000))
          .isSorted()
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void ordersAreReadByTheirLabels() {
    assertThat(Order.parse("ascending")).isEqualTo(Order.ASCENDING);
    assertThat(Order.parse("per-thread")).isEqualTo(Order.PER_THREAD);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Order.parse("monotonic"))
        .withMessage(
            "unknown order \"monotonic\": expected one of random, ascending, per-thread, spec, microsecond");
  }

  private static MintOptions fixed(RandomGenerator entropy) {
    return MintOptions.DEFAULT.withClock(InstantSource.fixed(NOW)).withEntropy(entropy);
  }

  /** Gives these words over and over. */
  private static RandomGenerator sequence(long... words) {
    AtomicLong drawn = new AtomicLong();
    return () -> words[(int) (drawn.getAndIncrement() % words.length)];
  }

  private static long randB(UUID uuid) {
    return uuid.getLeastSignificantBits() & 0x3FFF_FFFF_FFFF_FFFFL;
  }

  private static long counter(TimedKind kind, Ulid id) {
    return switch (kind) {
      case ULID -> (id.mostSignificantBits() & 0xFFFF) << 4 | id.leastSignificantBits() >>> 60;
      case UUID_V7 ->
          (id.mostSignificantBits() & 0xFFF) << 8 | (id.leastSignificantBits() >>> 54 & 0xFF);
    };
  }

  @Test
  @SuppressWarnings("NullAway") // callers without a null checker
  void optionsHaveNoNull() {
    MintOptions options = MintOptions.DEFAULT;

    assertThatNullPointerException().isThrownBy(() -> options.withClock(null)).withMessage("clock");
    assertThatNullPointerException()
        .isThrownBy(() -> options.withEntropy(null))
        .withMessage("entropy");
    assertThatNullPointerException()
        .isThrownBy(() -> options.withClockPolicy(null))
        .withMessage("clockPolicy");
  }
}
