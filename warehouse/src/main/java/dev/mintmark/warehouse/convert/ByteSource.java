package dev.mintmark.warehouse.convert;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * What was read of a stream and not used yet: the bytes of {@link #bytes} from {@link #start} to
 * before {@link #end}. The array grows for a row that is longer, as far as its reader lets it.
 */
final class ByteSource {
  /** No more is asked for at once, for what is copied to stay near the processor. */
  private static final int READ_MAX = 1 << 18;

  /** The bytes of a byte order mark in UTF-8. */
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
   * One over a stream.
   *
   * @param size of the array at first
   * @param rowMax how long a row may be, with its end: it is not asked to read on when it holds
   *     more
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

  /** How many bytes were read. */
  long count() {
    return count;
  }

  /** Whether nothing comes behind what is there. */
  boolean isEnded() {
    return ended;
  }

  /** Whether reading may wait for whoever writes: not every stream can tell, as a named pipe. */
  boolean isDry() {
    try {
      return in.available() == 0;
    } catch (IOException e) {
      return true;
    }
  }

  /** Forgets what is before {@code at}. */
  void moveTo(int at) {
    start = at;
  }

  /**
   * Reads what there is to be had without waiting, but something, or finds that there is no more.
   * What is there may move.
   *
   * <p>A row that is longer than what is asked for at once is read twice as far each time, so that
   * looking for its end from the start takes no more than twice as long.
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
    } while (!ended && end < bytes.length && (length() < wanted || !isDry()));
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

  /** Where the text begins: behind the byte order mark, if it begins with one. */
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
