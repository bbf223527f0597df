package dev.mintmark.operations.internal.schema;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A foreign key. Those of partitions belong to the one of the partitioned table.
 *
 * @param referencing the table that it is declared on
 * @param rows how many rows that table has, as the last vacuum or analyze counted; without those of
 *     partitions
 * @param columns the columns of that table, in order
 * @param referenced the table that it refers to
 * @param referencedColumns the columns of that table, in the same order
 * @param validated whether all rows were checked against it
 * @param setsDefault whether one of its actions is {@code set default}
 * @param definition its definition as PostgreSQL writes it
 */
public record ForeignKey(
    long oid,
    String name,
    Relation referencing,
    long rows,
    List<End> columns,
    Relation referenced,
    List<End> referencedColumns,
    boolean validated,
    boolean setsDefault,
    String definition) {
  /**
   * A column on one side.
   *
   * @param number its place in the catalog
   * @param shown its name as PostgreSQL writes it
   * @param base the type that its values are stored in
   * @param length its declared maximum length in characters; negative if there is none
   */
  public record End(int number, String name, String shown, BuiltInType base, int length) {}

  static ForeignKey read(ResultSet row) throws SQLException {
    return new ForeignKey(
        row.getLong("oid"),
        row.getString("name"),
        Relation.read(row, "referencing_"),
        row.getLong("rows"),
        ends(row, "numbers", "names", "shown", "bases", "lengths"),
        Relation.read(row, "referenced_"),
        ends(
            row,
            "referenced_numbers",
            "referenced_names",
            "referenced_columns_shown",
            "referenced_bases",
            "referenced_lengths"),
        row.getBoolean("is_validated"),
        row.getBoolean("sets_default"),
        row.getString("definition"));
  }

  private static List<End> ends(
      ResultSet row, String numbers, String names, String shown, String bases, String lengths)
      throws SQLException {
    Integer[] places = (Integer[]) row.getArray(numbers).getArray();
    Integer[] maxima = (Integer[]) row.getArray(lengths).getArray();
    List<String> name = SchemaReader.texts(row, names);
    List<String> written = SchemaReader.texts(row, shown);
    List<String> base = SchemaReader.texts(row, bases);
    List<End> ends = new ArrayList<>();
    for (int i = 0; i < places.length; i++) {
      ends.add(
          new End(places[i], name.get(i), written.get(i), BuiltInType.of(base.get(i)), maxima[i]));
    }
    return List.copyOf(ends);
  }
}
