package dev.mintmark.app.view;

import dev.mintmark.app.access.KeyRequest;
import dev.mintmark.app.access.Scope;
import dev.mintmark.app.service.InstantText;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The key that is to be created, as JSON. */
public record KeyRequestJson(
    @Nullable String name,
    @Nullable List<@Nullable String> scopes,
    @Nullable String owner,
    @Nullable String expiresAt) {
  /**
   * Returns the request.
   *
   * @param now expires_at must be after it
   * @throws IllegalArgumentException if a key is missing or malformed
   */
  public KeyRequest toRequest(Instant now) {
    if (name == null || scopes == null) {
      throw new IllegalArgumentException((name == null ? "name" : "scopes") + " is missing");
    }
    Optional<Instant> end =
        Optional.ofNullable(expiresAt).map(text -> InstantText.parse("expires_at", text));
    end.filter(at -> !at.isAfter(now))
        .ifPresent(
            at -> {
              throw new IllegalArgumentException(
                  "expires_at is %s: expected a time in the future".formatted(at));
            });
    if (scopes.stream().anyMatch(Objects::isNull)) {
      throw new IllegalArgumentException("scopes: an element is null");
    }
    return new KeyRequest(
        name,
        scopes.stream().map(scope -> Scope.parse(String.valueOf(scope))).toList(),
        Optional.ofNullable(owner),
        end);
  }
}
