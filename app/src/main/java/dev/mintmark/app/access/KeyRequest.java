package dev.mintmark.app.access;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.ClaimFilter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The key that is to be created.
 *
 * @param name what it is for: 1 to {@value #NAME_LENGTH_MAX} characters, no control characters
 * @param scopes what it permits: 1 to {@value #SCOPES_MAX}
 * @param owner as in {@link ApiKey}
 * @param expiresAt as in {@link ApiKey}
 */
public record KeyRequest(
    String name, List<Scope> scopes, Optional<String> owner, Optional<Instant> expiresAt) {
  static final int NAME_LENGTH_MAX = 100;
  static final int SCOPES_MAX = 100;

  /**
   * @throws IllegalArgumentException if a part is malformed, or a key with an owner would show or
   *     change what belongs to other owners
   */
  public KeyRequest {
    scopes = List.copyOf(scopes);
    if (name.isBlank()
        || name.length() > NAME_LENGTH_MAX
        || name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "name is %s: expected 1 to %s characters, no control characters"
              .formatted(Quoted.of(name), NAME_LENGTH_MAX));
    }
    if (scopes.isEmpty() || scopes.size() > SCOPES_MAX) {
      throw new IllegalArgumentException(
          "a key with %s scopes: expected 1 to %s".formatted(scopes.size(), SCOPES_MAX));
    }
    owner.ifPresent(ClaimFilter::ofOwner); // Checks the name.
    if (owner.isPresent()) {
      scopes.stream()
          .filter(scope -> !scope.kind().isOfOwners())
          .findFirst()
          .ifPresent(
              scope -> {
                throw new IllegalArgumentException(
                    "scope %s reaches what belongs to other owners: a key with an owner cannot have it"
                        .formatted(scope.text()));
              });
    }
  }
}
