package dev.mintmark.operations.internal.schema;

import dev.mintmark.postgres.internal.SqlName;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A table or another relation.
 *
 * @param shown its name with its schema, as PostgreSQL writes it: {@code public."Orders"}
 */
public record Relation(long oid, String schema, String name, String shown, RelationKind kind) {
  /** Reads the columns {@code oid}, {@code schema}, {@code name}, {@code shown}, {@code kind}. */
  public static Relation read(ResultSet row) throws SQLException {
    return read(row, "");
  }

  /** Reads the same columns, each with a prefix. */
  static Relation read(ResultSet row, String prefix) throws SQLException {
    return new Relation(
        row.getLong(prefix + "oid"),
        row.getString(prefix + "schema"),
        row.getString(prefix + "name"),
        row.getString(prefix + "shown"),
        RelationKind.of(row.getString(prefix + "kind")));
  }

  /** Returns its name as part of a statement. */
  public String quoted() {
    return quotedIn(schema);
  }

  /** Returns the name that it would have in another schema, as part of a statement. */
  public String quotedIn(String other) {
    return SqlName.quoted(other) + "." + SqlName.quoted(name);
  }
}
