package dev.mintmark.app.view;

import dev.mintmark.app.access.ApiKey;
import dev.mintmark.app.access.Scope;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An API key, without its secret, as JSON. */
public record KeyJson(
    String id,
    String name,
    List<String> scopes,
    @Nullable String owner,
    Instant createdAt,
    String createdBy,
    @Nullable Instant expiresAt,
    @Nullable Instant revokedAt,
    @Nullable Instant lastUsedAt) {
  public static KeyJson of(ApiKey key) {
    return new KeyJson(
        key.id(),
        key.name(),
        key.scopes().stream().map(Scope::text).toList(),
        key.owner().orElse(null),
        key.createdAt(),
        key.createdBy(),
        key.expiresAt().orElse(null),
        key.revokedAt().orElse(null),
        key.lastUsedAt().orElse(null));
  }
}
