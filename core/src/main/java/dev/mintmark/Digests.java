package dev.mintmark;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Message digests of one algorithm, which are kept for the next caller: to make one anew takes as
 * long as to use it. Safe in any number of threads; nobody waits for one.
 */
final class Digests {
  /** How many are kept, a power of two. */
  private static final int KEPT = 8;

  private final String algorithm;
  private final AtomicReferenceArray<@Nullable MessageDigest> kept =
      new AtomicReferenceArray<>(KEPT);

  Digests(String algorithm) {
    this.algorithm = algorithm;
  }

  /** Returns the digest of one array followed by the other. */
  byte[] digest(byte[] first, byte[] second) {
    int place = (int) Thread.currentThread().getId() & (KEPT - 1);
    MessageDigest digest = kept.getAndSet(place, null);
    if (digest == null) {
      digest = make();
    }
    digest.update(first);
    byte[] hash = digest.digest(second);
    kept.set(place, digest);
    return hash;
  }

  private MessageDigest make() {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has " + algorithm, e);
    }
  }
}
