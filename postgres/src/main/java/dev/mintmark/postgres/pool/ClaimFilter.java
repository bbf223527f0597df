package dev.mintmark.postgres.pool;

import java.util.Optional;

/**
 * Which of the claims that are held are listed. An empty part selects all.
 *
 * @param client only claims of these clients
 * @param owner only claims on behalf of these owners
 * @param label only claims with this label
 * @param after only values after this one: the last value of the page before
 * @param excluded only values that are excluded: they were held when they were excluded
 */
public record ClaimFilter(
    Optional<NameMatch> client,
    Optional<NameMatch> owner,
    Optional<LabelMatch> label,
    Optional<String> after,
    boolean excluded) {
  /** All claims. */
  public static final ClaimFilter ALL =
      new ClaimFilter(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);

  /** All claims of values that are excluded: they were held when they were excluded. */
  public static final ClaimFilter EXCLUDED = ALL.withExcluded(true);

  /**
   * The claims of one client.
   *
   * @throws IllegalArgumentException if the name is malformed
   */
  public static ClaimFilter ofClient(String client) {
    return ALL.withClient(Optional.of(NameMatch.exactly(client)));
  }

  /**
   * The claims on behalf of one owner.
   *
   * @throws IllegalArgumentException if the name is malformed
   */
  public static ClaimFilter ofOwner(String owner) {
    return ALL.withOwner(Optional.of(NameMatch.exactly(owner)));
  }

  /** The same for some clients. */
  public ClaimFilter withClient(Optional<NameMatch> client) {
    return new ClaimFilter(client, owner, label, after, excluded);
  }

  /** The same for some owners. */
  public ClaimFilter withOwner(Optional<NameMatch> owner) {
    return new ClaimFilter(client, owner, label, after, excluded);
  }

  /** The same for claims with a label. */
  public ClaimFilter withLabel(Optional<LabelMatch> label) {
    return new ClaimFilter(client, owner, label, after, excluded);
  }

  /** The same for the page after this value. */
  public ClaimFilter withAfter(String value) {
    return withAfter(Optional.of(value));
  }

  /** The same for the page after this value; empty: for the first page. */
  public ClaimFilter withAfter(Optional<String> value) {
    return new ClaimFilter(client, owner, label, value, excluded);
  }

  /** The same for excluded values only, or for all values. */
  public ClaimFilter withExcluded(boolean excluded) {
    return new ClaimFilter(client, owner, label, after, excluded);
  }
}
