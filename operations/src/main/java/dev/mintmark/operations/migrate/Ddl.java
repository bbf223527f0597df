package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Index;
import dev.mintmark.operations.internal.schema.Index.ConstraintKind;
import dev.mintmark.postgres.internal.SqlName;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Statements that define something, and those that undo them. Every factory quotes the names of
 * columns, constraints, indexes and triggers; tables, sequences and schemas come quoted, because
 * they may be qualified.
 *
 * @param apply none if only undoing takes a statement
 * @param undo none if nothing has to be undone
 */
record Ddl(List<String> apply, List<String> undo) {
  Ddl {
    apply = List.copyOf(apply);
    undo = List.copyOf(undo);
  }

  private static Ddl of(String apply, String undo) {
    return new Ddl(List.of(apply), List.of(undo));
  }

  /** A statement that is not undone. */
  static Ddl oneWay(String apply) {
    return new Ddl(List.of(apply), List.of());
  }

  /** A statement that runs on rollback only. */
  static Ddl wayBack(String undo) {
    return new Ddl(List.of(), List.of(undo));
  }

  /** Adds columns of one type. */
  static Ddl addColumns(String table, List<String> columns, String type) {
    return of(
        alter(table) + each(columns, column -> " add column " + column + " " + type),
        alter(table) + each(columns, column -> " drop column " + column));
  }

  /** Drops columns, which cannot be undone. */
  static Ddl dropColumns(String table, List<String> columns) {
    return oneWay(alter(table) + each(columns, column -> " drop column " + column));
  }

  private static String each(List<String> columns, UnaryOperator<String> action) {
    return columns.stream()
        .map(column -> action.apply(quoted(column)))
        .collect(Collectors.joining(","));
  }

  static Ddl renameColumn(String table, String from, String to) {
    return rename(alter(table) + " rename column ", from, to);
  }

  private static Ddl rename(String action, String from, String to) {
    return of(
        action + quoted(from) + " to " + quoted(to), action + quoted(to) + " to " + quoted(from));
  }

  /** Sets an option of a column that the planner's statistics need. */
  static Ddl setting(String table, String column, String action) {
    return oneWay(alterColumn(table, column) + " " + action);
  }

  /** Sets the default of a column that has none. */
  static Ddl setDefault(String table, String column, String expression) {
    return of(
        alterColumn(table, column) + " set default " + expression,
        alterColumn(table, column) + " drop default");
  }

  /** Sets the default of a column that has another one. */
  static Ddl replaceDefault(String table, String column, String expression, String before) {
    return of(
        alterColumn(table, column) + " set default " + expression,
        alterColumn(table, column) + " set default " + before);
  }

  static Ddl setNotNull(String table, String column) {
    return of(
        alterColumn(table, column) + " set not null",
        alterColumn(table, column) + " drop not null");
  }

  /** Adds a constraint by its definition: {@code check (a > 0) not valid}. */
  static Ddl addConstraint(String table, String name, String definition) {
    return of(
        alter(table) + " add constraint " + quoted(name) + " " + definition,
        alter(table) + " drop constraint " + quoted(name));
  }

  /** Drops a constraint that the rollback of another step may have dropped. */
  static String dropConstraintIfExists(String table, String name) {
    return alter(table) + " drop constraint if exists " + quoted(name);
  }

  /** Adds a check that a column is not null, which old rows are not read for. */
  static Ddl notValidCheck(String table, String name, String column) {
    return addConstraint(table, name, "check (" + quoted(column) + " is not null) not valid");
  }

  /** The same as a not-null constraint, which PostgreSQL has from 18 on. */
  static Ddl notValidNotNull(String table, String name, String column) {
    return addConstraint(table, name, "not null " + quoted(column) + " not valid");
  }

  /** Reads all rows for a constraint. */
  static Ddl validate(String table, String constraint) {
    return oneWay(alter(table) + " validate constraint " + quoted(constraint));
  }

  static Ddl renameConstraint(String table, String from, String to) {
    return rename(alter(table) + " rename constraint ", from, to);
  }

  /**
   * Creates an index without a lock that writers wait for. A step undoes it by dropping the index.
   *
   * @param definition what follows the table: {@code using btree (id)}
   */
  static Ddl createIndex(String table, String name, boolean unique, String definition) {
    return oneWay(
        "create %sindex concurrently %s on %s %s"
            .formatted(unique ? "unique " : "", quoted(name), table, definition));
  }

  /** Renames an index of a schema. */
  static Ddl renameIndex(String schema, String from, String to) {
    String index = "alter index " + quoted(schema) + ".";
    return of(
        index + quoted(from) + " rename to " + quoted(to),
        index + quoted(to) + " rename to " + quoted(from));
  }

  /** Adds a primary key or a unique constraint with an index that exists. */
  static Ddl addKey(String table, Index.Constraint constraint, String index) {
    String kind = constraint.kind() == ConstraintKind.PRIMARY_KEY ? "primary key" : "unique";
    String timing =
        switch (constraint.timing()) {
          case AT_ONCE -> "";
          case DEFERRABLE -> " deferrable";
          case INITIALLY_DEFERRED -> " deferrable initially deferred";
        };
    return addConstraint(table, constraint.name(), kind + " using index " + quoted(index) + timing);
  }

  /** Makes {@code cluster} without an index sort the table by this one. */
  static String cluster(String table, String index) {
    return alter(table) + " cluster on " + quoted(index);
  }

  /** Comments on something: {@code column public.orders.id}. */
  static String comment(String object, String literal) {
    return "comment on " + object + " is " + literal;
  }

  /** Creates a trigger by its statements. */
  static Ddl createTrigger(String table, String name, List<String> create) {
    return new Ddl(create, List.of("drop trigger " + quoted(name) + " on " + table));
  }

  /** Makes another column of the same table own a sequence, which is dropped with it. */
  static Ddl ownSequence(String sequence, String table, String column, String before) {
    String owned = "alter sequence " + sequence + " owned by " + table + ".";
    return of(owned + quoted(column), owned + quoted(before));
  }

  /** Returns what undoes this, and is undone by it. */
  Ddl inverse() {
    return new Ddl(undo, apply);
  }

  /** Returns this and then another one. Each is undone in the same order. */
  Ddl and(Ddl next) {
    return new Ddl(joined(apply, next.apply), joined(undo, next.undo));
  }

  /** Returns this without its rollback. */
  Ddl onlyApply() {
    return new Ddl(apply, List.of());
  }

  /** Returns all of them, each undone in the same order. */
  static Ddl all(Stream<Ddl> parts) {
    return parts.reduce(new Ddl(List.of(), List.of()), Ddl::and);
  }

  /** Returns an optional part, or nothing. */
  static Ddl ifAny(Optional<Ddl> part) {
    return part.orElse(new Ddl(List.of(), List.of()));
  }

  private static List<String> joined(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  private static String alter(String table) {
    return "alter table " + table;
  }

  private static String alterColumn(String table, String column) {
    return alter(table) + " alter column " + quoted(column);
  }

  private static String quoted(String name) {
    return SqlName.quoted(name);
  }
}
