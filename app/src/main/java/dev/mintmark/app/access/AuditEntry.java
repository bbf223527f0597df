package dev.mintmark.app.access;

import java.time.Instant;
import java.util.Optional;

/**
 * Something that was changed, or was about to be. Its texts come from outside: NUL, which
 * PostgreSQL does not store, is replaced by U+FFFD in each, and all are cut at {@value #LENGTH_MAX}
 * characters.
 *
 * @param id its place in the audit: later entries have greater ones; 0 until it is stored
 * @param at when it began, by the clock of the process that did it
 * @param actor who: {@code key:ID}, {@code token:SUB}, {@code command:USER}, or {@code loopback}
 *     without accounts
 * @param actorName the name of the key, or of the holder of the token; empty if there is none
 * @param source from where: an address, or the machine of a command
 * @param action what: the id of an HTTP operation, or a command
 * @param target of what: a pool, with the value; a key; empty if it has none
 * @param detail how: the parameters
 * @param requestId {@code X-Request-Id} of the request; empty for a command
 * @param outcome the HTTP status or {@code exit N}; empty: not known, the process ended before it
 */
public record AuditEntry(
    long id,
    Instant at,
    String actor,
    String actorName,
    String source,
    String action,
    String target,
    String detail,
    Optional<String> requestId,
    Optional<String> outcome) {
  /** The longest text that is stored. */
  public static final int LENGTH_MAX = 2_000;

  private static final String CUT = "...";

  public AuditEntry {
    actor = storable(actor);
    actorName = storable(actorName);
    source = storable(source);
    action = storable(action);
    target = storable(target);
    detail = storable(detail);
    requestId = requestId.map(AuditEntry::storable);
    outcome = outcome.map(AuditEntry::storable);
  }

  /** An entry of something that begins. */
  public static AuditEntry begun(
      Instant at, Actor actor, String action, String target, String detail) {
    return new AuditEntry(
        0,
        at,
        actor.id(),
        actor.name(),
        actor.source(),
        action,
        target,
        detail,
        actor.requestId(),
        Optional.empty());
  }

  /** The same as it was stored. */
  AuditEntry withId(long newId) {
    return new AuditEntry(
        newId, at, actor, actorName, source, action, target, detail, requestId, outcome);
  }

  /** The same with another target. */
  public AuditEntry withTarget(String newTarget) {
    return new AuditEntry(
        id, at, actor, actorName, source, action, newTarget, detail, requestId, outcome);
  }

  /** The same with its outcome. */
  public AuditEntry ended(String outcome) {
    return new AuditEntry(
        id, at, actor, actorName, source, action, target, detail, requestId, Optional.of(outcome));
  }

  /**
   * The same for a database whose encoding lacks a character of it: others than those of ASCII are
   * written a backslash, {@code uXXXX}.
   */
  AuditEntry inAscii() {
    return new AuditEntry(
        id,
        at,
        escaped(actor),
        escaped(actorName),
        escaped(source),
        escaped(action),
        escaped(target),
        escaped(detail),
        requestId.map(AuditEntry::escaped),
        outcome.map(AuditEntry::escaped));
  }

  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    text.chars()
        .forEach(
            c -> {
              if (c < 0x80) {
                escaped.append((char) c);
              } else {
                escaped.append("\\u%04x".formatted(c));
              }
            });
    return escaped.toString();
  }

  /**
   * Who acts.
   *
   * @param id as {@link AuditEntry#actor}
   * @param name as {@link AuditEntry#actorName}
   * @param source as {@link AuditEntry#source}
   * @param requestId as {@link AuditEntry#requestId}
   */
  public record Actor(String id, String name, String source, Optional<String> requestId) {}

  private static String storable(String text) {
    String stored = text.replace('\0', '\uFFFD');
    return stored.length() <= LENGTH_MAX
        ? stored
        : stored.substring(0, LENGTH_MAX - CUT.length()) + CUT;
  }
}
