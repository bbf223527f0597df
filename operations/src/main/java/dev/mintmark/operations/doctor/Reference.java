package dev.mintmark.operations.doctor;

import dev.mintmark.operations.internal.schema.ForeignKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A foreign key; those of the parts of a partitioned table are one.
 *
 * @param target the table it refers to, where that is looked at
 * @param rows of the parts that have no index for it, or of the table
 */
record Reference(
    String name,
    Table table,
    Optional<Table> target,
    String targetShown,
    List<Pair> columns,
    long rows,
    boolean indexed) {
  /** A column and the one that it refers to. */
  record Pair(ForeignKey.End own, ForeignKey.End target) {
    private static List<Pair> of(ForeignKey key) {
      return IntStream.range(0, key.columns().size())
          .mapToObj(i -> new Pair(key.columns().get(i), key.referencedColumns().get(i)))
          .toList();
    }
  }

  /**
   * Describes a foreign key.
   *
   * @param indexed whether an index finds the rows of the table by it
   */
  static Reference of(ForeignKey key, Map<Long, Table> tables, boolean indexed) {
    Table table = SchemaSnapshot.table(tables, key.referencing().oid());
    boolean whole = key.referencing().oid() == table.root();
    return new Reference(
        key.name(),
        table,
        Optional.ofNullable(tables.get(key.referenced().oid())),
        key.referenced().shown(),
        Pair.of(key),
        whole ? table.rows() : key.rows(),
        indexed);
  }

  /** One for those of several parts that say the same; it has an index if all of them have. */
  static List<Reference> merged(List<Reference> references) {
    Map<List<Object>, Reference> merged = new LinkedHashMap<>();
    for (Reference reference : references) {
      merged.merge(
          List.of(reference.table.root(), reference.columns, reference.targetShown),
          reference,
          Reference::with);
    }
    return List.copyOf(merged.values());
  }

  private Reference with(Reference other) {
    long unindexed = (indexed ? 0 : rows) + (other.indexed ? 0 : other.rows);
    return new Reference(
        name, table, target, targetShown, columns, unindexed, indexed && other.indexed);
  }

  /** {@code public.lines.order_id}, or {@code public.lines (order_id, place)}. */
  String object() {
    List<String> names = columns.stream().map(pair -> pair.own().shown()).toList();
    return table.shown()
        + (names.size() == 1
            ? "." + names.get(0)
            : names.stream().collect(Collectors.joining(", ", " (", ")")));
  }
}
