package dev.mintmark;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HKDF with SHA-256: derives any number of independent keys from one secret.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5869">RFC 5869</a>
 */
final class Hkdf {
  private static final String HMAC = "HmacSHA256";
  private static final int HASH_BYTES = 32;

  /** The salt if there is none (RFC 5869 section 2.2). */
  static final byte[] NO_SALT = new byte[HASH_BYTES];

  private Hkdf() {}

  /** Extracts 32 bytes from a secret (section 2.2). */
  static byte[] extract(byte[] salt, byte[] secret) {
    return hmac(salt).doFinal(secret);
  }

  /**
   * Derives a key from the result of {@link #extract} (section 2.3).
   *
   * @param info the purpose of the key: each purpose has a different key
   * @param bytes the length of the key: 1 to 8,160
   */
  static byte[] expand(byte[] extracted, byte[] info, int bytes) {
    Mac mac = hmac(extracted);
    byte[] key = new byte[bytes];
    byte[] block = {};
    for (int filled = 0, number = 1; filled < bytes; filled += HASH_BYTES, number++) {
      mac.update(block);
      mac.update(info);
      block = mac.doFinal(new byte[] {(byte) number});
      System.arraycopy(block, 0, key, filled, Math.min(HASH_BYTES, bytes - filled));
    }
    Arrays.fill(block, (byte) 0);
    return key;
  }

  private static Mac hmac(byte[] key) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM lacks " + HMAC, e); // every JVM must have it
    }
  }
}
