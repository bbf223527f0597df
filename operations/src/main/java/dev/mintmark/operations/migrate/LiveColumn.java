package dev.mintmark.operations.migrate;

import java.util.List;
import java.util.Optional;

/**
 * A column as it is.
 *
 * @param number its place in the catalogs
 * @param name its name
 * @param type its type as the server writes it, with its modifier: {@code character(26)}
 * @param baseType the same without one: {@code character}
 * @param plainType what its type is a domain over; of any other type, {@code baseType}
 * @param notNull whether it must have a value
 * @param notNullName what the constraint that says so is called, where those have names (from 18
 *     on)
 * @param identity {@code a} or {@code d} of an identity column, else empty
 * @param generated whether it is computed from others
 * @param defaultValue the expression of its default
 * @param sequence the sequence that its values come from
 * @param comment its comment as a literal
 * @param settings actions of {@code alter column} that make it ready for the planner's statistics
 */
record LiveColumn(
    int number,
    String name,
    String type,
    String baseType,
    String plainType,
    boolean notNull,
    Optional<String> notNullName,
    String identity,
    boolean generated,
    Optional<String> defaultValue,
    Optional<Sequence> sequence,
    Optional<String> comment,
    List<String> settings) {
  /**
   * A sequence.
   *
   * @param name its name as the server writes it
   * @param owned whether it goes when the column goes
   * @param type {@code integer}
   * @param max the last value it gives
   * @param options the others of its options, as {@code create sequence} has them
   */
  record Sequence(long oid, String name, boolean owned, String type, long max, String options) {}

  boolean isIdentity() {
    return !identity.isEmpty();
  }
}
