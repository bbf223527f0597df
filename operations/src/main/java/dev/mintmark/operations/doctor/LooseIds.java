package dev.mintmark.operations.doctor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Columns that are called ids. Those with one name and type are one finding. */
final class LooseIds {
  private LooseIds() {}

  static List<Finding> findings(SchemaSnapshot snapshot) {
    Map<List<Object>, List<Column>> groups =
        snapshot.columns().stream()
            .filter(c -> c.isNamedLikeId() && (c.isNumber() || c.isUuid() || c.isText()))
            .filter(c -> !c.primary() && !c.unique() && !c.reference())
            .collect(
                Collectors.groupingBy(
                    column -> List.of(column.name(), column.type()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    return groups.values().stream().map(LooseIds::finding).toList();
  }

  /** The others are listed in full: none of them has a finding of its own. */
  private static Finding finding(List<Column> group) {
    List<String> objects = group.stream().map(Column::object).sorted().toList();
    List<String> others = objects.subList(1, objects.size());
    return Finding.of(
        Check.LOOSE_IDS,
        Severity.NOTICE,
        objects.get(0),
        "named like an id (%s), but in no primary key, unique index or foreign key%s"
            .formatted(
                group.get(0).type().label(),
                others.isEmpty()
                    ? ""
                    : "; the same of %s more of this name: %s"
                        .formatted(Words.number(others.size()), String.join(", ", others))),
        "add a foreign key if it refers to a table of this database, or name it in that key's"
            + " referenced-by in mintmark.yaml");
  }
}
