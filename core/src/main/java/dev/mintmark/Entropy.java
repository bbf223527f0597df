package dev.mintmark;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Cryptographically strong random bits at a cost of a few nanoseconds: the default entropy of
 * mints. Callers can use any other {@link RandomGenerator} instead, such as {@link SecureRandom}.
 *
 * <p><b>Construction.</b> Fast key erasure [1]: AES-256 in counter mode turns a key into a block,
 * the first {@value EntropyStripe#KEY_BYTES} bytes of which are the next key and never leave the
 * process; the rest is returned once, and each word is erased when it is returned. The cipher gets
 * the next key as soon as the block is made, and so forgets the last one. So an attacker who walks
 * through the objects of the process learns future output, but no past output. What remains: arrays
 * that nothing references any more lie in the heap until the collector reuses their memory, and a
 * heap dump without a collection before it has them.
 *
 * <p><b>Sources.</b> The first key comes from a {@link SecureRandom}. Output of another one is
 * mixed into the key after {@value #RESEED_BYTES} bytes from one seed, and if the seed is older
 * than {@link #RESEED_AFTER} when bits are drawn, measured by the system's clock in either
 * direction. Mints that read that clock anyway compare it with every identifier, all others with
 * every {@value EntropyStripe#BYTES_PER_LOOK} bytes of a block, which is every 16th UUIDv4.
 *
 * <p><b>Two copies of one process</b>, restored from one checkpoint or cloned with their machine,
 * would return the same bits until the next seeding. They are seeded again
 *
 * <ul>
 *   <li>at once after a restoration by CRaC [2] (also on AWS Lambda SnapStart), if {@code org.crac}
 *       or {@code jdk.crac} is there: this class registers for it by reflection;
 *   <li>when they next draw bits a second or more after the last seeding, as above. Until then,
 *       each block of a clone can return up to 15 equal UUIDv4s, and identifiers with a time repeat
 *       if their milliseconds are equal;
 *   <li>when a program calls {@link #reseed}. Call it where a machine is cloned while it runs and
 *       its clock is not put right: nothing else can notice that.
 * </ul>
 *
 * <p>(A JVM cannot continue after {@code fork(2)}, so that case does not exist. In a GraalVM native
 * image, this class is initialized at run time, so that no seed is part of the image.)
 *
 * <p><b>Threads.</b> Thread-safe, also for virtual threads. There is at most one block for each
 * processor that the JVM had when this class was first used, and none belongs to a thread. A thread
 * takes the block that it had last, which no other thread uses as a rule, so that processors do not
 * wait for one another. If that block is in use, the thread takes another one and keeps to it. If
 * all are in use, because threads were interrupted while they drew bits, it lets others run and, if
 * that does not help, makes a temporary block.
 *
 * <p><b>Memory.</b> A block takes less than 8 KiB with its overhead, and is made when it is first
 * needed: there is one as long as one thread at a time draws bits.
 *
 * <p>[1] D. J. Bernstein, <a href="https://blog.cr.yp.to/20170723-random.html">Fast-key-erasure
 * random-number generators</a>, 2017. [2] <a href="https://openjdk.org/projects/crac/">Coordinated
 * Restore at Checkpoint</a>.
 */
public final class Entropy implements RandomGenerator {
  /** The age at which a seed is replaced when bits are drawn, by the system's clock. */
  public static final Duration RESEED_AFTER = Duration.ofSeconds(1);

  /** The most bytes from one seed. */
  public static final int RESEED_BYTES = 1 << 20;

  /** A hint has one byte. */
  private static final int STRIPES_MAX = 1 << Byte.SIZE;

  /** Rounds through all stripes without a pause: a holder that is running is soon done. */
  private static final int SPINS_MAX = 8;

  /** Rounds after that, while other threads run: the holders may wait for a processor. */
  private static final int YIELDS_MAX = 8;

  /** 1,024 hints. */
  static final int HINT_BITS = 10;

  private static final Entropy STRONG =
      new Entropy(Entropy::seed, InstantSource.system(), stripesOfThisMachine());

  /** Kept here, because the context of CRaC refers to it weakly. */
  @SuppressWarnings("unused")
  private static final Optional<Object> RESTORE_HOOK =
      RestoreHook.register(Entropy.class.getClassLoader(), STRONG::reseed);

  private final Consumer<byte[]> seeds;
  private final InstantSource clock;

  /** Each is made when it is first needed. */
  private final AtomicReferenceArray<@Nullable EntropyStripe> stripes;

  /**
   * The number of the stripe that a thread last got, at its {@link ThreadPlace}. Threads that meet
   * at a stripe part for good, because one of them takes another and writes its number here. As
   * long as they do not meet, they only read, each processor from its own cache.
   */
  private final byte[] hints = new byte[1 << HINT_BITS];

  private final AtomicLong temporaryStripes = new AtomicLong();

  /** Incremented to make every stripe start a new block from a new seed. */
  private volatile int generation;

  /**
   * @param seeds fills a key's worth of bytes, for one thread at a time
   * @param stripeCount the most stripes that are kept, 1 to 256
   */
  Entropy(Consumer<byte[]> seeds, InstantSource clock, int stripeCount) {
    this.seeds = seeds;
    this.clock = clock;
    this.stripes = new AtomicReferenceArray<>(stripeCount);
  }

  /**
   * Uses a new generator each time, which reads from the operating system: a generator that is kept
   * would be copied with the process, and both copies would continue with the same seeds.
   */
  private static void seed(byte[] bytes) {
    new SecureRandom().nextBytes(bytes);
  }

  private static int stripesOfThisMachine() {
    return Math.min(STRIPES_MAX, Runtime.getRuntime().availableProcessors());
  }

  /** The instance of this process. */
  public static Entropy strong() {
    return STRONG;
  }

  /**
   * Discards all unused bits and starts from a new seed of {@link SecureRandom} before anything
   * else is returned. Call it if the process may have become a copy of another one.
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // Guarded; readers need to see that it changed.
  public synchronized void reseed() {
    generation++;
  }

  /** How often {@link #reseed} was called. */
  int generation() {
    return generation;
  }

  @Override
  public long nextLong() {
    EntropyStripe stripe = acquire(Long.BYTES, EntropyStripe.UNKNOWN);
    long word = stripe.nextWord();
    stripe.release();
    return word;
  }

  @Override
  public void nextBytes(byte[] bytes) {
    int drawn = 0;
    while (drawn < bytes.length) {
      EntropyStripe stripe = acquire(1, clock.millis());
      drawn += stripe.fill(bytes, drawn);
      stripe.release();
    }
  }

  /**
   * Returns a generator that threads may share: the given one if it is known to be thread-safe,
   * which most are not, otherwise a synchronized one.
   */
  static RandomGenerator shared(RandomGenerator entropy) {
    boolean isShared =
        entropy instanceof Entropy || entropy instanceof Random || entropy instanceof OneByOne;
    return isShared ? entropy : new OneByOne(entropy);
  }

  private record OneByOne(RandomGenerator generator) implements RandomGenerator {
    @Override
    public synchronized long nextLong() {
      return generator.nextLong();
    }
  }

  /** Draws 128 bits. */
  static Ulid draw128(RandomGenerator entropy) {
    if (entropy instanceof Entropy strong) {
      EntropyStripe stripe = strong.acquire(2 * Long.BYTES, EntropyStripe.UNKNOWN);
      long high = stripe.nextWord();
      long low = stripe.nextWord();
      stripe.release();
      return Ulid.of(high, low);
    }
    return Ulid.of(entropy.nextLong(), entropy.nextLong());
  }

  /** Draws 80 bits, the last ones of 128; the others are undefined. */
  static Ulid draw80(RandomGenerator entropy) {
    return draw80(entropy, EntropyStripe.UNKNOWN);
  }

  /**
   * As above, for a caller that has read a clock.
   *
   * @param nowMillis its time; used only if it is the clock by which seeds age
   */
  static Ulid draw80(RandomGenerator entropy, InstantSource clock, long nowMillis) {
    boolean isItsClock = entropy instanceof Entropy strong && strong.clock == clock;
    return draw80(entropy, isItsClock ? nowMillis : EntropyStripe.UNKNOWN);
  }

  private static Ulid draw80(RandomGenerator entropy, long nowMillis) {
    if (entropy instanceof Entropy strong) {
      EntropyStripe stripe = strong.acquire(Short.BYTES + Long.BYTES, nowMillis);
      long high = stripe.nextShort();
      long low = stripe.nextWord();
      stripe.release();
      return Ulid.of(high, low);
    }
    return Ulid.of(entropy.nextLong(), entropy.nextLong());
  }

  /** Fills the array with random bits. */
  static void draw(RandomGenerator entropy, long[] into) {
    if (entropy instanceof Entropy strong) {
      for (int drawn = 0; drawn < into.length; ) {
        EntropyStripe stripe = strong.acquire(2 * Long.BYTES, strong.clock.millis());
        drawn += stripe.fill(into, drawn);
        stripe.release();
      }
    } else {
      Arrays.setAll(into, i -> entropy.nextLong());
    }
  }

  /**
   * Takes a stripe with at least this many bytes, for exclusive use until its release.
   *
   * @param nowMillis the time of the clock, or {@link EntropyStripe#UNKNOWN}
   */
  private EntropyStripe acquire(int bytes, long nowMillis) {
    int current = generation;
    int place = ThreadPlace.among(HINT_BITS);
    EntropyStripe stripe = stripes.get(hinted(place));
    if (stripe == null || !stripe.tryAcquire()) {
      stripe = acquireAnother(place);
    }
    if (!stripe.has(bytes, current, nowMillis)) {
      stripe.refill(current, nowMillis);
    }
    return stripe;
  }

  private int hinted(int place) {
    return Byte.toUnsignedInt(hints[place]);
  }

  @SuppressWarnings("ThreadPriorityCheck") // Only the speed depends on whom the scheduler chooses.
  private EntropyStripe acquireAnother(int place) {
    for (int round = 0; round < SPINS_MAX + YIELDS_MAX; round++) {
      int first = hinted(place);
      for (int i = 0; i < stripes.length(); i++) {
        int number = (first + i) % stripes.length();
        EntropyStripe stripe = tryAcquire(number);
        if (stripe != null) {
          hints[place] = (byte) number;
          return stripe;
        }
      }
      if (round < SPINS_MAX) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
    temporaryStripes.incrementAndGet();
    return new EntropyStripe(seeds, clock);
  }

  /** Takes the stripe with a number, or makes it; null if it is in use. */
  private @Nullable EntropyStripe tryAcquire(int number) {
    EntropyStripe stripe = stripes.get(number);
    if (stripe != null) {
      return stripe.tryAcquire() ? stripe : null;
    }
    EntropyStripe made = new EntropyStripe(seeds, clock);
    return stripes.compareAndSet(number, null, made) ? made : null;
  }

  /** The number of stripes that are kept. */
  int stripes() {
    return (int) IntStream.range(0, stripes.length()).filter(i -> stripes.get(i) != null).count();
  }

  /** How often a stripe was made for one draw, because all others were in use for too long. */
  long temporaryStripes() {
    return temporaryStripes.get();
  }
}
