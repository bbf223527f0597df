package dev.mintmark.postgres.search;

import java.util.Arrays;

/** How the values of a column are looked up, by the character before its name. */
enum Lookup {
  /** The value has the term in it. */
  CONTAINS(""),
  STARTS_WITH("^"),
  /** The value is the term, but for the case of letters. */
  EQUALS("="),
  /** The words of the term stand in the value, one after the other. */
  FULL_TEXT("@"),
  /** The term is a regular expression that matches somewhere in the value. */
  PATTERN("$"),
  /** The term is the same identifier as the value, in whichever text. */
  IDENTIFIER("#");

  private final String prefix;

  Lookup(String prefix) {
    this.prefix = prefix;
  }

  /** The lookup of a column that is declared as {@code ^name}. */
  static Lookup of(String declaration) {
    return Arrays.stream(values())
        .filter(lookup -> lookup != CONTAINS && declaration.startsWith(lookup.prefix))
        .findFirst()
        .orElse(CONTAINS);
  }

  /** The name of the column that is declared so. */
  String columnName(String declaration) {
    return declaration.substring(prefix.length());
  }

  @Override
  public String toString() {
    return prefix;
  }
}
