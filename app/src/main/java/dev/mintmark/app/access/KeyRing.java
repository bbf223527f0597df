package dev.mintmark.app.access;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The keys that a server remembers. They are read from the database every {@link #READ_EVERY}, and
 * never used when they are older than {@link #REMEMBERED_FOR}: a key that was revoked is rejected
 * after that time at the latest, and unknown keys cost no query.
 *
 * <p>Accounts are on once a key was created, also after all keys were revoked. A server that knows
 * of no key and whose database does not answer keeps accounts off: it does not forget the rule that
 * it began with.
 *
 * <p>Safe for use by many threads.
 */
public final class KeyRing {
  /** How old the remembered keys may be. */
  public static final Duration REMEMBERED_FOR = Duration.ofSeconds(5);

  /** How often they are read. */
  static final Duration READ_EVERY = Duration.ofSeconds(2);

  /** How long a request that could not read the keys stands for those after it. */
  private static final Duration RETRIED_AFTER = Duration.ofSeconds(1);

  private final Keys keys;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final Set<String> touched = new HashSet<>();
  private OptionalLong lastFailure = OptionalLong.empty();
  private volatile Snapshot snapshot;

  /**
   * What the database said.
   *
   * @param byId the keys by their id; empty: accounts are off
   * @param readNanos when the query began
   */
  private record Snapshot(Map<String, Held> byId, long readNanos) {}

  /** A key, and whether it was used since that was last noted. */
  private static final class Held {
    private final Keys.Stored stored;
    private volatile boolean used;

    Held(Keys.Stored stored) {
      this.stored = stored;
    }

    ApiKey key() {
      return stored.key();
    }
  }

  /** What a text is. */
  public sealed interface Recognized {
    /** The text of a key that is in use. */
    record Known(ApiKey key) implements Recognized {}

    /** The text of a key that was revoked or has expired. */
    record Over(ApiKey key) implements Recognized {}

    /** No key that this server knows. */
    record Unknown() implements Recognized {}
  }

  /**
   * Reads the keys.
   *
   * @param clock the clock that says when keys expire
   * @throws AccessUnavailableException if the database fails
   */
  KeyRing(Keys keys, InstantSource clock, LongSupplier nanoTime) {
    this.keys = keys;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.snapshot = read();
  }

  private Snapshot read() {
    long begun = nanoTime.getAsLong();
    List<Keys.Stored> stored = keys.remembered();
    Map<String, Held> byId = new HashMap<>();
    stored.forEach(one -> byId.put(one.key().id(), new Held(one)));
    return new Snapshot(byId, begun);
  }

  /** Whether requests need a key. */
  public boolean areAccountsOn() {
    return !snapshot.byId.isEmpty();
  }

  /**
   * Returns what the text of a key is. The secret is compared in constant time.
   *
   * @throws AccessUnavailableException if the keys were not read for {@link #REMEMBERED_FOR}, and
   *     cannot be read now
   */
  public Recognized recognize(KeyText text) {
    Held held = fresh().byId.get(text.id());
    if (held == null || !held.stored.matches(text)) {
      return new Recognized.Unknown();
    }
    return recognized(held);
  }

  /** Returns what the key of a session is, which was recognized before. */
  Recognized recognize(String id) {
    Held held = fresh().byId.get(id);
    return held == null ? new Recognized.Unknown() : recognized(held);
  }

  /**
   * Whether a key that was recognized before is still in use: neither revoked nor expired. Does not
   * count as a use of the key.
   *
   * @throws AccessUnavailableException as {@link #recognize(KeyText)}
   */
  public boolean isInUse(ApiKey key) {
    Held held = fresh().byId.get(key.id());
    return held != null && !held.key().isOver(clock.instant());
  }

  private Recognized recognized(Held held) {
    if (held.key().isOver(clock.instant())) {
      return new Recognized.Over(held.key());
    }
    if (!held.used) {
      held.used = true;
    }
    return new Recognized.Known(held.key());
  }

  /** Reads the keys itself if nobody has done so in time, as on a machine that is overloaded. */
  private Snapshot fresh() {
    Snapshot current = snapshot;
    return isUsable(current) ? current : readInTime();
  }

  /** After a failure, callers are told at once for a while: they would wait for one another. */
  private synchronized Snapshot readInTime() {
    if (isUsable(snapshot)) {
      return snapshot;
    }
    if (lastFailure.isPresent()
        && nanoTime.getAsLong() - lastFailure.getAsLong() < RETRIED_AFTER.toNanos()) {
      throw new AccessUnavailableException("keys cannot be checked: the database does not answer");
    }
    try {
      snapshot = read();
      return snapshot;
    } catch (AccessUnavailableException e) {
      lastFailure = OptionalLong.of(nanoTime.getAsLong());
      throw e;
    }
  }

  private boolean isUsable(Snapshot current) {
    return nanoTime.getAsLong() - current.readNanos <= REMEMBERED_FOR.toNanos();
  }

  /**
   * Reads the keys again, and notes which were used since, at most once a minute for each.
   *
   * @throws AccessUnavailableException if the database fails
   */
  public synchronized void refresh() {
    Snapshot before = snapshot;
    Snapshot current = read();
    snapshot = current;
    before.byId.forEach(
        (id, held) -> {
          if (held.used) {
            touched.add(id);
          }
        });
    touched.retainAll(current.byId.keySet());
    Set<String> due = new HashSet<>(touched);
    due.removeIf(id -> isOfThisMinute(Objects.requireNonNull(current.byId.get(id)).key()));
    if (!due.isEmpty()) {
      keys.touch(due);
      touched.removeAll(due);
    }
  }

  private boolean isOfThisMinute(ApiKey key) {
    return key.lastUsedAt()
        .filter(last -> Duration.between(last, clock.instant()).toSeconds() < 60)
        .isPresent();
  }
}
