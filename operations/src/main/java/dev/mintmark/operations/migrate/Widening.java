package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Column;

/** A smaller integer that becomes a bigint. */
record Widening() implements Conversion {
  @Override
  public String type() {
    return "bigint";
  }

  @Override
  public String toNew(String old) {
    return old + "::bigint";
  }

  @Override
  public String toOld(String value, Column column) {
    return "case when %1$s between %2$s::bigint and %3$s::bigint then %1$s::%4$s end"
        .formatted(value, -max(column) - 1, max(column), column.base().sql());
  }

  @Override
  public int charactersMax() {
    return 0;
  }

  /** The greatest value that a column can hold. */
  static long max(Column column) {
    return column.base().max();
  }

  @Override
  public boolean keepsOldShape() {
    return false;
  }

  @Override
  public boolean outgrows() {
    return true;
  }

  @Override
  public int bytes() {
    return Long.BYTES;
  }
}
