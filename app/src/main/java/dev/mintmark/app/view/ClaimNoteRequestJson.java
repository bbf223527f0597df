package dev.mintmark.app.view;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.ClaimNote;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What to write about a claim, as JSON. */
public record ClaimNoteRequestJson(
    @Nullable Map<String, @Nullable String> labels,
    @Nullable String dnsName,
    @Nullable String description) {
  /**
   * Returns the note.
   *
   * @throws IllegalArgumentException if a limit is exceeded or a text is malformed
   */
  public ClaimNote toNote() {
    Map<String, String> given = new TreeMap<>();
    if (labels != null) {
      labels.forEach((key, value) -> given.put(key, requireValue(key, value)));
    }
    return ClaimNote.of(given)
        .withDnsName(Optional.ofNullable(dnsName))
        .withDescription(Optional.ofNullable(description));
  }

  private static String requireValue(String key, @Nullable String value) {
    if (value == null) {
      throw new IllegalArgumentException("labels: the value of " + Quoted.of(key) + " is null");
    }
    return value;
  }
}
