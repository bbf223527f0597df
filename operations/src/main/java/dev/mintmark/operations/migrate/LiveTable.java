package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Check;
import dev.mintmark.operations.internal.schema.Column;
import dev.mintmark.operations.internal.schema.Index;
import dev.mintmark.operations.internal.schema.Relation;
import dev.mintmark.operations.internal.schema.RelationKind;
import dev.mintmark.operations.internal.schema.Sequence;
import dev.mintmark.postgres.internal.SqlName;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A table as it is, with what belongs to it. Two are equal if they are of one relation.
 *
 * @param rows how many it has, as far as the server knows
 * @param bytes its size without indexes
 * @param hidesRows whether row security hides rows from this role
 * @param owned whether this role may change it
 * @param comment its comment as a literal
 * @param publications those that publish it, with commas between them; what they are for, if they
 *     do not list the table
 * @param subscribed whether a subscription writes it
 * @param sequences the sequences that its columns own or take numbers from
 */
record LiveTable(
    Relation relation,
    long rows,
    long bytes,
    boolean rowSecurity,
    boolean hidesRows,
    String owner,
    boolean owned,
    Optional<String> comment,
    boolean inherits,
    boolean hasRules,
    boolean identifiedByIndex,
    Optional<String> publications,
    boolean subscribed,
    List<Column> columns,
    List<Index> indexes,
    List<Check> checks,
    List<Sequence> sequences,
    List<Grant> grants) {
  /**
   * A privilege of a role.
   *
   * @param column the one column that it is limited to
   * @param grantee a role, quoted, or {@code public}
   */
  record Grant(Optional<String> column, String privilege, String grantee, boolean grantable) {
    String on(String relation, Optional<String> otherColumn) {
      String columns = otherColumn.map(name -> " (" + SqlName.quoted(name) + ")").orElse("");
      return "grant "
          + privilege
          + columns
          + " on "
          + relation
          + " to "
          + grantee
          + (grantable ? " with grant option" : "");
    }
  }

  /**
   * The sequence of a column.
   *
   * @param owned whether it is dropped with the column
   */
  record ColumnSequence(Sequence sequence, boolean owned) {
    String shown() {
      return sequence.relation().shown();
    }
  }

  long oid() {
    return relation.oid();
  }

  String schema() {
    return relation.schema();
  }

  String name() {
    return relation.name();
  }

  /** Returns its name as messages write it: {@code public.orders}. */
  String shown() {
    return relation.shown();
  }

  /** Returns whether an index or a constraint can be added while it is written. */
  boolean isOrdinary() {
    return relation.kind() == RelationKind.TABLE && !inherits;
  }

  /** Returns its name as a part of a statement. */
  String quoted() {
    return relation.quoted();
  }

  /** Returns the name that it has in another schema, as a part of a statement. */
  String quotedIn(String other) {
    return relation.quotedIn(other);
  }

  Optional<Column> column(String wanted) {
    return columns.stream().filter(column -> column.name().equals(wanted)).findFirst();
  }

  Column column(int number) {
    return columns.stream()
        .filter(column -> column.number() == number)
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException("table " + shown() + ": no column number " + number));
  }

  /** Whether a publication of all tables, or of all tables of a schema, publishes it. */
  boolean isPublishedWithOthers() {
    return publications.filter(names -> names.contains(" (for ")).isPresent();
  }

  /** Returns the sequence that a column owns, or else one that its default takes numbers from. */
  Optional<ColumnSequence> sequence(Column column) {
    return sequences.stream()
        .flatMap(
            sequence ->
                sequence.uses().stream()
                    .filter(use -> use.relation() == oid() && use.number() == column.number())
                    .map(use -> new ColumnSequence(sequence, use.owned())))
        .max(Comparator.comparing(ColumnSequence::owned));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LiveTable table && table.oid() == oid();
  }

  @Override
  public int hashCode() {
    return Long.hashCode(oid());
  }
}
