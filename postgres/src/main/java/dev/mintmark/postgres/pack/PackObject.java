package dev.mintmark.postgres.pack;

import java.util.Locale;
import java.util.Optional;

/**
 * One thing that the pack consists of.
 *
 * @param kind what it is
 * @param identity its name in its schema, with the types of its parameters: {@code ulid_text(uuid)}
 * @param definition as the server writes it
 * @param isForAll whether every role may use it
 */
record PackObject(Kind kind, String identity, String definition, boolean isForAll) {
  /** In the order they can be dropped. */
  enum Kind {
    FUNCTION,
    SEQUENCE,
    DOMAIN;

    /** {@code function}. */
    String sql() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether the other one stands in the place of this one. */
  boolean isNamesake(PackObject other) {
    return kind == other.kind && identity.equals(other.identity);
  }

  Optional<Difference> differenceFrom(PackObject found) {
    if (!definition.equals(found.definition)) {
      return Optional.of(new Difference.Changed(toString(), definition, found.definition));
    }
    return found.isForAll ? Optional.empty() : Optional.of(new Difference.NotForAll(toString()));
  }

  /** {@code function ulid_text(uuid)}. */
  @Override
  public String toString() {
    return kind.sql() + " " + identity;
  }
}
