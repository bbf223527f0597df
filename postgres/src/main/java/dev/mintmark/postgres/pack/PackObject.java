package dev.mintmark.postgres.pack;

import java.util.Locale;
import java.util.Optional;

/**
 * An object of the pack.
 *
 * @param identity its name in its schema, with the types of its parameters: {@code ulid_text(uuid)}
 * @param definition its definition, as the server writes it
 * @param isForAll whether every role may use it
 */
record PackObject(Kind kind, String identity, String definition, boolean isForAll) {
  /** The kinds of objects, in the order in which they can be dropped. */
  enum Kind {
    FUNCTION,
    SEQUENCE,
    DOMAIN;

    /** Returns the keyword, for example {@code function}. */
    String sql() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns whether the other object has the same kind and name. */
  boolean hasSameName(PackObject other) {
    return kind == other.kind && identity.equals(other.identity);
  }

  Optional<Difference> differenceFrom(PackObject found) {
    if (!definition.equals(found.definition)) {
      return Optional.of(new Difference.Changed(toString(), definition, found.definition));
    }
    return found.isForAll ? Optional.empty() : Optional.of(new Difference.NotForAll(toString()));
  }

  /** Returns kind and identity, for example {@code function ulid_text(uuid)}. */
  @Override
  public String toString() {
    return kind.sql() + " " + identity;
  }
}
