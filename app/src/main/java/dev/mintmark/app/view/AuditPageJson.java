package dev.mintmark.app.view;

import dev.mintmark.app.access.AuditEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the audit, the latest entries first, as JSON.
 *
 * @param next the {@code before} of the next page; null for the last page
 */
public record AuditPageJson(List<AuditEntryJson> entries, @Nullable String next) {
  public static AuditPageJson of(List<AuditEntry> entries, int limit) {
    return new AuditPageJson(
        entries.stream().map(AuditEntryJson::of).toList(),
        entries.size() == limit ? Long.toString(entries.get(entries.size() - 1).id()) : null);
  }
}
