package dev.mintmark.app.view;

import dev.mintmark.app.service.DurationKey;
import dev.mintmark.postgres.pool.ClaimNote;
import dev.mintmark.postgres.pool.ClaimRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request for one value or, with {@code count}, for several values, as JSON. */
public record ClaimRequestJson(
    @Nullable String client,
    @Nullable String owner,
    @Nullable String value,
    @Nullable Integer slot,
    @Nullable Integer count,
    @Nullable String lease,
    @Nullable ClaimNoteRequestJson note) {
  /**
   * Returns the request.
   *
   * @throws IllegalArgumentException if the client is missing or a key is malformed
   */
  public ClaimRequest toRequest() {
    if (client == null) {
      throw new IllegalArgumentException("client is missing");
    }
    return new ClaimRequest(
        client,
        Optional.ofNullable(owner),
        Optional.ofNullable(value),
        slot == null ? 0 : slot,
        count == null ? 1 : count,
        Optional.ofNullable(lease).map(text -> DurationKey.parse("lease", text)),
        writtenNote());
  }

  private ClaimNote writtenNote() {
    return note == null ? ClaimNote.NONE : note.toNote();
  }
}
