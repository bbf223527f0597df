package dev.mintmark.warehouse.convert;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A buffer before an output stream. */
final class ByteSink {
  private final OutputStream out;
  private final byte[] bytes;
  private final long enough;
  private int length;
  private long emptied;

  ByteSink(OutputStream out, int size) {
    this(out, size, Long.MAX_VALUE);
  }

  /** Creates a sink that is full when {@code enough} bytes went to the stream. It takes more. */
  ByteSink(OutputStream out, int size, long enough) {
    this.out = out;
    this.bytes = new byte[size];
    this.enough = enough;
  }

  boolean isFull() {
    return emptied >= enough;
  }

  /**
   * Returns the array of the buffer, with room for {@code count} bytes at {@link #at}; {@code
   * count} is at most {@link #size}.
   */
  byte[] room(int count) throws IOException {
    if (bytes.length - length < count) {
      empty();
    }
    return bytes;
  }

  /** Returns the size of the buffer in bytes. */
  int size() {
    return bytes.length;
  }

  /** Returns the index of the next byte in the array. */
  int at() {
    return length;
  }

  /** Records that {@code count} bytes were written at {@link #at}. */
  void wrote(int count) {
    length += count;
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
    if (count > bytes.length) {
      empty();
      out.write(source, from, count);
      emptied += count;
      return;
    }
    System.arraycopy(source, from, room(count), length, count);
    length += count;
  }

  /** Writes all bytes of another buffer. */
  void put(ByteArrayOutputStream source) throws IOException {
    empty();
    source.writeTo(out);
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

  void flush() throws IOException {
    empty();
    out.flush();
  }

  private void empty() throws IOException {
    out.write(bytes, 0, length);
    emptied += length;
    length = 0;
  }
}
