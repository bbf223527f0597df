package dev.mintmark.app.access;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An API key, without its secret.
 *
 * @param id its public part
 * @param name what it is for
 * @param scopes what it permits
 * @param owner the owner for whom its holder claims, and whose claims alone it shows; empty: all
 * @param createdAt when it was created, by the database's clock
 * @param createdBy who created it, as the audit names actors
 * @param expiresAt from when on it is rejected; empty: never
 * @param revokedAt when it was revoked; empty: it was not
 * @param lastUsedAt when it was last used, to the minute; empty: not yet
 */
public record ApiKey(
    String id,
    String name,
    List<Scope> scopes,
    Optional<String> owner,
    Instant createdAt,
    String createdBy,
    Optional<Instant> expiresAt,
    Optional<Instant> revokedAt,
    Optional<Instant> lastUsedAt)
    implements Principal {
  public ApiKey {
    scopes = List.copyOf(scopes);
  }

  /** Whether it was revoked, or its time is over. */
  public boolean isOver(Instant now) {
    return revokedAt.isPresent() || expiresAt.filter(end -> !now.isBefore(end)).isPresent();
  }

  @Override
  public String actor() {
    return "key:" + id;
  }

  @Override
  public String proof() {
    return "key";
  }
}
