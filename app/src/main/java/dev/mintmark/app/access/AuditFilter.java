package dev.mintmark.app.access;

import java.time.Instant;
import java.util.Optional;

/**
 * Which entries of the audit are listed. An empty part selects all.
 *
 * @param actor only entries of this actor
 * @param action only entries with this action
 * @param target only entries whose target begins with this text, such as the name of a pool
 * @param requestId only entries of this request
 * @param since only entries at or after this time
 * @param until only entries before this time
 */
public record AuditFilter(
    Optional<String> actor,
    Optional<String> action,
    Optional<String> target,
    Optional<String> requestId,
    Optional<Instant> since,
    Optional<Instant> until) {
  /** All entries. */
  public static final AuditFilter ALL =
      new AuditFilter(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
}
