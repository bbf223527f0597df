package dev.mintmark;

import dev.mintmark.Digits.Alphabet;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** 160 bits as 27 digits of base 62, the digits before the letters, as KSUID writes them. */
final class Base62 {
  static final int LENGTH = 27;
  static final int BYTES = 20;

  private static final int RADIX = 62;
  private static final int WORDS = BYTES / Integer.BYTES;
  private static final long WORD = 0xFFFF_FFFFL;

  private Base62() {}

  /** Returns the bytes of a text; empty if it is malformed, or exceeds 160 bits. */
  static Optional<byte[]> decode(String text) {
    if (text.length() != LENGTH) {
      return Optional.empty();
    }
    int[] words = new int[WORDS];
    for (int i = 0; i < LENGTH; i++) {
      long carry = Alphabet.BASE62.value(text.charAt(i));
      if (carry < 0) {
        return Optional.empty();
      }
      for (int word = WORDS - 1; word >= 0; word--) {
        carry += (words[word] & WORD) * RADIX;
        words[word] = (int) carry;
        carry >>>= Integer.SIZE;
      }
      if (carry != 0) {
        return Optional.empty();
      }
    }
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.asIntBuffer().put(words);
    return Optional.of(bytes.array());
  }

  /** Returns the text of {@value #BYTES} bytes. */
  static String encode(byte[] bytes) {
    int[] words = new int[WORDS];
    ByteBuffer.wrap(bytes).asIntBuffer().get(words);
    byte[] text = new byte[LENGTH];
    for (int i = LENGTH - 1; i >= 0; i--) {
      long rest = 0;
      for (int word = 0; word < WORDS; word++) {
        long number = rest << Integer.SIZE | (words[word] & WORD);
        words[word] = (int) (number / RADIX);
        rest = number % RADIX;
      }
      text[i] = Alphabet.BASE62.digit((int) rest);
    }
    return new String(text, StandardCharsets.ISO_8859_1);
  }
}
