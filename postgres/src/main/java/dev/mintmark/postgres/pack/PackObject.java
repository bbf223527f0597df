package dev.mintmark.postgres.pack;

import java.util.Locale;
import java.util.Optional;

/**
 * An object of the pack, or another object in its schema.
 *
 * @param identity its name in its schema, with the types of its parameters: {@code ulid_text(uuid)}
 * @param definition its definition, as the server writes it
 * @param digest the MD5 of a function's definition, as the script records it
 * @param isForAll whether every role may use it
 * @param owner the role that owns it
 * @param isTrusted whether that role could also own the schema
 */
record PackObject(
    Kind kind,
    String identity,
    String definition,
    String digest,
    boolean isForAll,
    String owner,
    boolean isTrusted) {
  /** The kinds of objects, in the order in which they can be dropped. */
  enum Kind {
    AGGREGATE,
    PROCEDURE,
    FUNCTION,
    SEQUENCE,
    DOMAIN;

    /** Returns the keyword, for example {@code function}. */
    String sql() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns whether the other object has the same kind, name and parameters. */
  boolean isSameAs(PackObject other) {
    return kind == other.kind && identity.equals(other.identity);
  }

  /** Returns whether this is called by the name of the other, whatever its parameters. */
  boolean isOverloadOf(PackObject other) {
    return isCalled() && other.isCalled() && name().equals(other.name());
  }

  private boolean isCalled() {
    return isRecorded() || kind == Kind.AGGREGATE;
  }

  /** Returns whether the script records the MD5 of its definition. */
  boolean isRecorded() {
    return kind == Kind.FUNCTION || kind == Kind.PROCEDURE;
  }

  private String name() {
    int parameters = identity.indexOf('(');
    return parameters < 0 ? identity : identity.substring(0, parameters);
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
