package dev.mintmark.operations.doctor;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

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
    List<End> columns,
    long rows,
    boolean indexed) {
  /**
   * A column and the one that it refers to.
   *
   * @param length how many characters it is declared to hold; negative for any number
   */
  record End(
      String name,
      String shown,
      String type,
      int length,
      String targetName,
      String targetShown,
      String targetType,
      int targetLength) {}

  static Reference read(ResultSet row, Map<Long, Table> tables) throws SQLException {
    Table table = SchemaSnapshot.table(tables, row.getLong("relation"));
    String[] names = array(row, "columns");
    String[] shown = array(row, "shown");
    String[] types = array(row, "types");
    Integer[] lengths = (Integer[]) row.getArray("lengths").getArray();
    String[] targets = array(row, "target_columns");
    String[] targetsShown = array(row, "target_columns_shown");
    String[] targetTypes = array(row, "target_types");
    Integer[] targetLengths = (Integer[]) row.getArray("target_lengths").getArray();
    End[] ends = new End[names.length];
    for (int i = 0; i < ends.length; i++) {
      ends[i] =
          new End(
              names[i],
              shown[i],
              types[i],
              lengths[i],
              targets[i],
              targetsShown[i],
              targetTypes[i],
              targetLengths[i]);
    }
    boolean whole = row.getLong("relation") == table.root();
    return new Reference(
        row.getString("name"),
        table,
        Optional.ofNullable(tables.get(row.getLong("target"))),
        row.getString("target_shown"),
        List.of(ends),
        whole ? table.rows() : row.getLong("rows"),
        row.getBoolean("is_indexed"));
  }

  private static String[] array(ResultSet row, String column) throws SQLException {
    return (String[]) row.getArray(column).getArray();
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
    return table.shown() + shown(columns.stream().map(End::shown).toList());
  }

  String targetObject() {
    return targetShown + shown(columns.stream().map(End::targetShown).toList());
  }

  private static String shown(List<String> columns) {
    return columns.size() == 1
        ? "." + columns.get(0)
        : columns.stream().collect(Collectors.joining(", ", " (", ")"));
  }
}
