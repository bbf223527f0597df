package dev.mintmark.postgres.pool;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Objects;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * An order of the places 0 to size - 1 of a block that cannot be predicted without its seed. Each
 * place occurs once, none is stored, and the place at any ordinal is computed on its own.
 *
 * <pre>
 *   ordinal  0 1 2 3 4 ...     how many places were drawn before
 *   place    7 2 9 0 5 ...     which one is drawn
 * </pre>
 *
 * <p>It is a balanced Feistel network [1] over the smallest even number of bits that holds every
 * place. In each of {@value #ROUNDS} rounds
 *
 * <pre>
 *   (left, right) becomes (right, left xor F(round, right))
 *   F = the low bits, of the first 32, of AES-128(seed, size : 64 | round : 32 | right : 32)
 * </pre>
 *
 * <p>with all numbers in big-endian order. A result that is not below the size is encrypted again
 * until it is ("cycle walking" [2]): at most four times on average, since the network has at most
 * four times as many values as there are places. A network over four bits or more is an even
 * permutation, which would reveal the order of the last two places. So at the end, if the lowest
 * bit of F({@value #ROUNDS}, 0) is set, the places 0 and 1 are swapped.
 *
 * <p>An observer of some of the places cannot predict the next one better than by guessing among
 * the places that are left. Three rounds suffice for that while few of many places were observed
 * [1], and five rounds for many more [3]; but a pool can be observed until its last place. The
 * known attacks on such networks work best on small domains, and need more data with every round:
 * for ten rounds NIST requires a million values [4]. Pools are smaller, so there are more rounds
 * here. No order can prevent that a guess is good when few places are left, and certain for the
 * last one.
 *
 * <p>The order is not stored: the result for a seed and a size must never change.
 *
 * <p>For one thread at a time.
 *
 * <ol>
 *   <li>M. Luby, C. Rackoff: How to construct pseudorandom permutations from pseudorandom
 *       functions, SIAM Journal on Computing 17(2), 1988
 *   <li>J. Black, P. Rogaway: Ciphers with arbitrary finite domains, CT-RSA 2002
 *   <li>J. Patarin: Security of random Feistel schemes with 5 or more rounds, CRYPTO 2004
 *   <li>NIST SP 800-38G Revision 1 (draft of 2019), section 5: the prerequisites of FF1
 * </ol>
 */
final class Permutation {
  /** The most places. */
  static final long SIZE_MAX = 1L << 62;

  /** The most places asked for at once. */
  static final int COUNT_MAX = 1 << 16;

  /** Bytes of a seed. */
  static final int SEED_BYTES = 16;

  private static final int ROUNDS = 24;
  private static final int BLOCK_BYTES = 16;
  private static final int ROUND_AT = 8;
  private static final int RIGHT_AT = 12;

  private final Cipher cipher;
  private final long size;
  private final int halfBits;
  private final int halfMask;

  /** 1 if the places 0 and 1 are swapped. */
  private final int swap;

  private Permutation(Cipher cipher, long size) {
    this.cipher = cipher;
    this.size = size;
    int bits = Long.SIZE - Long.numberOfLeadingZeros(size - 1);
    this.halfBits = Math.max(1, (bits + 1) / 2);
    this.halfMask = (int) ((1L << halfBits) - 1);
    ByteBuffer question = ByteBuffer.allocate(BLOCK_BYTES).putLong(size).putInt(ROUNDS).putInt(0);
    byte[] answer = new byte[BLOCK_BYTES];
    encrypt(question.array(), answer);
    this.swap = size > 1 ? answer[3] & 1 : 0;
  }

  /**
   * The order of {@code size} places that follows from a seed.
   *
   * @param seed {@value #SEED_BYTES} bytes, random and kept secret
   * @param size 1 to 2^62
   */
  static Permutation of(byte[] seed, long size) {
    if (seed.length != SEED_BYTES) {
      throw new IllegalArgumentException(
          "seed of %s bytes: expected %s".formatted(seed.length, SEED_BYTES));
    }
    if (size < 1 || size > SIZE_MAX) {
      throw new IllegalArgumentException(
          "permutation of %s places: expected 1 to %s".formatted(size, SIZE_MAX));
    }
    try {
      // ECB is plain AES: each block is encrypted on its own.
      Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(seed, "AES"));
      return new Permutation(cipher, size);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no AES", e);
    }
  }

  /** Returns the place at {@code ordinal}, 0 to size - 1. */
  long at(long ordinal) {
    return range(ordinal, 1)[0];
  }

  /**
   * Returns the places at {@code count} consecutive ordinals, in their order. One call for many
   * places is faster than a call for each.
   *
   * @param count 0 to {@value #COUNT_MAX}
   */
  long[] range(long fromOrdinal, int count) {
    Objects.checkFromIndexSize(fromOrdinal, count, size);
    if (count > COUNT_MAX) {
      throw new IllegalArgumentException(
          "%s places at once: expected at most %s".formatted(count, COUNT_MAX));
    }
    long[] places = new long[count];
    int[] walkers = new int[count];
    Arrays.setAll(places, i -> fromOrdinal + i);
    Arrays.setAll(walkers, i -> i);
    int walking = count;
    while (walking > 0) {
      encipher(places, walkers, walking);
      int arrived = 0;
      for (int i = 0; i < walking; i++) {
        if (places[walkers[i]] < size) {
          arrived++;
        } else {
          walkers[i - arrived] = walkers[i];
        }
      }
      walking -= arrived;
    }
    for (int i = 0; i < count; i++) {
      places[i] = places[i] < 2 ? places[i] ^ swap : places[i];
    }
    return places;
  }

  /** Encrypts the places that are not below the size yet, all of them in each round. */
  private void encipher(long[] places, int[] walkers, int walking) {
    byte[] questions = new byte[walking * BLOCK_BYTES];
    byte[] answers = new byte[questions.length];
    ByteBuffer question = ByteBuffer.wrap(questions);
    ByteBuffer answer = ByteBuffer.wrap(answers);
    for (int i = 0; i < walking; i++) {
      question.putLong(i * BLOCK_BYTES, size);
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < walking; i++) {
        int right = (int) places[walkers[i]] & halfMask;
        question.putInt(i * BLOCK_BYTES + ROUND_AT, round);
        question.putInt(i * BLOCK_BYTES + RIGHT_AT, right);
      }
      encrypt(questions, answers);
      for (int i = 0; i < walking; i++) {
        long left = places[walkers[i]] >>> halfBits;
        long right = places[walkers[i]] & halfMask;
        long mixed = left ^ (answer.getInt(i * BLOCK_BYTES) & halfMask);
        places[walkers[i]] = right << halfBits | mixed;
      }
    }
  }

  private void encrypt(byte[] questions, byte[] answers) {
    try {
      cipher.doFinal(questions, 0, questions.length, answers);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES of whole blocks failed", e);
    }
  }
}
