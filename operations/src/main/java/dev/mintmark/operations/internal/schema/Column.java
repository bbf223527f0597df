package dev.mintmark.operations.internal.schema;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * A column of a table.
 *
 * @param relation the oid of the table
 * @param number its place in the catalog (pg_attribute.attnum)
 * @param shown its name as PostgreSQL writes it
 * @param notNullName the name of the not-null constraint; empty before PostgreSQL 18
 * @param generated whether it is computed from other columns
 * @param hasExpression whether it has a default, or an expression if it is generated
 * @param expression that one as PostgreSQL writes it; empty until it is read ({@link
 *     SchemaReader#withExpressions})
 * @param readable whether this role may read it
 * @param shadow whether it is the copy of another column that a migration keeps
 * @param comment its comment as a literal
 * @param settings actions of {@code alter column} that set what the planner's statistics need
 */
public record Column(
    long relation,
    int number,
    String name,
    String shown,
    ColumnType type,
    boolean notNull,
    Optional<String> notNullName,
    Identity identity,
    boolean generated,
    boolean hasExpression,
    Optional<String> expression,
    boolean readable,
    boolean shadow,
    Optional<String> comment,
    List<String> settings) {
  /** Whether a column is an identity (pg_attribute.attidentity). */
  public enum Identity {
    NONE(""),
    ALWAYS("a"),
    BY_DEFAULT("d");

    private final String code;

    Identity(String code) {
      this.code = code;
    }

    private static Identity of(String code) {
      for (Identity identity : values()) {
        if (identity.code.equals(code)) {
          return identity;
        }
      }
      throw new IllegalArgumentException("unknown identity in the catalog: \"" + code + "\"");
    }
  }

  static Column read(ResultSet row) throws SQLException {
    return new Column(
        row.getLong("relation"),
        row.getInt("number"),
        row.getString("name"),
        row.getString("shown"),
        ColumnType.read(row),
        row.getBoolean("is_not_null"),
        Optional.ofNullable(row.getString("not_null_name")),
        Identity.of(row.getString("identity")),
        row.getBoolean("is_generated"),
        row.getBoolean("has_expression"),
        Optional.empty(),
        row.getBoolean("is_readable"),
        row.getBoolean("is_shadow"),
        Optional.ofNullable(row.getString("comment")),
        SchemaReader.texts(row, "settings"));
  }

  /** Returns the base of its type. */
  public BuiltInType base() {
    return type.base();
  }

  public boolean isIdentity() {
    return identity != Identity.NONE;
  }

  Column withExpression(Optional<String> read) {
    return new Column(
        relation,
        number,
        name,
        shown,
        type,
        notNull,
        notNullName,
        identity,
        generated,
        hasExpression,
        read,
        readable,
        shadow,
        comment,
        settings);
  }
}
