package dev.mintmark.app.service;

import dev.mintmark.postgres.pool.NameMatch;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which clients or owners a request searches for: by name, or by prefix. */
public final class NameCriterion {
  private NameCriterion() {}

  /**
   * Returns what is searched for; empty if neither a name nor a prefix is given.
   *
   * @param key how the name is given, as {@code client} or {@code --client}; the prefix is given by
   *     {@code client_prefix} or {@code --client-prefix}
   * @throws IllegalArgumentException if both are given, or if no name has such a text
   */
  public static Optional<NameMatch> of(String key, @Nullable String name, @Nullable String prefix) {
    String prefixKey = key + (key.startsWith("-") ? "-prefix" : "_prefix");
    if (name != null && prefix != null) {
      throw new IllegalArgumentException("expected " + key + " or " + prefixKey + ", not both");
    }
    try {
      return name == null
          ? Optional.ofNullable(prefix).map(NameMatch::startingWith)
          : Optional.of(NameMatch.exactly(name));
    } catch (IllegalArgumentException e) {
      String given = name == null ? prefixKey : key;
      throw new IllegalArgumentException(given + ": " + e.getMessage(), e);
    }
  }
}
