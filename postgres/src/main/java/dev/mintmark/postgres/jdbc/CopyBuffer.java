package dev.mintmark.postgres.jdbc;

import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.Arrays;
import org.postgresql.copy.CopyIn;

/**
 * Rows on their way to the server. A row is whole in here before any of it is sent, so that one
 * that turns out to be unfit can be {@linkplain #dropRow dropped}.
 *
 * <p>Has room for twice {@value #SIZE} bytes, and for more only until a larger row is sent or
 * dropped. Not safe for use by several threads.
 */
final class CopyBuffer {
  /** Bytes that are sent at once. */
  static final int SIZE = 1 << 16;

  /** Bytes that one row may have. */
  static final int ROW_SIZE_MAX = 1 << 26;

  /** Room for rows that are not sent yet, fewer bytes than {@link #SIZE}, and for the next one. */
  private static final int SIZE_USUAL = 2 * SIZE;

  private ByteBuffer bytes = ByteBuffer.allocate(SIZE_USUAL);
  private int rowStart;

  /** Declares what was put since the last call to be a whole row. */
  void endRow() {
    rowStart = bytes.position();
  }

  /** Forgets what was put since the last whole row. */
  void dropRow() {
    if (bytes.capacity() > SIZE_USUAL) {
      bytes = ByteBuffer.wrap(Arrays.copyOf(bytes.array(), SIZE_USUAL));
    }
    bytes.position(rowStart);
  }

  /** Bytes that there is room for at present. */
  int capacity() {
    return bytes.capacity();
  }

  /** Whether there is enough to be sent. */
  boolean isFull() {
    return bytes.position() >= SIZE;
  }

  /** Sends the rows, of which the last is whole. */
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
