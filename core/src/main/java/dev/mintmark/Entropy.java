package dev.mintmark;

import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/** Random bits that are cryptographically strong. */
public final class Entropy implements RandomGenerator {
  private static final Entropy STRONG = new Entropy();

  private final SecureRandom source = new SecureRandom();

  private Entropy() {}

  /** The one of this process; safe to share between threads. */
  public static Entropy strong() {
    return STRONG;
  }

  @Override
  public long nextLong() {
    return source.nextLong();
  }

  @Override
  public void nextBytes(byte[] bytes) {
    source.nextBytes(bytes);
  }
}
