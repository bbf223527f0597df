package dev.mintmark.app.view;

import dev.mintmark.app.service.ExclusionRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request to exclude values or to include them again, as JSON. */
public record ExclusionRequestJson(@Nullable List<@Nullable String> values) {
  /**
   * Returns the request.
   *
   * @throws IllegalArgumentException if the values are missing or malformed
   */
  public ExclusionRequest toRequest() {
    return ExclusionRequest.of(
        values == null ? List.of() : JsonArrays.withoutNull("values", values));
  }
}
