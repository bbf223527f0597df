package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.internal.ClaimName;
import java.util.Optional;

/**
 * Which of the claims that are held are listed. An empty part selects all.
 *
 * @param client only claims of this client
 * @param owner only claims on behalf of this owner
 * @param after only values after this one: the last value of the page before
 * @param excluded only values that are excluded: they were held when they were excluded
 */
public record ClaimFilter(
    Optional<String> client, Optional<String> owner, Optional<String> after, boolean excluded) {
  /** All claims. */
  public static final ClaimFilter ALL =
      new ClaimFilter(Optional.empty(), Optional.empty(), Optional.empty(), false);

  /** All claims of values that are excluded: they were held when they were excluded. */
  public static final ClaimFilter EXCLUDED =
      new ClaimFilter(Optional.empty(), Optional.empty(), Optional.empty(), true);

  /**
   * @throws IllegalArgumentException if the name of the client or the owner is malformed
   */
  public ClaimFilter {
    client.ifPresent(name -> ClaimName.check("client", name));
    owner.ifPresent(name -> ClaimName.check("owner", name));
  }

  /** The claims of one client. */
  public static ClaimFilter ofClient(String client) {
    return new ClaimFilter(Optional.of(client), Optional.empty(), Optional.empty(), false);
  }

  /** The claims on behalf of one owner. */
  public static ClaimFilter ofOwner(String owner) {
    return new ClaimFilter(Optional.empty(), Optional.of(owner), Optional.empty(), false);
  }

  /** The same for the page after this value. */
  public ClaimFilter withAfter(String value) {
    return new ClaimFilter(client, owner, Optional.of(value), excluded);
  }
}
