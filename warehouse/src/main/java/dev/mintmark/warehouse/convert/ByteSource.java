package dev.mintmark.warehouse.convert;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * A buffer after an input stream. Bytes that were read and not used yet are in {@link #bytes}, from
 * {@link #start} to before {@link #end}. The array grows for a longer row, up to a limit.
 */
final class ByteSource {
  /** The most bytes that are read at a time, so that copied bytes stay in the processor cache. */
  private static final int READ_MAX = 1 << 18;

  /** The byte order mark in UTF-8. */
  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final InputStream in;
  private final int initialSize;
  private final int sizeMax;
  private byte[] bytes;
  private int start;
  private int end;
  private long count;
  private boolean ended;

  /**
   * Creates a buffer for a stream.
   *
   * @param size the initial size of the array
   * @param rowMax the maximum length of a row, with its end; callers do not read further when the
   *     buffer holds more
   */
  ByteSource(InputStream in, int size, int rowMax) {
    this.in = in;
    this.initialSize = size;
    this.sizeMax = Math.max(size, rowMax + 1);
    this.bytes = new byte[size];
  }

  byte[] bytes() {
    return bytes;
  }

  int start() {
    return start;
  }

  int end() {
    return end;
  }

  int length() {
    return end - start;
  }

  /** Returns the number of bytes that were read. */
  long count() {
    return count;
  }

  /** Returns whether the stream has ended. */
  boolean isEnded() {
    return ended;
  }

  /** Returns whether a read may block. Some streams cannot tell, such as a named pipe. */
  boolean mayBlock() {
    try {
      return in.available() == 0;
    } catch (IOException e) {
      return true;
    }
  }

  /** Discards the bytes before {@code at}. */
  void moveTo(int at) {
    start = at;
  }

  /**
   * Reads at least one byte, and then everything that is available without blocking, or finds the
   * end of the stream. The bytes in the buffer may move.
   *
   * <p>While a row is longer than one read, each call doubles its bytes in the buffer. So repeated
   * searches for its end from its start take at most twice as long as one search.
   */
  void read() throws IOException {
    int wanted = length() >= Math.min(READ_MAX, initialSize) ? 2 * length() : 1;
    makeRoom();
    do {
      int read = in.read(bytes, end, Math.min(READ_MAX, bytes.length - end));
      if (read < 0) {
        ended = true;
      } else {
        end += read;
        count += read;
      }
    } while (!ended && end < bytes.length && (length() < wanted || !mayBlock()));
  }

  private void makeRoom() {
    if (start > 0) {
      System.arraycopy(bytes, start, bytes, 0, length());
      end -= start;
      start = 0;
    } else if (end == bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.min(2 * bytes.length, sizeMax));
    }
  }

  /** Returns the start of the text: after the byte order mark, if there is one. */
  int startOfText() throws IOException {
    while (length() < MARK.length && !ended) {
      read();
    }
    boolean isMarked =
        length() >= MARK.length
            && Arrays.equals(bytes, start, start + MARK.length, MARK, 0, MARK.length);
    return isMarked ? start + MARK.length : start;
  }
}
