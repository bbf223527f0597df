package dev.mintmark.operations.internal.schema;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The type of a column. The base of a domain is found through any number of domains.
 *
 * @param declared the type as it was declared: {@code character(26)}, {@code public.order_id}
 * @param domain whether that is a domain
 * @param builtIn whether the base is a type of PostgreSQL itself
 * @param base the built-in type that values are stored in
 * @param baseName the name of that type in {@code pg_type}, also if it is {@link BuiltInType#OTHER}
 * @param length the declared maximum length in characters; negative if there is none
 * @param collation the collation of its texts as PostgreSQL writes it; empty if it has none
 * @param deterministic whether texts of that collation are equal only if their bytes are
 */
public record ColumnType(
    String declared,
    boolean domain,
    boolean builtIn,
    BuiltInType base,
    String baseName,
    int length,
    String collation,
    boolean deterministic) {
  /** Whether its length is enough for a text of some characters. */
  public boolean holds(int characters) {
    return length < 0 || length >= characters;
  }

  static ColumnType read(ResultSet row) throws SQLException {
    String baseName = row.getString("base_name");
    return new ColumnType(
        row.getString("declared_type"),
        row.getBoolean("is_domain"),
        row.getBoolean("is_built_in"),
        row.getBoolean("is_built_in") ? BuiltInType.of(baseName) : BuiltInType.OTHER,
        baseName,
        row.getInt("length"),
        row.getString("collation"),
        row.getBoolean("is_deterministic"));
  }
}
