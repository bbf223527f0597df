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

  /** Eight line feeds. */
  static final long NEWLINES = eachOf((byte) '\n');

  /** What the searches answer where nothing is found. */
  static final int NONE = -1;

  private ByteSearch() {}

  /** The first place of {@code wanted} from {@code from} on and before {@code end}. */
  static int find(byte[] bytes, int from, int end, byte wanted) {
    return findEither(bytes, from, end, wanted, wanted);
  }

  /** The first place of either byte from {@code from} on and before {@code end}. */
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

  /**
   * Where the text of a line ends that begins at {@code start}: a carriage return is of its end.
   */
  static int textEnd(byte[] bytes, int start, int newline) {
    return newline > start && bytes[newline - 1] == '\r' ? newline - 1 : newline;
  }

  /** Eight copies of a byte, for {@link #either}. */
  static long eachOf(byte wanted) {
    return ONES * (wanted & 0xFF);
  }

  /**
   * Marks which of the eight bytes at {@code at} are the one or the other; above the first there
   * may be marks on bytes that are neither.
   */
  static long either(byte[] bytes, int at, long ones, long others) {
    long word = (long) WORD.get(bytes, at);
    return zeros(word ^ ones) | zeros(word ^ others);
  }

  /** Which byte of a word has the first mark. */
  static int first(long marks) {
    return Long.numberOfTrailingZeros(marks) >>> 3;
  }

  private static long zeros(long word) {
    return (word - ONES) & ~word & HIGHS;
  }
}
