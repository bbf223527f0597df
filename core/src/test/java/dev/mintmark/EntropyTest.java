package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EntropyTest {
  private static final int BLOCK_BYTES = 40 << 10;
  private static final int KEY_BYTES = 32;
  private static final InstantSource STOPPED = InstantSource.fixed(Instant.EPOCH);

  @Test
  void everyBlockIsTheKeystreamOfAKeyThatTheOneBeforeHas() {
    byte[] seed = new byte[KEY_BYTES];
    new Random(7).nextBytes(seed);
    Entropy entropy = new Entropy(new Random(7)::nextBytes, STOPPED, 1);

    byte[] first = keystream(seed);
    byte[] second = keystream(Arrays.copyOf(first, KEY_BYTES));

    int words = (BLOCK_BYTES - KEY_BYTES) / Long.BYTES;
    assertThat(Arrays.mismatch(words(entropy, words), words(first))).isEqualTo(-1);
    assertThat(Arrays.mismatch(words(entropy, words), words(second))).isEqualTo(-1);
  }

  @Test
  void bytesAreThoseOfTheWords() {
    byte[] bytes = new byte[3 * BLOCK_BYTES + 5];
    new Entropy(new Random(7)::nextBytes, STOPPED, 1).nextBytes(bytes);

    Entropy same = new Entropy(new Random(7)::nextBytes, STOPPED, 1);
    ByteBuffer expected = ByteBuffer.allocate(bytes.length + 8).order(ByteOrder.nativeOrder());
    while (expected.remaining() >= Long.BYTES) {
      expected.putLong(same.nextLong());
    }

    assertThat(Arrays.mismatch(bytes, Arrays.copyOf(expected.array(), bytes.length))).isEqualTo(-1);
  }

  @Test
  void aSeedMakesOneMebibyteAtMost() {
    AtomicInteger seedings = new AtomicInteger();
    Entropy entropy = new Entropy(counting(seedings), STOPPED, 1);
    int drawn = 0;
    while (seedings.get() < 2) {
      entropy.nextLong();
      drawn += Long.BYTES;
    }

    assertThat(drawn).isBetween(Entropy.RESEED_BYTES / 2, Entropy.RESEED_BYTES);
  }

  @Test
  void aSeedIsReplacedWhenTheClockHasMovedByAMinuteEitherWay() {
    AtomicInteger seedings = new AtomicInteger();
    AtomicLong now = new AtomicLong();
    Entropy entropy = new Entropy(counting(seedings), () -> Instant.ofEpochMilli(now.get()), 1);
    byte[] block = new byte[BLOCK_BYTES];

    for (long millis : new long[] {0, 59_999, 60_000, 100_000, 40_000, 39_999}) {
      now.set(millis);
      entropy.nextBytes(block);
    }

    // At 0, at 60,000, and one minute before that.
    assertThat(seedings).hasValue(2);
    now.set(0);
    entropy.nextBytes(block);
    assertThat(seedings).hasValue(3);
  }

  @Test
  void reseedingTakesEffectBeforeAnythingElseIsHandedOut() {
    AtomicInteger seedings = new AtomicInteger();
    Entropy entropy = new Entropy(counting(seedings), STOPPED, 1);

    entropy.nextLong();
    entropy.nextLong();
    assertThat(seedings).hasValue(1);

    entropy.reseed();
    entropy.nextLong();
    assertThat(seedings).hasValue(2);
  }

  @Test
  void aCopyOfAProcessGoesItsOwnWayAfterReseeding() {
    Entropy original = new Entropy(new Random(7)::nextBytes, STOPPED, 1);
    Entropy copy = new Entropy(new Random(7)::nextBytes, STOPPED, 1);
    assertThat(copy.nextLong()).isEqualTo(original.nextLong());

    copy.reseed();

    assertThat(copy.nextLong()).isNotEqualTo(original.nextLong());
  }

  @Test
  void aSeedSourceThatFailsIsAskedAgain() {
    AtomicInteger asked = new AtomicInteger();
    Consumer<byte[]> failsOnce =
        seed -> {
          if (asked.getAndIncrement() == 0) {
            throw new IllegalStateException("not yet");
          }
          seed[0] = 7;
        };
    Entropy entropy = new Entropy(failsOnce, STOPPED, 1);

    assertThatIllegalStateException().isThrownBy(entropy::nextLong).withMessage("not yet");
    assertThat(entropy.nextLong()).isNotZero();
  }

  @Test
  void bitsAreEvenlyZeroAndOneAtEveryPlace() {
    Entropy entropy = new Entropy(new Random(7)::nextBytes, STOPPED, 1);
    int draws = 100_000;
    int[] ones = new int[Long.SIZE];
    for (int i = 0; i < draws; i++) {
      long word = entropy.nextLong();
      for (int bit = 0; bit < Long.SIZE; bit++) {
        ones[bit] += (int) (word >>> bit) & 1;
      }
    }

    // Six standard deviations of a fair coin.
    int tolerance = (int) (6 * Math.sqrt(draws * 0.25));
    assertThat(Arrays.stream(ones).boxed())
        .allSatisfy(n -> assertThat(n).isBetween(draws / 2 - tolerance, draws / 2 + tolerance));
  }

  @Tag("slow")
  @Test
  void moreThreadsThanStripesNeverGetTheSameBits() throws InterruptedException {
    Entropy entropy = Entropy.strong();
    int perThread = 20_000;
    Set<Long> drawn = ConcurrentHashMap.newKeySet();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      threads.add(
          new Thread(
              () -> IntStream.range(0, perThread).forEach(n -> drawn.add(entropy.nextLong()))));
    }

    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(drawn).hasSize(32 * perThread);
  }

  private static Consumer<byte[]> counting(AtomicInteger seedings) {
    Random random = new Random(7);
    return seed -> {
      seedings.incrementAndGet();
      random.nextBytes(seed);
    };
  }

  private static byte[] keystream(byte[] key) {
    try {
      Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
      cipher.init(
          Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(new byte[16]));
      return cipher.doFinal(new byte[BLOCK_BYTES]);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static long[] words(Entropy entropy, int count) {
    return IntStream.range(0, count).mapToLong(i -> entropy.nextLong()).toArray();
  }

  /** What of a block is handed out. */
  private static long[] words(byte[] block) {
    ByteBuffer bytes = ByteBuffer.wrap(block).order(ByteOrder.nativeOrder()).position(KEY_BYTES);
    long[] words = new long[bytes.remaining() / Long.BYTES];
    bytes.asLongBuffer().get(words);
    return words;
  }
}
