package dev.mintmark;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;

/**
 * Cryptographically strong random bits at a cost of a few nanoseconds: the default entropy of
 * mints. Callers can use any other {@link RandomGenerator} instead, such as {@link SecureRandom}.
 *
 * <p><b>Construction.</b> Fast key erasure [1]: AES-256 in counter mode turns a key into a block,
 * the first {@value #KEY_BYTES} bytes of which are the next key and never leave the process; the
 * rest is returned once, and each word is erased when it is returned. The cipher is given another
 * key as soon as the block is made, because it keeps its last one. So an attacker who walks through
 * the objects of the process learns future output, but no past output. What remains: arrays that
 * nothing references any more lie in the heap until the collector reuses their memory, and a heap
 * dump without a collection before it has them.
 *
 * <p><b>Sources.</b> The first key comes from a {@link SecureRandom}. Output of another one is
 * mixed into the key after {@value #RESEED_BYTES} bytes from one seed, and if the seed is older
 * than {@link #RESEED_AFTER} when bits are drawn, measured by the system's clock in either
 * direction. Mints that read that clock anyway compare it with every identifier, all others with
 * every {@value #DRAWS_PER_LOOK}th draw of a block.
 *
 * <p><b>Two copies of one process</b>, restored from one checkpoint or cloned with their machine,
 * would return the same bits until the next seeding. They are seeded again
 *
 * <ul>
 *   <li>at once after a restoration by CRaC [2] (also on AWS Lambda SnapStart), if {@code org.crac}
 *       or {@code jdk.crac} is there: this class registers for it by reflection;
 *   <li>when they next draw bits a second or more after the last seeding, as above. Until then,
 *       each block of a clone can return up to {@value #DRAWS_PER_LOOK} equal UUIDv4s, and
 *       identifiers with a time repeat if their milliseconds are equal;
 *   <li>when a program calls {@link #reseed}. Call it where a machine is cloned while it runs and
 *       its clock is not put right: nothing else can notice that.
 * </ul>
 *
 * <p>(A JVM cannot continue after {@code fork(2)}, so that case does not exist. In a GraalVM native
 * image, this class is initialized at run time, so that no seed is part of the image.)
 *
 * <p><b>Threads.</b> Thread-safe, also for virtual threads. There are 2 to {@value #STRIPES_MAX}
 * independent blocks, depending on the number of processors, and none belongs to a thread. A thread
 * does not wait for a block that is in use: it takes the next one or, if all are in use, a
 * temporary one.
 *
 * <p><b>Memory.</b> All blocks together take 40 KiB, and less than 64 KiB with their overhead.
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

  /** The size of all blocks together: a larger block amortizes its key schedule better. */
  private static final int BLOCKS_BYTES = 40 << 10;

  private static final int KEY_BYTES = 32;
  private static final int CIPHER_BLOCK_BYTES = 16;

  /** How often the clock is read for draws of a block by callers that do not read it. */
  static final int DRAWS_PER_LOOK = 16;

  private static final long RESEED_AFTER_MILLIS = RESEED_AFTER.toMillis();

  /** Instead of the time: the caller has not read the clock. */
  private static final long UNKNOWN = Long.MIN_VALUE;

  private static final int STRIPES_MAX = 8;

  /** How often all stripes are tried before a temporary one is made. */
  private static final int ROUNDS_MAX = 16;

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());

  /**
   * The fields that every call writes are in the middle of an array, two cache lines from either
   * end, so that stripes that are adjacent in memory do not slow one another down.
   */
  private static final VarHandle CONTROL = MethodHandles.arrayElementVarHandle(int[].class);

  private static final int CONTROL_LENGTH = 66;
  private static final int BUSY = 32;
  private static final int POSITION = 33;

  private static final IvParameterSpec COUNTER_START = new IvParameterSpec(new byte[16]);

  private static final Entropy STRONG =
      new Entropy(Entropy::seed, InstantSource.system(), stripesOfThisMachine());

  /** Kept here, because the context of CRaC refers to it weakly. */
  @SuppressWarnings("unused")
  private static final Optional<Object> RESTORE_HOOK =
      RestoreHook.register(Entropy.class.getClassLoader(), STRONG::reseed);

  private final Consumer<byte[]> seeds;
  private final InstantSource clock;
  private final int blockBytes;

  /** The zeros that are enciphered. Not in place, because the JDK would make a copy. */
  private final byte[] zeros;

  private final Stripe[] stripes;

  /** Incremented to make every stripe start a new block from a new seed. */
  private volatile int generation;

  /**
   * @param seeds fills a key's worth of bytes, for one thread at a time
   * @param stripeCount a power of two
   */
  Entropy(Consumer<byte[]> seeds, InstantSource clock, int stripeCount) {
    this.seeds = seeds;
    this.clock = clock;
    blockBytes = BLOCKS_BYTES / stripeCount;
    zeros = new byte[blockBytes];
    stripes = new Stripe[stripeCount];
    Arrays.setAll(stripes, i -> new Stripe());
  }

  /**
   * Uses a new generator each time, which reads from the operating system: a generator that is kept
   * would be copied with the process, and both copies would continue with the same seeds.
   */
  private static void seed(byte[] bytes) {
    new SecureRandom().nextBytes(bytes);
  }

  private static int stripesOfThisMachine() {
    int cores = Runtime.getRuntime().availableProcessors();
    return Math.min(STRIPES_MAX, 2 * Integer.highestOneBit(cores));
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
    Stripe stripe = acquire(Long.BYTES, UNKNOWN);
    long word = stripe.nextWord();
    stripe.release();
    return word;
  }

  @Override
  public void nextBytes(byte[] bytes) {
    int drawn = 0;
    while (drawn < bytes.length) {
      Stripe stripe = acquire(1, clock.millis());
      drawn += stripe.fill(bytes, drawn);
      stripe.release();
    }
  }

  /**
   * Returns a generator that threads may share: the given one if it is known to be thread-safe,
   * which most are not, otherwise a synchronized one.
   */
  static RandomGenerator shared(RandomGenerator entropy) {
    return entropy instanceof Entropy || entropy instanceof Random
        ? entropy
        : new OneByOne(entropy);
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
      Stripe stripe = strong.acquire(2 * Long.BYTES, UNKNOWN);
      long high = stripe.nextWord();
      long low = stripe.nextWord();
      stripe.release();
      return Ulid.of(high, low);
    }
    return Ulid.of(entropy.nextLong(), entropy.nextLong());
  }

  /** Draws 80 bits, the last ones of 128; the others are undefined. */
  static Ulid draw80(RandomGenerator entropy) {
    return draw80(entropy, UNKNOWN);
  }

  /**
   * As above, for a caller that has read a clock.
   *
   * @param nowMillis its time; used only if it is the clock by which seeds age
   */
  static Ulid draw80(RandomGenerator entropy, InstantSource clock, long nowMillis) {
    boolean isItsClock = entropy instanceof Entropy strong && strong.clock == clock;
    return draw80(entropy, isItsClock ? nowMillis : UNKNOWN);
  }

  private static Ulid draw80(RandomGenerator entropy, long nowMillis) {
    if (entropy instanceof Entropy strong) {
      Stripe stripe = strong.acquire(Short.BYTES + Long.BYTES, nowMillis);
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
        Stripe stripe = strong.acquire(2 * Long.BYTES, strong.clock.millis());
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
   * @param nowMillis the time of the clock, or {@link #UNKNOWN}
   */
  private Stripe acquire(int bytes, long nowMillis) {
    int current = generation;
    int preferred = (int) Thread.currentThread().getId();
    for (int i = 0; i < ROUNDS_MAX * stripes.length; i++) {
      Stripe stripe = stripes[(preferred + i) & (stripes.length - 1)];
      if (stripe.tryAcquire()) {
        stripe.ensure(bytes, current, nowMillis);
        return stripe;
      }
    }
    // The threads that hold the stripes are not running: use memory instead of waiting for them.
    Stripe own = new Stripe();
    own.ensure(bytes, current, nowMillis);
    return own;
  }

  /** A key and the block that was made from it, for one thread at a time. */
  private final class Stripe {
    private final int[] control = new int[CONTROL_LENGTH];

    /** The next key; then zeros, for the used bytes; then the rest, from the position. */
    private final byte[] block = new byte[blockBytes];

    private final LongBuffer blockWords =
        ByteBuffer.wrap(block).order(ByteOrder.nativeOrder()).asLongBuffer();

    private final Cipher cipher;

    /** What the cipher makes of the key that protects nothing. */
    private final byte[] thrownAway = new byte[CIPHER_BLOCK_BYTES];

    private int seededIn = -1;
    private long seededAtMillis;
    private int bytesOfSeed;

    /** Draws until the clock is read for a caller that has not. */
    private int drawsToLook = DRAWS_PER_LOOK;

    Stripe() {
      control[POSITION] = blockBytes;
      try {
        cipher = Cipher.getInstance("AES/CTR/NoPadding");
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("every JDK has AES in counter mode", e);
      }
    }

    boolean tryAcquire() {
      return control[BUSY] == 0 && CONTROL.compareAndSet(control, BUSY, 0, 1);
    }

    void release() {
      CONTROL.setRelease(control, BUSY, 0);
    }

    /** Ensures that as many bytes are left, from a seed of this generation that is not too old. */
    void ensure(int bytes, int generation, long nowMillis) {
      if (control[POSITION] > blockBytes - bytes || seededIn != generation || isOld(nowMillis)) {
        boolean isReady = false;
        try {
          refill(generation);
          isReady = true;
        } catch (GeneralSecurityException e) {
          throw new IllegalStateException("the JDK's AES fails", e);
        } finally {
          if (!isReady) {
            control[POSITION] = blockBytes;
            seededIn = generation - 1; // The rest of the block is not a key: start from a seed.
            release();
          }
        }
      }
    }

    private boolean isOld(long nowMillis) {
      if (nowMillis != UNKNOWN) {
        return isOldAt(nowMillis);
      }
      drawsToLook--;
      if (drawsToLook > 0) {
        return false;
      }
      drawsToLook = DRAWS_PER_LOOK;
      return isOldAt(clock.millis());
    }

    private boolean isOldAt(long nowMillis) {
      return Math.abs(nowMillis - seededAtMillis) >= RESEED_AFTER_MILLIS;
    }

    long nextWord() {
      int position = control[POSITION];
      long word = (long) WORDS.get(block, position);
      WORDS.set(block, position, 0L);
      control[POSITION] = position + Long.BYTES;
      return word;
    }

    short nextShort() {
      int position = control[POSITION];
      short word = (short) SHORTS.get(block, position);
      SHORTS.set(block, position, (short) 0);
      control[POSITION] = position + Short.BYTES;
      return word;
    }

    /** Fills the array from {@code start} until the block is used up; returns the end. */
    int fill(byte[] into, int start) {
      int position = control[POSITION];
      int end = position + Math.min(blockBytes - position, into.length - start);
      System.arraycopy(block, position, into, start, end - position);
      eraseTo(end);
      return end - position;
    }

    /** As above in whole words, of which at least one is left. */
    int fill(long[] into, int start) {
      int position = (control[POSITION] + Long.BYTES - 1) / Long.BYTES;
      int left = blockBytes / Long.BYTES - position;
      int end = position + Math.min(left, into.length - start);
      blockWords.get(position, into, start, end - position);
      eraseTo(end * Long.BYTES);
      return end - position;
    }

    private void eraseTo(int end) {
      Arrays.fill(block, control[POSITION], end, (byte) 0);
      control[POSITION] = end;
    }

    private void refill(int generation) throws GeneralSecurityException {
      byte[] key = nextKey(generation);
      cipher.init(Cipher.ENCRYPT_MODE, new BlockKey(key), COUNTER_START);
      Arrays.fill(key, (byte) 0);
      cipher.update(zeros, 0, blockBytes, block, 0);
      // The cipher keeps its key and the last bytes that it made: replace both.
      cipher.init(Cipher.ENCRYPT_MODE, new BlockKey(new byte[KEY_BYTES]), COUNTER_START);
      cipher.update(zeros, 0, CIPHER_BLOCK_BYTES, thrownAway, 0);
      bytesOfSeed += blockBytes;
      control[POSITION] = KEY_BYTES;
    }

    /** The first bytes of the block that is used up, mixed with a new seed if one is due. */
    private byte[] nextKey(int generation) {
      byte[] key = Arrays.copyOf(block, KEY_BYTES);
      long now = clock.millis();
      boolean isDue =
          seededIn != generation || bytesOfSeed + blockBytes > RESEED_BYTES || isOldAt(now);
      if (isDue) {
        byte[] seed = new byte[KEY_BYTES];
        synchronized (seeds) {
          seeds.accept(seed);
        }
        for (int i = 0; i < KEY_BYTES; i++) {
          key[i] ^= seed[i];
        }
        Arrays.fill(seed, (byte) 0);
        seededIn = generation;
        seededAtMillis = now;
        bytesOfSeed = 0;
      }
      return key;
    }
  }

  /** A key that is not copied: it is erased after the cipher has made its schedule. */
  private static final class BlockKey implements Key {
    private static final long serialVersionUID = 1L;

    private final transient byte[] bytes;

    BlockKey(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public String getAlgorithm() {
      return "AES";
    }

    @Override
    public String getFormat() {
      return "RAW";
    }

    @Override
    public byte[] getEncoded() {
      return bytes;
    }
  }
}
