package dev.mintmark.postgres.pack;

/** In what an installed pack differs from this one. */
public sealed interface Difference {
  /** What differs, as {@code function ulid_text(uuid)}. */
  String object();

  /** There is none. */
  record Missing(String object) implements Difference {}

  /** It is defined otherwise. */
  record Changed(String object, String expected, String found) implements Difference {}

  /** There are roles that may not use it. */
  record NotForAll(String object) implements Difference {}
}
