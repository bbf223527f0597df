package dev.mintmark.app.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The text of an API key, which its holder keeps secret.
 *
 * <pre>
 * mmk_ 3f9k2m7qxz _ 7hq0c5nrt2w8e4yvd1sjx6pbg3kaz9mf 2c8v1hd
 *      id           secret                           checksum
 *      10 digits    32 digits, 160 random bits       7 digits, CRC-32 of all before it
 * </pre>
 *
 * <p>Digits are those of Crockford's base 32, in lower case. The id finds the key and is public.
 * The prefix and the checksum let scanners for secrets recognize a key, and tell a typing error
 * from a key that is not known. Only the SHA-256 of the text is stored.
 *
 * @param id the public part
 * @param text the whole text
 */
public record KeyText(String id, String text) {
  static final String PREFIX = "mmk_";

  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int ID_LENGTH = 10;
  private static final int SECRET_LENGTH = 32;
  private static final int CHECKSUM_LENGTH = 7;
  private static final int LENGTH =
      PREFIX.length() + ID_LENGTH + 1 + SECRET_LENGTH + CHECKSUM_LENGTH;

  private static final Pattern KEY =
      Pattern.compile("mmk_[" + DIGITS + "]{10}_[" + DIGITS + "]{39}", Pattern.CASE_INSENSITIVE);

  /** Makes a key. */
  static KeyText mint(RandomGenerator entropy) {
    String id = draw(entropy, ID_LENGTH);
    String checked = PREFIX + id + "_" + draw(entropy, SECRET_LENGTH);
    return new KeyText(id, checked + checksum(checked));
  }

  /** Reads the text of a key; empty if it does not have this form, or its checksum is wrong. */
  public static Optional<KeyText> tryParse(String text) {
    int end = LENGTH - CHECKSUM_LENGTH;
    if (text.length() != LENGTH
        || !text.startsWith(PREFIX)
        || text.charAt(PREFIX.length() + ID_LENGTH) != '_'
        || !checksum(text.substring(0, end)).equals(text.substring(end))) {
      return Optional.empty();
    }
    return Optional.of(
        new KeyText(text.substring(PREFIX.length(), PREFIX.length() + ID_LENGTH), text));
  }

  /** Whether a text, such as the query of a URL, contains what looks like a key. */
  public static boolean isIn(String text) {
    return text.contains(PREFIX) && KEY.matcher(text).find();
  }

  /** Returns a text without the secrets of what looks like keys. */
  public static String hideIn(String text) {
    return text.indexOf('_') < 0 ? text : KEY.matcher(text).replaceAll(PREFIX + "...");
  }

  /** Returns digits that nobody can guess, five random bits each. */
  static String draw(RandomGenerator entropy, int length) {
    byte[] bits = new byte[length];
    entropy.nextBytes(bits);
    StringBuilder drawn = new StringBuilder(length);
    for (byte five : bits) {
      drawn.append(DIGITS.charAt(five & 31));
    }
    return drawn.toString();
  }

  private static String checksum(String checked) {
    CRC32 crc = new CRC32();
    crc.update(checked.getBytes(StandardCharsets.UTF_8));
    char[] digits = new char[CHECKSUM_LENGTH];
    long rest = crc.getValue();
    for (int i = CHECKSUM_LENGTH - 1; i >= 0; i--) {
      digits[i] = DIGITS.charAt((int) (rest & 31));
      rest >>>= 5;
    }
    return new String(digits);
  }

  /** What is stored of the key. */
  byte[] hash() {
    return sha256(text);
  }

  static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Does not show the secret. */
  @Override
  public String toString() {
    return PREFIX + id + "_...";
  }
}
