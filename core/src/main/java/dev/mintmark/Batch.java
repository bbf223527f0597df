package dev.mintmark;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/** The identifiers of one call, with random bits that are drawn for many at a time. */
final class Batch<T> {
  /** The number of identifiers for which random bits are drawn at once. */
  private static final int CHUNK = 256;

  /** The number of identifiers that share a word for the upper 16 of their 80 random bits. */
  private static final int SHARING = Long.SIZE / Short.SIZE;

  private final T[] ids;
  private int size;

  /** Makes the identifier at an index from 80 random bits, the last ones of 128. */
  interface Maker<T> {
    T make(int index, Ulid random);
  }

  /**
   * @throws IllegalArgumentException if {@code count} is out of the range of a mint
   */
  Batch(int count) {
    checkCount(count);
    @SuppressWarnings("unchecked") // The array is only reachable through the list.
    T[] room = (T[]) new Object[count];
    this.ids = room;
  }

  static void checkCount(int count) {
    if (count < 1 || count > Mint.COUNT_MAX) {
      throw new IllegalArgumentException("count is " + count + ": expected 1 to " + Mint.COUNT_MAX);
    }
  }

  /** The number of identifiers made so far. */
  int size() {
    return size;
  }

  /** The number of identifiers that are still missing. */
  int missing() {
    return ids.length - size;
  }

  /** Makes identifiers until there are {@code end}. */
  void make(int end, RandomGenerator entropy, Maker<T> maker) {
    if (size == end) {
      return;
    }
    int drawnAtOnce = Math.min(CHUNK, end - size);
    int shared = (drawnAtOnce + SHARING - 1) / SHARING;
    long[] words = new long[shared + drawnAtOnce];
    while (size < end) {
      Entropy.draw(entropy, words);
      int count = Math.min(drawnAtOnce, end - size);
      for (int i = 0; i < count; i++) {
        long high = words[i / SHARING] >>> (i % SHARING * Short.SIZE);
        ids[size + i] = maker.make(size + i, Ulid.of(high, words[shared + i]));
      }
      size += count;
    }
  }

  List<T> toList() {
    return Collections.unmodifiableList(Arrays.asList(ids));
  }
}
