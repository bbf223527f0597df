package dev.mintmark.app.view;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mintmark.app.service.QuarantineRequest;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request to quarantine values, as JSON: either named values or all, and for how long. */
public record QuarantineRequestJson(
    @Nullable List<@Nullable String> values,
    @Nullable Boolean all,
    @JsonProperty("for") @Nullable String length) {
  /**
   * Returns the request.
   *
   * @throws IllegalArgumentException if a key is missing or malformed
   */
  public QuarantineRequest toRequest() {
    return QuarantineRequest.of(
        values == null ? List.of() : JsonArrays.withoutNull("values", values),
        Boolean.TRUE.equals(all),
        Optional.ofNullable(length));
  }
}
