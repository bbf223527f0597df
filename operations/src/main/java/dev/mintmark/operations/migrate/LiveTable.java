package dev.mintmark.operations.migrate;

import dev.mintmark.postgres.internal.SqlName;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A table as it is, with what hangs on it.
 *
 * @param oid by what the catalogs call it
 * @param shown its name as messages write it: {@code public.orders}
 * @param kind {@code r} of an ordinary table, {@code p} of a partitioned one (pg_class.relkind)
 * @param rows how many it has, as far as the server knows
 * @param hidesRows whether row security hides rows from this role
 * @param owned whether this role may change it
 * @param comment its comment as a literal
 * @param publications those that publish it, with commas between them
 */
record LiveTable(
    long oid,
    String schema,
    String name,
    String shown,
    String kind,
    long rows,
    long bytes,
    boolean rowSecurity,
    boolean hidesRows,
    String owner,
    boolean owned,
    Optional<String> comment,
    boolean inherits,
    boolean hasRules,
    boolean identifiedByIndex,
    Optional<String> publications,
    List<LiveColumn> columns,
    List<Index> indexes,
    List<Check> checks,
    List<Grant> grants) {
  /**
   * An index.
   *
   * @param columns the columns it holds, by their names
   * @param uses those and the ones that its expressions and its condition use
   * @param clustered whether {@code cluster} without an index sorts the table by it
   * @param constraint the constraint it serves
   */
  record Index(
      String name,
      Definition definition,
      boolean unique,
      boolean valid,
      boolean clustered,
      boolean partial,
      boolean computes,
      Set<String> columns,
      Set<String> uses,
      Optional<Constraint> constraint,
      Optional<String> comment) {}

  /**
   * The constraint of an index.
   *
   * @param type {@code p} primary key, {@code u} unique, {@code x} exclusion
   *     (pg_constraint.contype)
   * @param timing when it is checked, as a definition says it, empty where that is at once
   */
  record Constraint(String name, String type, String timing, Optional<String> comment) {}

  /** A check constraint. */
  record Check(
      String name,
      Set<String> columns,
      boolean validated,
      Definition definition,
      Optional<String> comment) {}

  /**
   * What somebody may do.
   *
   * @param column with one column only
   * @param grantee a role, quoted, or {@code public}
   */
  record Grant(Optional<String> column, String privilege, String grantee, boolean grantable) {
    String on(String relation, Optional<String> otherColumn) {
      String columns = otherColumn.map(name -> " (" + SqlName.quoted(name) + ")").orElse("");
      return "grant "
          + privilege
          + columns
          + " on "
          + relation
          + " to "
          + grantee
          + (grantable ? " with grant option" : "");
    }
  }

  /** Its name as a part of a statement. */
  String quoted() {
    return quotedIn(schema);
  }

  /** The same where it is in another schema. */
  String quotedIn(String other) {
    return SqlName.quoted(other) + "." + SqlName.quoted(name);
  }

  Optional<LiveColumn> column(String wanted) {
    return columns.stream().filter(column -> column.name().equals(wanted)).findFirst();
  }

  LiveColumn column(int number) {
    return columns.stream()
        .filter(column -> column.number() == number)
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException("table " + shown + ": no column number " + number));
  }
}
