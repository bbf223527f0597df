package dev.mintmark.warehouse.convert;

import java.io.IOException;
import java.io.InputStream;

/**
 * Cuts an input stream into slices, after the last line feed of what was read. What follows begins
 * the next slice. Used by one thread at a time.
 */
final class SliceSource {
  /** The most bytes that are read at a time, so that copied bytes stay in the processor cache. */
  private static final int READ_MAX = 1 << 18;

  private final InputStream in;

  /** What was read and is in no slice yet. */
  private byte[] ahead;

  private int length;

  /** The end of the last line in {@link #ahead}; 0 if there is none. */
  private int cut;

  private long count;
  private boolean ended;

  SliceSource(InputStream in, int size) {
    this.in = in;
    this.ahead = new byte[size];
  }

  /** Returns the number of bytes that were read. */
  long count() {
    return count;
  }

  /** Returns whether a read may block. Some streams cannot tell. */
  boolean mayBlock() {
    try {
      return in.available() == 0;
    } catch (IOException e) {
      return true;
    }
  }

  /**
   * Reads at least one byte, and then everything that is available without blocking, up to the size
   * of a slice; or finds the end of the stream.
   *
   * @return whether there is a slice to {@linkplain #moveTo take}
   */
  boolean read() throws IOException {
    int searched = length;
    do {
      int read = in.read(ahead, length, Math.min(READ_MAX, ahead.length - length));
      if (read < 0) {
        ended = true;
      } else {
        length += read;
        count += read;
      }
    } while (!ended && length < ahead.length && !mayBlock());
    cut = ended ? length : afterLastNewline(searched);
    return ended || cut > 0 || length == ahead.length;
  }

  private int afterLastNewline(int searched) {
    for (int at = length; at > searched; at--) {
      if (ahead[at - 1] == '\n') {
        return at;
      }
    }
    return 0;
  }

  /** Moves what was read to a slice, without the beginning of the next row. */
  void moveTo(Slice slice) {
    int end = cut > 0 || ended ? cut : length;
    byte[] taken = ahead;
    int rest = length - end;
    ahead = slice.take(taken, end, ended, count - rest);
    System.arraycopy(taken, end, ahead, 0, rest);
    length = rest;
    cut = 0;
  }
}
