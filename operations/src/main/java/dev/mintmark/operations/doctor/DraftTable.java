package dev.mintmark.operations.doctor;

import dev.mintmark.operations.internal.schema.Relation;
import dev.mintmark.postgres.internal.SqlName;

/** A table by its names, as PostgreSQL keeps them. */
record DraftTable(String schema, String name) {
  static DraftTable of(Relation relation) {
    return new DraftTable(relation.schema(), relation.name());
  }

  /** Its name as part of a statement. */
  String sql() {
    return SqlName.quoted(schema) + "." + SqlName.quoted(name);
  }

  /** Whether a catalog can name it: a dot would be taken for the one after a schema. */
  boolean isNamable() {
    return isNamable(schema) && isNamable(name);
  }

  /** Whether a catalog can name a column of a reference, or the part of a table's name. */
  static boolean isNamable(String name) {
    return isNamableColumn(name) && name.indexOf('.') < 0;
  }

  /** Whether a catalog can name the column of a collection. */
  static boolean isNamableColumn(String name) {
    return !name.isBlank() && name.chars().noneMatch(Character::isISOControl);
  }
}
