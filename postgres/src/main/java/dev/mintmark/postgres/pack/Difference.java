package dev.mintmark.postgres.pack;

/** A difference between an installed pack and this one. */
public sealed interface Difference {
  /** The object that differs, for example {@code function ulid_text(uuid)}. */
  String object();

  /** The object does not exist. */
  record Missing(String object) implements Difference {}

  /** The object has another definition. */
  record Changed(String object, String expected, String found) implements Difference {}

  /** Some roles may not use the object. */
  record NotForAll(String object) implements Difference {}
}
