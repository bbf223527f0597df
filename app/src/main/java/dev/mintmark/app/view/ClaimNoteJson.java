package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.ClaimNote;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What people have written about a claim, as JSON. */
public record ClaimNoteJson(
    Map<String, String> labels, @Nullable String dnsName, @Nullable String description) {
  /** Returns null if nothing is written. */
  static @Nullable ClaimNoteJson unlessEmpty(ClaimNote note) {
    return note.isEmpty() ? null : of(note);
  }

  public static ClaimNoteJson of(ClaimNote note) {
    return new ClaimNoteJson(
        note.labels(), note.dnsName().orElse(null), note.description().orElse(null));
  }
}
