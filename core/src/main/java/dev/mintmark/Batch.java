package dev.mintmark;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/** The identifiers of one call in the making, and random bits for them, drawn many at a time. */
final class Batch<T> {
  private static final int WORDS_MAX = 256;
  private static final int SHORTS = Long.SIZE / Short.SIZE;

  private final T[] ids;
  private int size;

  private final RandomGenerator entropy;
  private final long[] words;
  private int used;

  /** A word of which 16 bits are taken at a time: nobody needs 128 random bits. */
  private long shorts;

  private int shortsLeft;

  /**
   * @throws IllegalArgumentException if {@code count} is not one that a mint may be asked for
   */
  Batch(int count, RandomGenerator entropy) {
    checkCount(count);
    @SuppressWarnings("unchecked") // Nobody sees the array but through the list.
    T[] room = (T[]) new Object[count];
    this.ids = room;
    this.entropy = entropy;
    this.words = new long[Math.min(count + count / SHORTS + 1, WORDS_MAX)];
    this.used = words.length;
  }

  static void checkCount(int count) {
    if (count < 1 || count > Mint.COUNT_MAX) {
      throw new IllegalArgumentException("count is " + count + ": expected 1 to " + Mint.COUNT_MAX);
    }
  }

  /** How many identifiers are still to be added. */
  int missing() {
    return ids.length - size;
  }

  void add(T id) {
    ids[size++] = id;
  }

  /** 80 random bits that are used for nothing else: the last ones of 128. */
  Ulid random() {
    if (shortsLeft == 0) {
      shorts = nextWord();
      shortsLeft = SHORTS;
    }
    long high = shorts & 0xFFFF;
    shorts >>>= Short.SIZE;
    shortsLeft--;
    return Ulid.of(high, nextWord());
  }

  private long nextWord() {
    if (used == words.length) {
      Entropy.draw(entropy, words);
      used = 0;
    }
    return words[used++];
  }

  List<T> toList() {
    return Collections.unmodifiableList(Arrays.asList(ids));
  }
}
