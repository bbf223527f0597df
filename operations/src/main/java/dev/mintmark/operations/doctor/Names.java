package dev.mintmark.operations.doctor;

import java.util.List;

/** Columns that are called ids. */
final class Names {
  private Names() {}

  static List<Finding> findings(SchemaSnapshot snapshot) {
    return snapshot.columns().stream()
        .filter(c -> c.isNamedLikeId() && (c.isNumber() || c.isUuid() || c.isText()))
        .filter(c -> !c.primary() && !c.unique() && !c.reference())
        .map(Names::finding)
        .toList();
  }

  private static Finding finding(Column column) {
    return Finding.of(
        Check.LOOSE_IDS,
        Severity.NOTICE,
        column.object(),
        "named like an id (%s), but in no primary key, unique index or foreign key"
            .formatted(column.type().label()),
        "add a foreign key if it refers to a table of this database, or name it in that key's"
            + " referenced-by in mintmark.yaml");
  }
}
