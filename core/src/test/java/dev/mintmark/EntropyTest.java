package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EntropyTest {
  private static final int BLOCK_BYTES = EntropyStripe.BLOCK_BYTES;
  private static final int KEY_BYTES = EntropyStripe.KEY_BYTES;
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

    assertThat(drawn)
        .isBetween(Entropy.RESEED_BYTES - Entropy.RESEED_BYTES / 50, Entropy.RESEED_BYTES);
  }

  @Test
  void aSeedIsReplacedWhenTheClockHasMovedByASecondEitherWay() {
    AtomicInteger seedings = new AtomicInteger();
    AtomicLong now = new AtomicLong();
    Entropy entropy = new Entropy(counting(seedings), () -> Instant.ofEpochMilli(now.get()), 1);
    byte[] block = new byte[BLOCK_BYTES];

    for (long millis : new long[] {0, 999, 1_000, 1_900, 100, 1}) {
      now.set(millis);
      entropy.nextBytes(block);
    }

    // At 0, and at 1,000; not one second before that.
    assertThat(seedings).hasValue(2);
    now.set(0);
    entropy.nextBytes(block);
    assertThat(seedings).hasValue(3);
  }

  /** Which a checkpoint, a snapshot or a clone makes. */
  @Test
  void copiesThatReadTheClockPartAtTheirFirstIdentifier() {
    AtomicLong now = new AtomicLong();
    InstantSource clock = () -> Instant.ofEpochMilli(now.get());
    Entropy original = new Entropy(new Random(7)::nextBytes, clock, 1);
    Entropy copy = copyOf(original, clock);
    assertThat(Ulid.mint(clock, copy)).isEqualTo(Ulid.mint(clock, original));

    now.set(Duration.ofHours(5).toMillis());

    assertThat(Ulid.mint(clock, copy)).isNotEqualTo(Ulid.mint(clock, original));
    assertThat(Uuids.mintV7(clock, copy)).isNotEqualTo(Uuids.mintV7(clock, original));
  }

  @Test
  void copiesThatDoNotReadTheClockPartWithinSixteenIdentifiers() {
    AtomicLong now = new AtomicLong();
    InstantSource clock = () -> Instant.ofEpochMilli(now.get());
    Entropy original = new Entropy(new Random(7)::nextBytes, clock, 1);
    Entropy copy = copyOf(original, clock);
    assertThat(Uuids.mintV4(copy)).isEqualTo(Uuids.mintV4(original));

    now.set(Duration.ofHours(5).toMillis());
    long twins =
        IntStream.range(0, 2_000)
            .filter(i -> Uuids.mintV4(copy).equals(Uuids.mintV4(original)))
            .count();

    assertThat(twins).isLessThan(16);
  }

  /** A clock of the caller's, which may stand in another year, says nothing of the seed's age. */
  @Test
  void aClockOfTheCallersDoesNotReplaceSeeds() {
    AtomicInteger seedings = new AtomicInteger();
    Entropy entropy = new Entropy(counting(seedings), STOPPED, 1);

    for (int year = 0; year < 50; year++) {
      Ulid.mint(InstantSource.fixed(Instant.EPOCH.plus(Duration.ofDays(365L * year))), entropy);
    }

    assertThat(seedings).hasValue(1);
  }

  /** The seeds of both are equal until the clock has moved, and differ after that. */
  private static Entropy copyOf(Entropy original, InstantSource clock) {
    Random first = new Random(7);
    AtomicInteger seedings = new AtomicInteger();
    return new Entropy(
        seed -> {
          if (seedings.getAndIncrement() == 0) {
            first.nextBytes(seed);
          } else {
            new Random(original.hashCode()).nextBytes(seed);
          }
        },
        clock,
        1);
  }

  @Test
  void aRestoredProcessStartsFromNewSeeds() throws Exception {
    AtomicInteger restored = new AtomicInteger();
    Object hook =
        RestoreHook.register(getClass().getClassLoader(), restored::incrementAndGet).orElseThrow();
    Context<Resource> context = Core.getGlobalContext();

    context.beforeCheckpoint(context);
    assertThat(restored).hasValue(0);
    context.afterRestore(context);
    assertThat(restored).hasValue(1);
    assertThat(hook).hasToString("mintmark: new seeds after a restore").isEqualTo(hook);
    assertThat(hook.hashCode()).isEqualTo(hook.hashCode());
  }

  @Test
  void theProcessRegistersForItsRestoration() throws Exception {
    Entropy strong = Entropy.strong();
    int before = strong.generation();
    System.gc(); // The context keeps its resources weakly.

    Core.getGlobalContext().afterRestore(Core.getGlobalContext());

    assertThat(strong.generation()).isEqualTo(before + 1);
  }

  @Test
  void withoutTheApiOfCracNothingIsRegistered() {
    ClassLoader bare = ClassLoader.getPlatformClassLoader();

    assertThat(RestoreHook.register(bare, () -> {})).isEmpty();
  }

  @Test
  void aNativeImageDoesNotContainASeed() throws IOException {
    Properties properties = new Properties();
    try (InputStream in =
        getClass()
            .getResourceAsStream(
                "/META-INF/native-image/dev.mintmark/mintmark-core/native-image.properties")) {
      properties.load(in);
    }

    assertThat(properties.getProperty("Args"))
        .isEqualTo(
            "--initialize-at-run-time=dev.mintmark.Entropy,dev.mintmark.ObjectId$Shared,"
                + "dev.mintmark.Xid$Shared");
  }

  /** Walks through all objects that the generator references, into the cipher of the JDK. */
  @Test
  void nothingThatTheGeneratorReferencesTellsWhatItReturned() throws ReflectiveOperationException {
    Entropy entropy = new Entropy(new Random(7)::nextBytes, STOPPED, 1);
    byte[] seed = new byte[KEY_BYTES];
    new Random(7).nextBytes(seed);
    byte[] block = keystream(seed);
    byte[] returned = new byte[BLOCK_BYTES - KEY_BYTES - 48];
    entropy.nextBytes(returned);
    assertThat(Arrays.mismatch(returned, Arrays.copyOfRange(block, 32, BLOCK_BYTES - 48)))
        .isEqualTo(-1);

    List<byte[]> held = arraysOf(entropy);

    assertThat(held).anyMatch(bytes -> indexOf(bytes, Arrays.copyOf(block, KEY_BYTES)) >= 0);
    for (byte[] bytes : held) {
      assertThat(indexOf(bytes, seed)).as("the key").isNegative();
      assertThat(indexOf(bytes, Arrays.copyOf(returned, 16))).as("the first bytes").isNegative();
      for (int at = 0; at + KEY_BYTES <= Math.min(bytes.length, 256); at += 4) {
        byte[] candidate = Arrays.copyOfRange(bytes, at, at + KEY_BYTES);
        assertThat(Arrays.mismatch(keystream(candidate), block)).as("a key").isNotEqualTo(-1);
      }
    }
    entropy.nextBytes(new byte[48]);
    byte[] last = Arrays.copyOfRange(block, BLOCK_BYTES - 16, BLOCK_BYTES);
    for (byte[] bytes : arraysOf(entropy)) {
      assertThat(indexOf(bytes, last)).as("the last bytes").isNegative();
    }
  }

  /** The contents of all arrays of numbers that an object references. */
  private static List<byte[]> arraysOf(Object root) throws ReflectiveOperationException {
    List<byte[]> arrays = new ArrayList<>();
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> open = new ArrayDeque<>(List.of(root));
    while (!open.isEmpty()) {
      Object object = open.pop();
      if (!seen.add(object)) {
        continue;
      }
      if (object instanceof byte[] bytes) {
        arrays.add(bytes.clone());
      } else if (object instanceof int[] ints) {
        ByteBuffer buffer = ByteBuffer.allocate(4 * ints.length);
        buffer.asIntBuffer().put(ints);
        arrays.add(buffer.array());
      } else if (object instanceof AtomicReferenceArray<?> objects) {
        IntStream.range(0, objects.length())
            .mapToObj(objects::get)
            .filter(Objects::nonNull)
            .forEach(open::push);
      } else if (object instanceof Object[] objects) {
        Arrays.stream(objects).filter(Objects::nonNull).forEach(open::push);
      } else {
        addFields(object, open);
      }
    }
    return arrays;
  }

  private static void addFields(Object object, Deque<Object> open)
      throws ReflectiveOperationException {
    List<String> packages = List.of("dev.mintmark", "javax.crypto", "com.sun.crypto.provider");
    for (Class<?> type = object.getClass();
        type != null && packages.contains(type.getPackageName());
        type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
          field.setAccessible(true);
          Object value = field.get(object);
          if (value != null) {
            open.push(value);
          }
        }
      }
    }
  }

  private static int indexOf(byte[] bytes, byte[] wanted) {
    for (int at = 0; at + wanted.length <= bytes.length; at++) {
      if (Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
        return at;
      }
    }
    return -1;
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

  @Test
  void aStripeTakesLessThanEightKibibytes() throws ReflectiveOperationException {
    EntropyStripe stripe = new EntropyStripe(new Random(7)::nextBytes, STOPPED);
    stripe.refill(0, 0);

    int arrayHeader = 16;
    assertThat(arraysOf(stripe).stream().mapToInt(bytes -> bytes.length + arrayHeader).sum())
        .isBetween(BLOCK_BYTES, (8 << 10) - 500);
  }

  @Test
  void threadsThatDrawInTurnShareOneStripe() throws InterruptedException {
    Entropy entropy = new Entropy(new Random(7)::nextBytes, STOPPED, 4);

    for (int i = 0; i < 20; i++) {
      Thread thread = new Thread(() -> words(entropy, 100));
      thread.start();
      thread.join();
    }

    assertThat(entropy.stripes()).isEqualTo(1);
  }

  @Test
  void threadsThatMeetAtAStripePartForGood() throws InterruptedException {
    BlockingClock clock = new BlockingClock();
    AtomicInteger seedings = new AtomicInteger();
    Entropy entropy = new Entropy(seed -> seed[0] = (byte) seedings.incrementAndGet(), clock, 2);
    byte[] secondSeed = new byte[KEY_BYTES];
    secondSeed[0] = 2;

    long[] during = clock.whileAnotherThreadDraws(entropy, () -> words(entropy, 10));
    long[] after = words(entropy, 10);

    assertThat(LongStream.concat(Arrays.stream(during), Arrays.stream(after)))
        .containsExactlyElementsOf(
            Arrays.stream(words(keystream(secondSeed))).limit(20).boxed().toList());
    assertThat(entropy.stripes()).isEqualTo(2);
    assertThat(entropy.temporaryStripes()).isZero();
  }

  @Test
  void aThreadDoesNotWaitForOnesThatAreInterruptedWhileTheyDraw() throws InterruptedException {
    BlockingClock clock = new BlockingClock();
    Entropy entropy = new Entropy(new Random(7)::nextBytes, clock, 1);

    long[] during = clock.whileAnotherThreadDraws(entropy, () -> words(entropy, 10));
    long[] after = words(entropy, 10);

    assertThat(entropy.temporaryStripes()).isEqualTo(10);
    assertThat(entropy.stripes()).isEqualTo(1);
    assertThat(LongStream.concat(Arrays.stream(during), Arrays.stream(after)).boxed())
        .doesNotHaveDuplicates();
  }

  @Test
  void twoThreadsNeedNoMoreThanTwoStripes() throws InterruptedException {
    Entropy entropy = new Entropy(new Random(7)::nextBytes, STOPPED, 2);
    List<Thread> threads =
        Stream.generate(() -> new Thread(() -> words(entropy, 300_000))).limit(2).toList();

    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(entropy.temporaryStripes()).isZero();
  }

  /** A clock that can stop a thread while it holds a stripe. */
  private static final class BlockingClock implements InstantSource {
    private final CountDownLatch isStopped = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private volatile @Nullable Thread toStop;

    @Override
    public Instant instant() {
      if (Thread.currentThread() == toStop) {
        isStopped.countDown();
        try {
          mayGoOn.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      return Instant.EPOCH;
    }

    /** Runs the action while another thread, which has a block, is stopped within a draw. */
    long[] whileAnotherThreadDraws(Entropy entropy, Supplier<long[]> action)
        throws InterruptedException {
      Thread thread =
          threadOfAnotherPlace(
              () -> {
                entropy.nextLong();
                toStop = Thread.currentThread();
                words(entropy, BLOCK_BYTES / Long.BYTES);
              });
      thread.start();
      isStopped.await();
      long[] result = action.get();
      mayGoOn.countDown();
      thread.join();
      return result;
    }
  }

  /** A thread that shares no hint with this one. */
  private static Thread threadOfAnotherPlace(Runnable action) {
    Thread thread = new Thread(action);
    while (ThreadPlace.of(thread.getId(), Entropy.HINT_BITS)
        == ThreadPlace.among(Entropy.HINT_BITS)) {
      thread = new Thread(action);
    }
    return thread;
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
