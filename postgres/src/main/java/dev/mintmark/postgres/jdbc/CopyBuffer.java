package dev.mintmark.postgres.jdbc;

import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.Arrays;
import org.postgresql.copy.CopyIn;

/**
 * A buffer of rows for the server. A row is complete before any part of it is sent, so an invalid
 * row can be {@linkplain #dropRow dropped}.
 *
 * <p>Has room for twice {@value #SIZE} bytes, and grows only until a larger row is sent or dropped.
 * Not thread-safe.
 */
final class CopyBuffer {
  /** The bytes that are sent at once. */
  static final int SIZE = 1 << 16;

  /** The most bytes of a row. */
  static final int ROW_SIZE_MAX = 1 << 26;

  /** Room for unsent rows, fewer bytes than {@link #SIZE}, and for the next row. */
  private static final int SIZE_USUAL = 2 * SIZE;

  private ByteBuffer bytes = ByteBuffer.allocate(SIZE_USUAL);
  private int rowStart;

  /** Marks the bytes since the last call as a complete row. */
  void endRow() {
    rowStart = bytes.position();
  }

  /** Discards the bytes since the last complete row. */
  void dropRow() {
    if (bytes.capacity() > SIZE_USUAL) {
      bytes = ByteBuffer.wrap(Arrays.copyOf(bytes.array(), SIZE_USUAL));
    }
    bytes.position(rowStart);
  }

  /** The present size of the buffer in bytes. */
  int capacity() {
    return bytes.capacity();
  }

  /** Whether there is enough to be sent. */
  boolean isFull() {
    return bytes.position() >= SIZE;
  }

  /** Sends the rows; the last one must be complete. */
  void drainTo(CopyIn copy) throws SQLException {
    for (int from = 0; from < bytes.position(); from += SIZE) {
      copy.writeToCopy(bytes.array(), from, Math.min(SIZE, bytes.position() - from));
    }
    if (bytes.capacity() > SIZE_USUAL) {
      bytes = ByteBuffer.allocate(SIZE_USUAL);
    }
    bytes.clear();
    rowStart = 0;
  }

  /** Leaves room for the length of a value that is written next; {@link #endValue} fills it in. */
  int startValue() {
    putInt(0);
    return bytes.position();
  }

  /** Writes the length of the value that {@link #startValue} began. */
  void endValue(int start) {
    bytes.putInt(start - Integer.BYTES, bytes.position() - start);
  }

  void putShort(int value) {
    room(Short.BYTES).putShort((short) value);
  }

  void putInt(int value) {
    room(Integer.BYTES).putInt(value);
  }

  void putLong(long value) {
    room(Long.BYTES).putLong(value);
  }

  void putByte(int value) {
    room(1).put((byte) value);
  }

  void putBytes(byte[] value) {
    room(value.length).put(value);
  }

  /**
   * Makes room for {@code count} more bytes.
   *
   * @throws IllegalArgumentException if the row exceeds {@link #ROW_SIZE_MAX}
   */
  private ByteBuffer room(int count) {
    if (count > bytes.remaining()) {
      long needed = (long) bytes.position() + count;
      if (needed - rowStart > ROW_SIZE_MAX) {
        throw new IllegalArgumentException("the row has more than " + ROW_SIZE_MAX + " bytes");
      }
      long capacity = Math.max(needed, Math.min(2L * bytes.capacity(), ROW_SIZE_MAX + 2L * SIZE));
      bytes =
          ByteBuffer.wrap(Arrays.copyOf(bytes.array(), (int) capacity)).position(bytes.position());
    }
    return bytes;
  }
}
