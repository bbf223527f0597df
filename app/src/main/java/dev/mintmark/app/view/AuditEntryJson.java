package dev.mintmark.app.view;

import dev.mintmark.app.access.AuditEntry;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the audit, as JSON.
 *
 * @param id a text, because it can pass 2^53-1
 */
public record AuditEntryJson(
    String id,
    Instant at,
    String actor,
    String actorName,
    String source,
    String action,
    String target,
    String detail,
    @Nullable String outcome,
    @Nullable String requestId) {
  public static AuditEntryJson of(AuditEntry entry) {
    return new AuditEntryJson(
        Long.toString(entry.id()),
        entry.at(),
        entry.actor(),
        entry.actorName(),
        entry.source(),
        entry.action(),
        entry.target(),
        entry.detail(),
        entry.outcome().orElse(null),
        entry.requestId().orElse(null));
  }
}
