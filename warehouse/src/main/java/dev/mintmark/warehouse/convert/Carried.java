package dev.mintmark.warehouse.convert;

import java.util.Arrays;

/** The start of a row that did not end with its slice. It grows up to the longest row. */
final class Carried {
  /** From this length on, the row is not searched for its end after every slice. */
  private static final int SEARCHED_ALWAYS = 1 << 18;

  private byte[] bytes = {};
  private int length;

  /** The length at which the end of the row was searched last. */
  private int searched;

  boolean isEmpty() {
    return length == 0;
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /**
   * Returns whether to search for the end of the row. While slices are small, its length doubles
   * before each search, so that all of them take at most twice as long as one.
   *
   * @param sliceSize the size of a slice that is full
   */
  boolean isToBeSearched(int sliceSize) {
    return length < SEARCHED_ALWAYS || length - searched >= Math.min(searched, sliceSize);
  }

  /** Records that the row has no end up to now. */
  void searched() {
    searched = length;
  }

  /**
   * Appends the bytes from {@code from} to before {@code end}.
   *
   * @param lengthMax the length up to which the array doubles
   */
  void add(byte[] source, int from, int end, int lengthMax) {
    int needed = length + end - from;
    if (bytes.length < needed) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, Math.min(2 * bytes.length, lengthMax)));
    }
    System.arraycopy(source, from, bytes, length, end - from);
    length = needed;
  }

  /** Removes the bytes before {@code at}. */
  void removeTo(int at) {
    System.arraycopy(bytes, at, bytes, 0, length - at);
    length -= at;
    searched = 0;
  }
}
