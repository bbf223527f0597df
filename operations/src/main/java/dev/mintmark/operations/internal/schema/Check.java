package dev.mintmark.operations.internal.schema;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;

/**
 * A check constraint.
 *
 * @param relation the oid of its table
 * @param columns the columns that it uses
 * @param validated whether all rows were checked against it
 * @param definition its definition as PostgreSQL writes it
 */
public record Check(
    long relation, String name, Set<String> columns, boolean validated, String definition) {
  static Check read(ResultSet row) throws SQLException {
    return new Check(
        row.getLong("relation"),
        row.getString("name"),
        Set.copyOf(SchemaReader.texts(row, "columns")),
        row.getBoolean("is_validated"),
        row.getString("definition"));
  }
}
