package dev.mintmark;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.function.Consumer;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;

/**
 * A key of {@link Entropy} and the block that was made from it: fast key erasure, as described
 * there. One thread uses it at a time, from {@link #tryAcquire} to {@link #release}.
 *
 * <pre>
 *   block:  | next key | zeros: returned | random bytes |
 *           0          32                position       {@value #BLOCK_BYTES}
 * </pre>
 *
 * <p>All stripes of a process are in use at the same time, so what every call writes must not be in
 * a cache line of another stripe. It is in the block and in the middle of an array, because a
 * garbage collector may move the objects of all stripes next to one another.
 */
final class EntropyStripe {
  /** A larger block amortizes its key schedule better, but a processor has 8 KiB for a stripe. */
  static final int BLOCK_BYTES = 6 << 10;

  static final int KEY_BYTES = 32;

  /** The bytes that are drawn by callers that do not read the clock, until it is read for them. */
  static final int BYTES_PER_LOOK = 256;

  /** Instead of the time: the caller has not read the clock. */
  static final long UNKNOWN = Long.MIN_VALUE;

  private static final long RESEED_AFTER_MILLIS = Entropy.RESEED_AFTER.toMillis();
  private static final int CIPHER_BLOCK_BYTES = 16;
  private static final IvParameterSpec COUNTER_START =
      new IvParameterSpec(new byte[CIPHER_BLOCK_BYTES]);

  /** What is enciphered. Not in place, because the JDK would make a copy. */
  private static final byte[] ZEROS = new byte[BLOCK_BYTES];

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());

  /** Two cache lines before {@link #BUSY}, and two after {@link #POSITION}. */
  private static final VarHandle CONTROL = MethodHandles.arrayElementVarHandle(int[].class);

  private static final int CONTROL_LENGTH = 66;
  private static final int BUSY = 32;
  private static final int POSITION = 33;

  private final Consumer<byte[]> seeds;
  private final InstantSource clock;
  private final int[] control = new int[CONTROL_LENGTH];
  private final byte[] block = new byte[BLOCK_BYTES];

  private final LongBuffer blockWords =
      ByteBuffer.wrap(block).order(ByteOrder.nativeOrder()).asLongBuffer();

  /** Has the next key, from the time the block is made. */
  private final Cipher cipher;

  private final byte[] neverReturned = new byte[CIPHER_BLOCK_BYTES];

  private int seededIn = -1;
  private long seededAtMillis;
  private int bytesOfSeed;

  /** Returns a stripe that is in use by its maker. */
  EntropyStripe(Consumer<byte[]> seeds, InstantSource clock) {
    this.seeds = seeds;
    this.clock = clock;
    control[BUSY] = 1;
    control[POSITION] = BLOCK_BYTES;
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

  /**
   * Whether as many bytes are left, from a seed of this generation that is not too old.
   *
   * @param nowMillis the time of the clock, or {@link #UNKNOWN}
   */
  boolean has(int bytes, int generation, long nowMillis) {
    int position = control[POSITION];
    return position <= BLOCK_BYTES - bytes
        && seededIn == generation
        && !isOld(position, bytes, nowMillis);
  }

  private boolean isOld(int position, int bytes, long nowMillis) {
    if (nowMillis != UNKNOWN) {
      return isOldAt(nowMillis);
    }
    boolean isInSameBytes = (position ^ position + bytes) < BYTES_PER_LOOK;
    return !isInSameBytes && isOldAt(clock.millis());
  }

  private boolean isOldAt(long nowMillis) {
    return Math.abs(nowMillis - seededAtMillis) >= RESEED_AFTER_MILLIS;
  }

  /** Makes the next block. If that fails, the stripe is released. */
  void refill(int generation, long nowMillis) {
    boolean isReady = false;
    try {
      makeBlock(generation, nowMillis == UNKNOWN ? clock.millis() : nowMillis);
      isReady = true;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK's AES fails", e);
    } finally {
      if (!isReady) {
        control[POSITION] = BLOCK_BYTES;
        seededIn = generation - 1; // The rest of the block is not a key: start from a seed.
        release();
      }
    }
  }

  private void makeBlock(int generation, long nowMillis) throws GeneralSecurityException {
    if (seededIn != generation
        || bytesOfSeed + BLOCK_BYTES > Entropy.RESEED_BYTES
        || isOldAt(nowMillis)) {
      mixSeed();
      rekey();
      seededIn = generation;
      seededAtMillis = nowMillis;
      bytesOfSeed = 0;
    }
    cipher.update(ZEROS, 0, BLOCK_BYTES, block, 0);
    // The cipher keeps its key and the last bytes that it made: replace both.
    cipher.update(ZEROS, 0, CIPHER_BLOCK_BYTES, neverReturned, 0);
    rekey();
    bytesOfSeed += BLOCK_BYTES;
    control[POSITION] = KEY_BYTES;
  }

  private void mixSeed() {
    byte[] seed = new byte[KEY_BYTES];
    synchronized (seeds) {
      seeds.accept(seed);
    }
    for (int i = 0; i < KEY_BYTES; i++) {
      block[i] ^= seed[i];
    }
    Arrays.fill(seed, (byte) 0);
  }

  /** Makes the first bytes of the block the key of the cipher, which forgets the one before. */
  private void rekey() throws GeneralSecurityException {
    byte[] key = Arrays.copyOf(block, KEY_BYTES);
    cipher.init(Cipher.ENCRYPT_MODE, new BlockKey(key), COUNTER_START);
    Arrays.fill(key, (byte) 0);
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

  /** Fills the array from {@code start} until the block is used up; returns how many it has. */
  int fill(byte[] into, int start) {
    int position = control[POSITION];
    int end = position + Math.min(BLOCK_BYTES - position, into.length - start);
    System.arraycopy(block, position, into, start, end - position);
    eraseTo(end);
    return end - position;
  }

  /** As above in whole words, of which at least one is left. */
  int fill(long[] into, int start) {
    int position = (control[POSITION] + Long.BYTES - 1) / Long.BYTES;
    int left = BLOCK_BYTES / Long.BYTES - position;
    int end = position + Math.min(left, into.length - start);
    blockWords.get(position, into, start, end - position);
    eraseTo(end * Long.BYTES);
    return end - position;
  }

  private void eraseTo(int end) {
    Arrays.fill(block, control[POSITION], end, (byte) 0);
    control[POSITION] = end;
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
