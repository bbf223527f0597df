package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The mints of ObjectIds, Xids, KSUIDs and TSIDs. */
class CounterMintTest {
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
  private static final int COUNTER_END = 1 << 24;

  private final AtomicLong millis = new AtomicLong(NOW.toEpochMilli());
  private final InstantSource clock = () -> Instant.ofEpochMilli(millis.get());

  /** All bits of the process are ones, and the first counter is the last that there is. */
  private static final Random LAST_COUNTER =
      new Random() {
        private static final long serialVersionUID = 1L;

        @Override
        public long nextLong() {
          return -2;
        }
      };

  @Test
  void counterGoesOnByOneFromSecondToSecond() {
    Mint<ObjectId> mint = Mint.ofObjectIds(options(new Random(7), ClockPolicy.FAIL));
    ObjectId first = mint.mint();

    ObjectId second = mint.mint();
    millis.addAndGet(1_000);
    ObjectId third = mint.mint();

    assertThat(counter(second)).isEqualTo(counter(first) + 1);
    assertThat(counter(third)).isEqualTo(counter(first) + 2);
    assertThat(first.time()).isEqualTo(NOW);
    assertThat(third.time()).isEqualTo(NOW.plusSeconds(1));
    assertThat(process(first)).isEqualTo(process(third));
    assertThat(mint.drift()).isEqualTo(Duration.ZERO);
  }

  @Test
  void twoMintsHaveTwoProcessesAndStarts() {
    ObjectId first = Mint.ofObjectIds(MintOptions.DEFAULT).mint();
    ObjectId second = Mint.ofObjectIds(MintOptions.DEFAULT).mint();

    assertThat(process(first)).isNotEqualTo(process(second));
  }

  @Test
  void fieldsFillTheBitsOfAnObjectIdAndOfAnXid() {
    String bytes = "69f495c0ffffffffffffffff";

    assertThat(Mint.ofObjectIds(options(LAST_COUNTER, ClockPolicy.KEEP_ASCENDING)).mint())
        .hasToString(bytes);
    assertThat(Mint.ofXids(options(LAST_COUNTER, ClockPolicy.KEEP_ASCENDING)).mint().toBytes())
        .isEqualTo(new BigInteger(bytes, 16).toByteArray());
  }

  @Test
  void atTheEndOfTheCounterTheNextSecondBegins() {
    Mint<Xid> mint = Mint.ofXids(options(LAST_COUNTER, ClockPolicy.KEEP_ASCENDING));

    List<Xid> ids = mint.mint(2);

    assertThat(ids.get(0).time()).isEqualTo(NOW);
    assertThat(ids.get(1).time()).isEqualTo(NOW.plusSeconds(1));
    assertThat(ids).isSorted().doesNotHaveDuplicates();
    assertThat(mint.drift()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void failRefusesToGoAheadAndUsesUpNothing() {
    Mint<ObjectId> mint = Mint.ofObjectIds(options(LAST_COUNTER, ClockPolicy.FAIL));

    mint.mint();
    assertThatExceptionOfType(MintException.class)
        .isThrownBy(mint::mint)
        .withMessageStartingWith("the clock is 1000 ms behind the next identifier");
    assertThatExceptionOfType(MintException.class).isThrownBy(() -> mint.mint(5));
    millis.addAndGet(1_000);
    assertThat(counter(mint.mint())).isZero();
  }

  @Test
  void aMintThatReturnsToItsClockGoesOnWithItsCounter() {
    Mint<ObjectId> mint = Mint.ofObjectIds(options(new Random(7), ClockPolicy.RETURN_TO_CLOCK));
    ObjectId ahead = mint.mint();
    millis.addAndGet(-3_600_000);
    Instant back = NOW.minusSeconds(3_600);

    List<ObjectId> ids = mint.mint(3);
    ObjectId next = mint.mint();

    assertThat(ids).extracting(ObjectId::time).containsOnly(back);
    assertThat(ids)
        .extracting(CounterMintTest::counter)
        .containsExactly(counter(ahead) + 1, counter(ahead) + 2, counter(ahead) + 3);
    assertThat(next.time()).isEqualTo(back);
    assertThat(counter(next)).isEqualTo(counter(ahead) + 4);
    assertThat(mint.drift()).isEqualTo(Duration.ZERO);
  }

  @Test
  void countOutOfRangeIsRefused() {
    for (Mint<?> mint :
        List.of(Mint.ofObjectIds(MintOptions.DEFAULT), Mint.ofKsuids(MintOptions.DEFAULT))) {
      for (int count : new int[] {-1, 0, Mint.COUNT_MAX + 1}) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> mint.mint(count))
            .withMessage("count is %d: expected 1 to 1048576", count);
      }
    }
  }

  @Test
  void orderIsKeptIfTheClockStepsBack() {
    Mint<ObjectId> mint = Mint.ofObjectIds(options(new Random(7), ClockPolicy.KEEP_ASCENDING));
    ObjectId first = mint.mint();
    millis.addAndGet(-3_600_000);

    assertThat(mint.mint()).isGreaterThan(first);
    assertThat(mint.drift()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void threadsRepeatNothingAndEachSeesItsOwnInOrder() throws Exception {
    Mint<ObjectId> mint = Mint.ofObjectIds(options(new Random(7), ClockPolicy.KEEP_ASCENDING));
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      Callable<List<ObjectId>> some =
          () -> {
            List<ObjectId> ids = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
              ids.add(mint.mint());
              ids.addAll(mint.mint(3));
            }
            return ids;
          };
      Set<ObjectId> all = new HashSet<>();
      for (Future<List<ObjectId>> ids : threads.invokeAll(List.of(some, some, some, some))) {
        assertThat(ids.get()).isSorted();
        all.addAll(ids.get());
      }
      assertThat(all).hasSize(80_000);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void timeAfterTheLastSecondIsRefused() {
    millis.set(Instant.parse("2106-02-07T06:28:16Z").toEpochMilli());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Mint.ofXids(options(LAST_COUNTER, ClockPolicy.KEEP_ASCENDING)).mint())
        .withMessageStartingWith("time 2106-02-07T06:28:16Z: expected ");
    millis.addAndGet(-1);
    Mint<Xid> mint = Mint.ofXids(options(LAST_COUNTER, ClockPolicy.KEEP_ASCENDING));
    mint.mint();
    assertThatExceptionOfType(MintException.class)
        .isThrownBy(mint::mint)
        .withMessage("the last second that 32 bits can count is used up");
  }

  @Test
  void processSharesOneMintOfEach() {
    assertThat(Stream.generate(ObjectId::mint).limit(1_000)).isSorted().doesNotHaveDuplicates();
    assertThat(Stream.generate(Xid::mint).limit(1_000)).isSorted().doesNotHaveDuplicates();
    assertThat(ObjectId.mint().time())
        .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
  }

  @Test
  void ksuidHasTheSecondOfItsClockAndNewRandomBits() {
    Mint<Ksuid> mint = Mint.ofKsuids(options(new Random(7), ClockPolicy.FAIL));
    millis.addAndGet(999);

    assertThat(mint.mint(100))
        .hasSize(100)
        .doesNotHaveDuplicates()
        .allMatch(id -> id.time().equals(NOW));
    assertThat(Ksuid.mint(NOW).time()).isEqualTo(NOW);
    assertThat(Ksuid.mint()).isNotEqualTo(Ksuid.mint());
    assertThat(Mint.ofKsuids(options(LAST_COUNTER, ClockPolicy.FAIL)).mint().toString())
        .isLessThan(Ksuid.max(NOW).toString());
  }

  @Test
  void tsidHasItsNodeAndACountFromZero() {
    Mint<Tsid> mint = Mint.ofTsids(7, clock, ClockPolicy.WAIT);
    Tsid first = mint.mint();

    assertThat(first.time()).isEqualTo(NOW);
    assertThat(Snowflake.of(first.toLong()).node(SnowflakeLayout.TSID)).isEqualTo(7);
    assertThat(mint.mint().toLong()).isEqualTo(first.toLong() + 1);
    assertThat(Mint.ofTsids(3).mint(10)).isSorted().doesNotHaveDuplicates();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Mint.ofTsids(1_024))
        .withMessage("node 1024: expected 0 to 1023");
  }

  private MintOptions options(Random entropy, ClockPolicy policy) {
    return MintOptions.DEFAULT.withClock(clock).withEntropy(entropy).withClockPolicy(policy);
  }

  private static int counter(ObjectId id) {
    return new BigInteger(id.toBytes()).intValue() & (COUNTER_END - 1);
  }

  private static String process(ObjectId id) {
    return id.toString().substring(8, 18);
  }
}
