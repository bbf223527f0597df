package dev.mintmark.warehouse.convert;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Searches for bytes, eight at a time.
 *
 * <p>Let x be the exclusive or of a word and eight copies of a byte. {@code (x - ONES) & ~x &
 * HIGHS} has the highest bit of every byte of x that is zero. Other bits can be set only above the
 * first of them, so in little-endian order the lowest one is right (Hacker's Delight, 6-1).
 */
final class ByteSearch {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGHS = 0x8080_8080_8080_8080L;

  /** Eight line feeds. */
  static final long NEWLINES = eachOf((byte) '\n');

  /** The result of a search that finds nothing. */
  static final int NONE = -1;

  private ByteSearch() {}

  /** Returns the first index of {@code wanted} from {@code from} to before {@code end}. */
  static int find(byte[] bytes, int from, int end, byte wanted) {
    return findEither(bytes, from, end, wanted, wanted);
  }

  /** Returns the first index of either byte from {@code from} to before {@code end}. */
  static int findEither(byte[] bytes, int from, int end, byte one, byte other) {
    long ones = eachOf(one);
    long others = eachOf(other);
    int at = from;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      long found = either(bytes, at, ones, others);
      if (found != 0) {
        return at + first(found);
      }
    }
    for (; at < end; at++) {
      if (bytes[at] == one || bytes[at] == other) {
        return at;
      }
    }
    return NONE;
  }

  /** Counts {@code wanted} from {@code from} to before {@code end}. */
  static int count(byte[] bytes, int from, int end, byte wanted) {
    int count = 0;
    for (int at = find(bytes, from, end, wanted);
        at != NONE;
        at = find(bytes, at + 1, end, wanted)) {
      count++;
    }
    return count;
  }

  /**
   * Returns the end of the text of the line that begins at {@code start}, without the carriage
   * return of its line end.
   */
  static int textEnd(byte[] bytes, int start, int newline) {
    return newline > start && bytes[newline - 1] == '\r' ? newline - 1 : newline;
  }

  /** Returns eight copies of a byte, for {@link #either}. */
  static long eachOf(byte wanted) {
    return ONES * (wanted & 0xFF);
  }

  /**
   * Marks which of the eight bytes at {@code at} are one of two bytes. Above the first mark, bytes
   * that are neither may be marked as well.
   */
  static long either(byte[] bytes, int at, long ones, long others) {
    long word = (long) WORD.get(bytes, at);
    return zeros(word ^ ones) | zeros(word ^ others);
  }

  /** Returns the index of the first marked byte of a word. */
  static int first(long marks) {
    return Long.numberOfTrailingZeros(marks) >>> 3;
  }

  private static long zeros(long word) {
    return (word - ONES) & ~word & HIGHS;
  }
}
