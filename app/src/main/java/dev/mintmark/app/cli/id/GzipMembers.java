package dev.mintmark.app.cli.id;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * The text of a gzip file (RFC 1952), of all its members. Zeros may follow the last member.
 * Anything else that is no whole member is an error: {@link java.util.zip.GZIPInputStream} takes it
 * for the end.
 *
 * <p>What a member has is returned before the next one is waited for, which may be on its way in a
 * pipe. The readers of commons-compress wait first.
 *
 * <p>For one thread at a time.
 */
final class GzipMembers extends InputStream {
  private static final int BUFFER = 1 << 16;

  private static final int MAGIC_FIRST = 0x1F;
  private static final int MAGIC_SECOND = 0x8B;
  private static final int DEFLATE = 8;

  /** The bytes of the header after the flags: the time, extra flags and the system. */
  private static final int HEADER_REST = 6;

  private static final int HAS_CHECKSUM = 1 << 1;
  private static final int HAS_EXTRA = 1 << 2;
  private static final int HAS_NAME = 1 << 3;
  private static final int HAS_COMMENT = 1 << 4;
  private static final int RESERVED = 0xE0;

  private final InputStream in;
  private final Inflater inflater = new Inflater(true);

  /** Of the header, and then of the text. */
  private final CRC32 checksum = new CRC32();

  /** Compressed bytes, of which those from {@link #next} to {@link #end} are not taken yet. */
  private final byte[] buffer = new byte[BUFFER];

  private int next;
  private int end;
  private boolean ended;

  /**
   * Reads the header of the first member.
   *
   * @throws ZipException if it is damaged
   */
  GzipMembers(InputStream in) throws IOException {
    this.in = in;
    readHeader(readByte());
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int from, int count) throws IOException {
    Objects.checkFromIndexSize(from, count, target.length);
    if (count == 0) {
      return 0;
    }
    while (!ended) {
      int read = inflate(target, from, count);
      if (read > 0) {
        checksum.update(target, from, read);
        return read;
      }
    }
    return -1;
  }

  /** Returns the number of written bytes; 0 if more input is there now, or the next member. */
  private int inflate(byte[] target, int from, int count) throws IOException {
    int read;
    try {
      read = inflater.inflate(target, from, count);
    } catch (DataFormatException e) {
      throw damaged(e.getMessage());
    }
    if (read > 0) {
      return read;
    }
    if (inflater.finished()) {
      next = end - inflater.getRemaining();
      endMember();
    } else if (inflater.needsInput()) {
      if (!fill()) {
        throw truncated();
      }
      takeAll();
    } else {
      throw damaged("it needs a dictionary");
    }
    return 0;
  }

  private void endMember() throws IOException {
    long expected = readInt();
    if (expected != checksum.getValue()) {
      throw damaged("its checksum is wrong");
    }
    if (readInt() != (inflater.getBytesWritten() & 0xFFFF_FFFFL)) {
      throw damaged("its length is wrong");
    }
    int first = readByte();
    if (first > 0) {
      inflater.reset();
      readHeader(first);
    } else {
      skipZeros(first);
      ended = true;
    }
  }

  private void skipZeros(int first) throws IOException {
    int value = first;
    while (value == 0) {
      value = readByte();
    }
    if (value > 0) {
      throw damaged("bytes that are no gzip follow a member");
    }
  }

  private void readHeader(int first) throws IOException {
    checksum.reset();
    checksum.update(first);
    if (first != MAGIC_FIRST || readHeaderByte() != MAGIC_SECOND) {
      throw damaged("bytes that are no gzip follow a member");
    }
    int method = readHeaderByte();
    int flags = readHeaderByte();
    if (method != DEFLATE || (flags & RESERVED) != 0) {
      throw damaged("a header of a member is wrong");
    }
    skipHeader(HEADER_REST);
    if ((flags & HAS_EXTRA) != 0) {
      skipHeader(readHeaderByte() | readHeaderByte() << Byte.SIZE);
    }
    if ((flags & HAS_NAME) != 0) {
      skipHeaderText();
    }
    if ((flags & HAS_COMMENT) != 0) {
      skipHeaderText();
    }
    if ((flags & HAS_CHECKSUM) != 0) {
      int expected = (int) checksum.getValue() & 0xFFFF;
      if ((readHeaderByte() | readHeaderByte() << Byte.SIZE) != expected) {
        throw damaged("the checksum of a header is wrong");
      }
    }
    checksum.reset();
    takeAll();
  }

  private void skipHeader(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      readHeaderByte();
    }
  }

  private void skipHeaderText() throws IOException {
    while (readHeaderByte() != 0) {
      // The name and the comment end with a zero.
    }
  }

  private int readHeaderByte() throws IOException {
    int value = readByte();
    if (value < 0) {
      throw truncated();
    }
    checksum.update(value);
    return value;
  }

  /** Reads an unsigned number, the least significant byte first. */
  private long readInt() throws IOException {
    long number = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      int value = readByte();
      if (value < 0) {
        throw truncated();
      }
      number |= (long) value << shift;
    }
    return number;
  }

  /** Reads a byte; negative at the end. */
  private int readByte() throws IOException {
    return next < end || fill() ? buffer[next++] & 0xFF : -1;
  }

  /** Gives the inflater what was read. */
  private void takeAll() {
    inflater.setInput(buffer, next, end - next);
    next = end;
  }

  /** Reads more, and returns whether there is more. */
  private boolean fill() throws IOException {
    int read = in.read(buffer, 0, buffer.length);
    next = 0;
    end = Math.max(read, 0);
    return read > 0;
  }

  /** How many compressed bytes are there; what is read may still have to wait for more of them. */
  @Override
  public int available() throws IOException {
    return in.available();
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    in.close();
  }

  private static ZipException truncated() {
    return damaged("it ends within a member");
  }

  private static ZipException damaged(@Nullable String why) {
    return new ZipException("is damaged gzip: " + why);
  }
}
