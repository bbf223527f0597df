package dev.mintmark;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Reads identifiers in UTF-8. Other bytes are rejected and not replaced by U+FFFD, with which
 * different identifiers would be equal.
 *
 * <p>ASCII is read as fast as by {@link String}.
 */
public final class Utf8 {
  private static final char REPLACEMENT = '\uFFFD';

  private Utf8() {}

  /**
   * Reads all the bytes.
   *
   * @throws MalformedIdException if they are not UTF-8
   */
  public static String read(byte[] bytes) {
    return read(bytes, 0, bytes.length);
  }

  /**
   * Reads {@code length} bytes from {@code start}.
   *
   * @throws MalformedIdException if they are not UTF-8
   */
  public static String read(byte[] bytes, int start, int length) {
    String text = new String(bytes, start, length, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0) {
      check(bytes, start, length, text); // The replacement may be written itself.
    }
    return text;
  }

  private static void check(byte[] bytes, int start, int length, String text) {
    CharsetDecoder strict = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes, start, length).slice();
    if (strict.decode(in, CharBuffer.allocate(length), true).isError()) {
      int at = in.position();
      throw Malformed.because(
          "identifier", text, "not UTF-8: byte %s is 0x%02X".formatted(at, in.get(at)));
    }
  }
}
