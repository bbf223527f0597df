package dev.mintmark.warehouse.convert;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds bytes eight at a time.
 *
 * <p>Of a word that was compared with eight copies of a byte, {@code (x - ONES) & ~x & HIGHS} has
 * the highest bit of every byte that is zero, and false ones only above the first: little-endian,
 * the lowest is right (Hacker's Delight, 6-1).
 */
final class ByteSearch {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGHS = 0x8080_8080_8080_8080L;

  /** What the searches answer where nothing is found. */
  static final int NONE = -1;

  private ByteSearch() {}

  /** The first place of {@code wanted} from {@code from} on and before {@code end}. */
  static int find(byte[] bytes, int from, int end, byte wanted) {
    return findEither(bytes, from, end, wanted, wanted);
  }

  /** The first place of either byte from {@code from} on and before {@code end}. */
  static int findEither(byte[] bytes, int from, int end, byte one, byte other) {
    long ones = ONES * (one & 0xFF);
    long others = ONES * (other & 0xFF);
    int at = from;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      long word = (long) WORD.get(bytes, at);
      long found = zeros(word ^ ones) | zeros(word ^ others);
      if (found != 0) {
        return at + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    for (; at < end; at++) {
      if (bytes[at] == one || bytes[at] == other) {
        return at;
      }
    }
    return NONE;
  }

  /** How often {@code wanted} is there from {@code from} on and before {@code end}. */
  static int count(byte[] bytes, int from, int end, byte wanted) {
    int count = 0;
    for (int at = find(bytes, from, end, wanted);
        at != NONE;
        at = find(bytes, at + 1, end, wanted)) {
      count++;
    }
    return count;
  }

  private static long zeros(long word) {
    return (word - ONES) & ~word & HIGHS;
  }
}
