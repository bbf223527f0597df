package dev.mintmark.app.access;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The sessions of the console on this server. A session stands for the key that it was opened with,
 * and ends with it: by signing out, after {@link #IDLE_MAX} without a request, or after {@link
 * #LENGTH_MAX}. Its token is new for each session and 160 random bits long; only its SHA-256 is
 * kept. Safe for use by many threads.
 */
public final class Sessions {
  /** How long a session lasts. */
  public static final Duration LENGTH_MAX = Duration.ofHours(12);

  /** How long a session lasts without a request. */
  public static final Duration IDLE_MAX = Duration.ofHours(1);

  /** The most sessions of a server: a new one ends the oldest. */
  static final int SESSIONS_MAX = 1_000;

  private static final int TOKEN_LENGTH = 32;

  private final KeyRing ring;
  private final LongSupplier nanoTime;
  private final SecureRandom entropy = new SecureRandom();

  /** By the SHA-256 of their tokens, the oldest first. */
  private final Map<String, Session> sessions = new LinkedHashMap<>();

  private static final class Session {
    private final String keyId;
    private final long openedNanos;
    private long usedNanos;

    Session(String keyId, long nowNanos) {
      this.keyId = keyId;
      this.openedNanos = nowNanos;
      this.usedNanos = nowNanos;
    }

    boolean isOver(long nowNanos) {
      return nowNanos - openedNanos >= LENGTH_MAX.toNanos()
          || nowNanos - usedNanos >= IDLE_MAX.toNanos();
    }
  }

  Sessions(KeyRing ring, LongSupplier nanoTime) {
    this.ring = ring;
    this.nanoTime = nanoTime;
  }

  /** Opens a session for a key and returns its token. */
  public synchronized String open(ApiKey key) {
    long now = nanoTime.getAsLong();
    sessions.values().removeIf(session -> session.isOver(now));
    if (sessions.size() >= SESSIONS_MAX) {
      sessions.remove(sessions.keySet().iterator().next());
    }
    String token = KeyText.draw(entropy, TOKEN_LENGTH);
    sessions.put(hash(token), new Session(key.id(), now));
    return token;
  }

  /**
   * Returns the key of a session; empty if there is none with this token, or its key is over.
   *
   * @throws AccessUnavailableException as {@link KeyRing#recognize(KeyText)}
   */
  public Optional<ApiKey> find(String token) {
    String keyId;
    synchronized (this) {
      long now = nanoTime.getAsLong();
      Session session = sessions.get(hash(token));
      if (session == null || session.isOver(now)) {
        return Optional.empty();
      }
      session.usedNanos = now;
      keyId = session.keyId;
    }
    return ring.recognize(keyId) instanceof KeyRing.Recognized.Known known
        ? Optional.of(known.key())
        : Optional.empty();
  }

  /** Whether a session is open. Unlike {@link #find}, does not count as a request. */
  public synchronized boolean isOpen(String token) {
    Session session = sessions.get(hash(token));
    return session != null && !session.isOver(nanoTime.getAsLong());
  }

  /** Ends a session, if there is one with this token. */
  public synchronized void end(String token) {
    sessions.remove(hash(token));
  }

  private static String hash(String token) {
    return Base64.getEncoder().encodeToString(KeyText.sha256(token));
  }
}
