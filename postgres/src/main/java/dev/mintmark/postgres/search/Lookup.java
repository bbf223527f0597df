package dev.mintmark.postgres.search;

import java.util.Arrays;

/** The lookup of a column, selected by the character before its name. */
enum Lookup {
  /** The value contains the term. */
  CONTAINS(""),
  STARTS_WITH("^"),
  /** The value equals the term, ignoring letter case. */
  EQUALS("="),
  /** The value contains the words of the term, in their order. */
  FULL_TEXT("@"),
  /** The term is a regular expression that matches a part of the value. */
  PATTERN("$"),
  /** The term is the identifier of the value, in any text form. */
  IDENTIFIER("#");

  private final String prefix;

  Lookup(String prefix) {
    this.prefix = prefix;
  }

  /** The lookup of a declaration such as {@code ^name}. */
  static Lookup of(String declaration) {
    return Arrays.stream(values())
        .filter(lookup -> lookup != CONTAINS && declaration.startsWith(lookup.prefix))
        .findFirst()
        .orElse(CONTAINS);
  }

  /** The name of the column in a declaration. */
  String columnName(String declaration) {
    return declaration.substring(prefix.length());
  }

  @Override
  public String toString() {
    return prefix;
  }
}
