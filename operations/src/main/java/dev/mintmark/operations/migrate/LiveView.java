package dev.mintmark.operations.migrate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A view as it is, and how it is made again.
 *
 * @param name its name as the server writes it
 * @param schema its schema, quoted
 * @param definition its query
 * @param options its options: {@code security_barrier=true}
 * @param columnComments the statements that comment on its columns
 * @param obstacle why it cannot be made again
 */
record LiveView(
    String name,
    String schema,
    String definition,
    List<String> options,
    String owner,
    Optional<String> comment,
    List<String> columnComments,
    Optional<String> obstacle,
    boolean materialized,
    List<LiveTable.Grant> grants) {
  /**
   * Locks it in access exclusive mode and changes nothing. {@code lock table} would also lock all
   * that it reads, and its owner might lack the privilege for that.
   */
  String lock() {
    return lock(name, schema);
  }

  /** Locks a view of a schema, as {@link #lock()} does. */
  static String lock(String view, String schema) {
    return "alter view if exists " + view + " set schema " + schema;
  }

  String drop() {
    return "drop view " + name;
  }

  /**
   * Returns a script that puts a table with the rows and privileges of a materialized view in its
   * place.
   */
  String asTable() {
    List<String> statements = new ArrayList<>();
    statements.add("begin");
    statements.add("create temporary table kept on commit drop as table " + name);
    statements.add("drop materialized view " + name);
    statements.add("create table " + name + " as table kept");
    statements.add("alter table " + name + " owner to " + owner);
    grants.forEach(grant -> statements.add(grant.on(name, grant.column())));
    statements.add("commit");
    return String.join("; ", statements);
  }

  /** The statements that make it as it was. */
  List<String> create() {
    List<String> statements = new ArrayList<>();
    String with = options.isEmpty() ? "" : " with (" + String.join(", ", options) + ")";
    statements.add("create view " + name + with + " as\n" + definition);
    statements.add(CompatibilityView.revokeDefaults(name));
    statements.add("alter view " + name + " owner to " + owner);
    grants.forEach(grant -> statements.add(grant.on(name, grant.column())));
    comment.ifPresent(text -> statements.add("comment on view " + name + " is " + text));
    statements.addAll(columnComments);
    return statements;
  }
}
