package dev.mintmark.warehouse.convert;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A buffer before an output stream, or output in memory. */
final class ByteSink {
  private final @Nullable OutputStream out;
  private byte[] bytes;
  private int length;

  private ByteSink(@Nullable OutputStream out, int size) {
    this.out = out;
    this.bytes = new byte[size];
  }

  /** Returns a buffer of {@code size} bytes before a stream. */
  static ByteSink before(OutputStream out, int size) {
    return new ByteSink(out, size);
  }

  /** Returns a sink that grows, and keeps everything up to {@link #clear}. */
  static ByteSink inMemory(int size) {
    return new ByteSink(null, size);
  }

  /**
   * Returns the array of the buffer, with room for {@code count} bytes at {@link #at}. Before a
   * stream, {@code count} is at most the size of the buffer.
   */
  byte[] room(int count) throws IOException {
    if (bytes.length - length < count) {
      if (out == null) {
        bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
      } else {
        empty(out);
      }
    }
    return bytes;
  }

  /** Returns the array of the buffer. */
  byte[] bytes() {
    return bytes;
  }

  /** Returns the index of the next byte in the array. */
  int at() {
    return length;
  }

  /** Records that {@code count} bytes were written at {@link #at}. */
  void wrote(int count) {
    length += count;
  }

  /** Forgets what is in the array. */
  void clear() {
    length = 0;
  }

  void put(byte value) throws IOException {
    room(1)[length++] = value;
  }

  void put(String text) throws IOException {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    put(encoded, 0, encoded.length);
  }

  void put(byte[] source, int from, int to) throws IOException {
    int count = to - from;
    if (out != null && count > bytes.length) {
      empty(out);
      out.write(source, from, count);
      return;
    }
    System.arraycopy(source, from, room(count), length, count);
    length += count;
  }

  /** Writes a CSV field, with quotes if it needs them. */
  void putField(byte[] source, int from, int to, byte delimiter) throws IOException {
    boolean isPlain =
        ByteSearch.findEither(source, from, to, delimiter, (byte) '"') == ByteSearch.NONE
            && ByteSearch.findEither(source, from, to, (byte) '\n', (byte) '\r') == ByteSearch.NONE;
    if (isPlain) {
      put(source, from, to);
    } else {
      putQuoted(source, from, to);
    }
  }

  void putField(String text, byte delimiter) throws IOException {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    putField(encoded, 0, encoded.length, delimiter);
  }

  private void putQuoted(byte[] source, int from, int to) throws IOException {
    put((byte) '"');
    int at = from;
    for (int quote = ByteSearch.find(source, at, to, (byte) '"');
        quote != ByteSearch.NONE;
        quote = ByteSearch.find(source, at, to, (byte) '"')) {
      put(source, at, quote + 1);
      put((byte) '"');
      at = quote + 1;
    }
    put(source, at, to);
    put((byte) '"');
  }

  /** Writes everything to the stream, which is not flushed. */
  void empty() throws IOException {
    if (out != null) {
      empty(out);
    }
  }

  private void empty(OutputStream stream) throws IOException {
    stream.write(bytes, 0, length);
    length = 0;
  }
}
