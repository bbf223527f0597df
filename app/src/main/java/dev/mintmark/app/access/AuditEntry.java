package dev.mintmark.app.access;

import java.time.Instant;
import java.util.Optional;

/**
 * Something that was changed, or was about to be.
 *
 * @param id its place in the audit: later entries have greater ones; 0 until it is stored
 * @param at when it began, by the clock of the process that did it
 * @param actor who: {@code key:ID}, {@code command:USER}, or {@code loopback} without accounts
 * @param actorName the name of the key; empty if there is none
 * @param source from where: an address, or the machine of a command
 * @param action what: the id of an HTTP operation, or a command
 * @param target of what: a pool, with the value; a key; empty if it has none
 * @param detail how: the parameters, cut at {@value #DETAIL_LENGTH_MAX} characters
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
  /** The longest detail that is stored. */
  public static final int DETAIL_LENGTH_MAX = 2_000;

  private static final String CUT = "...";

  public AuditEntry {
    target = storable(target);
    detail = storable(detail);
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
   * Who acts.
   *
   * @param id as {@link AuditEntry#actor}
   * @param name as {@link AuditEntry#actorName}
   * @param source as {@link AuditEntry#source}
   * @param requestId as {@link AuditEntry#requestId}
   */
  public record Actor(String id, String name, String source, Optional<String> requestId) {}

  /** PostgreSQL stores no NUL. */
  private static String storable(String text) {
    String stored = text.replace('\0', '\uFFFD');
    return stored.length() <= DETAIL_LENGTH_MAX
        ? stored
        : stored.substring(0, DETAIL_LENGTH_MAX - CUT.length()) + CUT;
  }
}
