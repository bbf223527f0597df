package dev.mintmark.operations.internal.schema;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An index.
 *
 * @param relation the oid of its table
 * @param method the name of its access method: {@code btree}
 * @param clustered whether {@code cluster} without an index sorts the table by it
 * @param partial whether it has a condition
 * @param computes whether its key has expressions
 * @param keyColumns the columns of its key, in order; empty in the place of an expression
 * @param columns the columns that it holds, also those that are only included
 * @param uses those, and the columns that its expressions and its condition use
 * @param constraint the constraint that it serves
 * @param tablespace its tablespace; empty for that of the database
 * @param definition the statement that creates it; empty until it is read ({@link
 *     SchemaReader#withDefinitions})
 * @param condition its condition as PostgreSQL writes it; empty until it is read, or if there is
 *     none
 */
public record Index(
    long oid,
    long relation,
    String name,
    String method,
    boolean primary,
    boolean unique,
    boolean valid,
    boolean clustered,
    boolean partial,
    boolean computes,
    List<Optional<String>> keyColumns,
    Set<String> columns,
    Set<String> uses,
    Optional<Constraint> constraint,
    Optional<Tablespace> tablespace,
    Optional<String> definition,
    Optional<String> condition) {
  /** The constraint of an index. */
  public record Constraint(String name, ConstraintKind kind, Timing timing) {}

  /**
   * A tablespace.
   *
   * @param quoted its name as a part of a statement
   * @param usable whether this role may create in it
   */
  public record Tablespace(String quoted, boolean usable) {}

  /** The kinds of constraints that have an index (pg_constraint.contype). */
  public enum ConstraintKind {
    PRIMARY_KEY('p'),
    UNIQUE('u'),
    EXCLUSION('x');

    private final char code;

    ConstraintKind(char code) {
      this.code = code;
    }
  }

  /** The time at which a constraint is checked. */
  public enum Timing {
    AT_ONCE,
    DEFERRABLE,
    INITIALLY_DEFERRED
  }

  static Index read(ResultSet row) throws SQLException {
    Set<String> columns = new LinkedHashSet<>(SchemaReader.texts(row, "columns"));
    Set<String> uses = new LinkedHashSet<>(columns);
    uses.addAll(SchemaReader.texts(row, "uses"));
    return new Index(
        row.getLong("oid"),
        row.getLong("relation"),
        row.getString("name"),
        row.getString("method"),
        row.getBoolean("is_primary"),
        row.getBoolean("is_unique"),
        row.getBoolean("is_valid"),
        row.getBoolean("is_clustered"),
        row.getBoolean("is_partial"),
        row.getBoolean("has_expressions"),
        keyColumns(row.getArray("key_columns")),
        Collections.unmodifiableSet(columns),
        Collections.unmodifiableSet(uses),
        constraint(row),
        tablespace(row),
        Optional.empty(),
        Optional.empty());
  }

  private static List<Optional<String>> keyColumns(Array names) throws SQLException {
    return Arrays.stream((String[]) names.getArray()).map(Optional::ofNullable).toList();
  }

  private static Optional<Tablespace> tablespace(ResultSet row) throws SQLException {
    String name = row.getString("tablespace");
    return name == null
        ? Optional.empty()
        : Optional.of(new Tablespace(name, row.getBoolean("is_tablespace_usable")));
  }

  private static Optional<Constraint> constraint(ResultSet row) throws SQLException {
    String name = row.getString("constraint_name");
    if (name == null) {
      return Optional.empty();
    }
    return Optional.of(
        new Constraint(
            name,
            Codes.find(
                ConstraintKind.values(), kind -> kind.code, row.getString("constraint_kind")),
            row.getBoolean("is_deferred")
                ? Timing.INITIALLY_DEFERRED
                : row.getBoolean("is_deferrable") ? Timing.DEFERRABLE : Timing.AT_ONCE));
  }

  /**
   * Whether it keeps the values of a column unique by themselves: another column or an expression
   * in its key, a condition, or a build that failed would allow two rows with one value.
   */
  public boolean isUniqueAlone(String column) {
    return unique
        && valid
        && !partial
        && !computes
        && keyColumns.equals(List.of(Optional.of(column)));
  }

  Index withDefinition(String read, Optional<String> readCondition) {
    return new Index(
        oid,
        relation,
        name,
        method,
        primary,
        unique,
        valid,
        clustered,
        partial,
        computes,
        keyColumns,
        columns,
        uses,
        constraint,
        tablespace,
        Optional.of(read),
        readCondition);
  }
}
