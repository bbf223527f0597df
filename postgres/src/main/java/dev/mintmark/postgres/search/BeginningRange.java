package dev.mintmark.postgres.search;

/**
 * The values of a column whose texts start with the same characters: from the first to the last.
 */
sealed interface BeginningRange permits SequenceRange, UuidRange {
  /** The least value, as JDBC sets it. */
  Object first();

  /** The greatest value, as JDBC sets it. */
  Object last();
}
