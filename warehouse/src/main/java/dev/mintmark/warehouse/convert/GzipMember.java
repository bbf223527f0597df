package dev.mintmark.warehouse.convert;

import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * A member of a gzip file (RFC 1952). Members that follow one another are one file. One object is
 * reused for all members, one after the other.
 */
final class GzipMember implements AutoCloseable {
  /** The length in bytes from which text is compressed as a member of its own. */
  static final int CONTENT_MIN = 1 << 16;

  /** The length in bytes at which shorter texts are compressed together. */
  static final int CONTENT = 1 << 20;

  private static final int TRAILER_LENGTH = 8;

  /** Magic number, method "deflate", no flags, no time, no extra flags, unknown system. */
  private static final byte[] HEADER = {0x1F, (byte) 0x8B, 8, 0, 0, 0, 0, 0, 0, (byte) 0xFF};

  private final CRC32 checksum = new CRC32();

  /** Null until it is needed: it takes memory outside of the heap. */
  private @Nullable Deflater deflater;

  private byte[] bytes = {};
  private int length;

  /** Replaces the member by one with the first {@code count} bytes of {@code content}. */
  void compress(byte[] content, int count) {
    Deflater compressing = deflater;
    if (compressing == null) {
      compressing = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
      deflater = compressing;
    }
    compressing.reset();
    compressing.setInput(content, 0, count);
    compressing.finish();
    bytes = bytes.length == 0 ? new byte[count / 2 + (1 << 10)] : bytes;
    System.arraycopy(HEADER, 0, bytes, 0, HEADER.length);
    length = HEADER.length;
    while (!compressing.finished()) {
      if (bytes.length - length <= TRAILER_LENGTH) {
        bytes = Arrays.copyOf(bytes, bytes.length + bytes.length / 2);
      }
      length += compressing.deflate(bytes, length, bytes.length - length - TRAILER_LENGTH);
    }
    checksum.reset();
    checksum.update(content, 0, count);
    putInt((int) checksum.getValue());
    putInt(count);
  }

  private void putInt(int value) {
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      bytes[length++] = (byte) (value >>> shift);
    }
  }

  /** Returns the array of the member. */
  byte[] bytes() {
    return bytes;
  }

  /** Returns the length of the member in bytes. */
  int length() {
    return length;
  }

  /** Frees the memory outside of the heap. */
  @Override
  public void close() {
    if (deflater != null) {
      deflater.end();
      deflater = null;
    }
  }
}
