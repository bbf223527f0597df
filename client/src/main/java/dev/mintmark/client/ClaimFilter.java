package dev.mintmark.client;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which of the claims that are held are listed, released or renewed. Immutable. A name of a client
 * or an owner has 1 to 255 characters; letter case counts.
 */
public final class ClaimFilter {
  /** All claims. */
  public static final ClaimFilter ALL = new ClaimFilter(Collections.emptySortedMap());

  private final SortedMap<String, String> parameters;

  private ClaimFilter(SortedMap<String, String> parameters) {
    this.parameters = parameters;
  }

  /** The claims of one client. */
  public static ClaimFilter ofClient(String client) {
    return ALL.withClient(client);
  }

  /** The claims on behalf of one owner. */
  public static ClaimFilter ofOwner(String owner) {
    return ALL.withOwner(owner);
  }

  /** The same for one client. */
  public ClaimFilter withClient(String client) {
    return with("client", client, "client_prefix");
  }

  /** The same for clients whose names begin with a text. */
  public ClaimFilter withClientPrefix(String prefix) {
    return with("client_prefix", prefix, "client");
  }

  /** The same for one owner. */
  public ClaimFilter withOwner(String owner) {
    return with("owner", owner, "owner_prefix");
  }

  /** The same for owners whose names begin with a text. */
  public ClaimFilter withOwnerPrefix(String prefix) {
    return with("owner_prefix", prefix, "owner");
  }

  /** The same for claims with a label. */
  public ClaimFilter withLabel(String key, String value) {
    return with("label", key + ":" + value, "label_prefix");
  }

  /** The same for claims with a label whose value begins with a text, which may be empty. */
  public ClaimFilter withLabelPrefix(String key, String prefix) {
    return with("label_prefix", key + ":" + prefix, "label");
  }

  /**
   * Returns the filter as a member of a request that changes claims.
   *
   * @throws IllegalArgumentException if it selects all claims
   */
  Map<String, String> selection() {
    if (parameters.isEmpty()) {
      throw new IllegalArgumentException(
          "the filter selects all claims: expected a client, an owner or a label");
    }
    return parameters;
  }

  /** Returns the parameters of a request for a page, encoded: {@code client=vm-1&}. */
  String query() {
    StringBuilder query = new StringBuilder();
    parameters.forEach(
        (name, value) -> query.append(name).append('=').append(Names.encode(value)).append('&'));
    return query.toString();
  }

  private ClaimFilter with(String name, String value, String replaced) {
    if (!name.startsWith("label")) {
      Names.check(name, value);
    }
    Names.checkCharacters(name, value);
    SortedMap<String, String> changed = new TreeMap<>(parameters);
    changed.remove(replaced);
    changed.put(name, value);
    return new ClaimFilter(changed);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ClaimFilter that && that.parameters.equals(parameters);
  }

  @Override
  public int hashCode() {
    return parameters.hashCode();
  }

  @Override
  public String toString() {
    return "ClaimFilter" + parameters;
  }
}
