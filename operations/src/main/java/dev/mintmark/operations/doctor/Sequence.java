package dev.mintmark.operations.doctor;

import dev.mintmark.operations.internal.schema.Relation;
import java.util.Optional;

/**
 * A sequence, with a column that takes its numbers from it.
 *
 * @param column empty where no default knows it
 * @param max the greatest number it may give, the least one if it counts down
 * @param fed whether a pool feeds it, or may do: its bounds are those of a run
 */
record Sequence(
    Relation relation,
    Optional<Column> column,
    long max,
    long increment,
    boolean cycles,
    boolean readable,
    boolean fed) {
  static Sequence of(
      dev.mintmark.operations.internal.schema.Sequence sequence,
      Optional<Column> column,
      boolean fed) {
    return new Sequence(
        sequence.relation(),
        column,
        sequence.max(),
        sequence.increment(),
        sequence.cycles(),
        sequence.readable(),
        fed);
  }

  /** Its name as PostgreSQL writes it. */
  String shown() {
    return relation.shown();
  }

  /** Its name as part of a statement. */
  String sql() {
    return relation.quoted();
  }

  boolean ascends() {
    return increment > 0;
  }
}
