package dev.mintmark;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-256 with one key on single blocks: a permutation of all 128-bit blocks, indistinguishable
 * from a random one without the key.
 *
 * <p>The JDK calls this mode ECB. It is insecure for messages of several blocks, because equal
 * blocks <em>of one message</em> stay equal. Here every message is one block, and equal ids must
 * have equal faces.
 *
 * <p>Thread-safe.
 */
final class AesBlock implements BlockCipher {
  private static final String TRANSFORMATION = "AES/ECB/NoPadding";
  private static final int BYTES = 16;

  private final SecretKey key;
  private final Recycler<Cipher> encrypting = new Recycler<>(() -> cipher(Cipher.ENCRYPT_MODE));
  private final Recycler<Cipher> decrypting = new Recycler<>(() -> cipher(Cipher.DECRYPT_MODE));

  /** Takes a key of 32 bytes. */
  AesBlock(byte[] key) {
    this.key = new SecretKeySpec(key, "AES");
  }

  @Override
  public Ulid encrypt(Ulid block) {
    return permute(encrypting, block);
  }

  @Override
  public Ulid decrypt(Ulid block) {
    return permute(decrypting, block);
  }

  private static Ulid permute(Recycler<Cipher> ciphers, Ulid block) {
    Cipher cipher = ciphers.take();
    byte[] bytes = block.toBytes();
    try {
      cipher.doFinal(bytes, 0, BYTES, bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES of one block failed", e);
    }
    ciphers.giveBack(cipher);
    return Ulid.fromBytes(bytes);
  }

  private Cipher cipher(int mode) {
    try {
      Cipher cipher = Cipher.getInstance(TRANSFORMATION);
      cipher.init(mode, key);
      return cipher;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM does not support AES with a key of 256 bits", e);
    }
  }
}
