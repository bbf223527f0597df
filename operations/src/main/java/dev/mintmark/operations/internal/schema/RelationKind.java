package dev.mintmark.operations.internal.schema;

/** The kinds of relations (pg_class.relkind). */
public enum RelationKind {
  TABLE('r'),
  PARTITIONED('p'),
  FOREIGN_TABLE('f'),
  VIEW('v'),
  MATERIALIZED_VIEW('m'),
  INDEX('i'),
  PARTITIONED_INDEX('I'),
  SEQUENCE('S'),
  COMPOSITE_TYPE('c'),
  TOAST_TABLE('t');

  private final char code;

  RelationKind(char code) {
    this.code = code;
  }

  /**
   * Returns the kind of a letter.
   *
   * @throws IllegalArgumentException if no kind has it
   */
  static RelationKind of(String code) {
    return Codes.find(values(), kind -> kind.code, code);
  }

  /** Returns whether rows are stored in it or in its partitions. */
  public boolean isTable() {
    return this == TABLE || this == PARTITIONED;
  }
}
