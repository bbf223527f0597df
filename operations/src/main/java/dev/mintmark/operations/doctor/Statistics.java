package dev.mintmark.operations.doctor;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * What the server has counted of a column.
 *
 * @param inherited whether it is of a table with its parts
 * @param width bytes of a value on average, with those that say how many
 * @param nullFraction the share of rows without a value
 * @param distinct how many different values there are; negative for a share of the rows
 * @param topFrequency the share of rows that have the most frequent value
 * @param sample some values; none where the width is not that of a UUID or of one as text
 * @param greatest the greatest value that was seen, as text; none where the width is not that of an
 *     integer
 */
record Statistics(
    boolean inherited,
    int width,
    double nullFraction,
    double distinct,
    double topFrequency,
    List<String> sample,
    Optional<String> greatest) {
  /** Every row has a value of its own. */
  private static final double ALL_DISTINCT = -1;

  static Statistics read(ResultSet row) throws SQLException {
    return new Statistics(
        row.getBoolean("inherited"),
        row.getInt("width"),
        row.getDouble("null_fraction"),
        row.getDouble("distinct_values"),
        row.getDouble("top_frequency"),
        Column.texts(row, "sample"),
        Optional.ofNullable(row.getString("greatest")));
  }

  /** Whether every row has a value of its own. */
  boolean isUnique() {
    return distinct == ALL_DISTINCT;
  }
}
