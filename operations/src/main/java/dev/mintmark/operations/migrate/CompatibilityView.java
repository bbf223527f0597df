package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Column;
import dev.mintmark.postgres.internal.SqlName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The statements by which a view takes the place of a table whose keys have changed their type, and
 * shows them as they were. It is simple enough for PostgreSQL to write through it (manual, section
 * "Updatable Views"), and finds rows by the old indexes.
 */
final class CompatibilityView {
  private CompatibilityView() {}

  /** Returns the statements for a view that shows the table, now in {@code aside}, as before. */
  static List<String> view(LiveTable table, String aside, Set<String> changed) {
    List<String> statements = new ArrayList<>();
    // A view with the privileges of its owner respects privileges on single columns, but bypasses
    // row security.
    String invoker = table.rowSecurity() ? " with (security_invoker = true)" : "";
    String columns =
        table.columns().stream()
            .map(
                column ->
                    changed.contains(column.name())
                        ? "t."
                            + SqlName.quoted(ShadowName.previous(column.name()))
                            + " as "
                            + SqlName.quoted(column.name())
                        : "t." + SqlName.quoted(column.name()))
            .collect(Collectors.joining(",\n  "));
    statements.add(
        "create view %s%s as\nselect\n  %s\nfrom %s t"
            .formatted(table.quoted(), invoker, columns, table.quotedIn(aside)));
    statements.add(revokeDefaults(table.quoted()));
    statements.add("alter view " + table.quoted() + " owner to " + table.owner());
    for (LiveTable.Grant grant : table.grants()) {
      statements.add(grant.on(table.quoted(), grant.column()));
      grant
          .column()
          .filter(changed::contains)
          .ifPresent(
              column ->
                  statements.add(
                      grant.on(table.quotedIn(aside), Optional.of(ShadowName.previous(column)))));
    }
    table
        .comment()
        .ifPresent(text -> statements.add("comment on view " + table.quoted() + " is " + text));
    for (Column column : table.columns()) {
      column
          .comment()
          .map(
              text ->
                  Ddl.comment(
                      "column " + table.quoted() + "." + SqlName.quoted(column.name()), text))
          .ifPresent(statements::add);
    }
    return statements;
  }

  /** Revokes default privileges of a new relation, which gets the privileges of another one. */
  static String revokeDefaults(String relation) {
    String block =
        """
        declare
          given record;
        begin
          for given in
            select distinct g.grantee
            from pg_catalog.pg_class c
            cross join lateral pg_catalog.aclexplode(c.relacl) g
            where c.oid = %1$s::pg_catalog.regclass
              and g.grantee <> c.relowner
          loop
            execute pg_catalog.format(
              'revoke all on table %%s from %%s',
              %1$s::pg_catalog.regclass,
              case given.grantee when 0 then 'public' else pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(given.grantee)) end);
          end loop;
        end
        """
            .formatted(SqlLiteral.of(relation));
    return "do " + SqlLiteral.body(block);
  }

  /** Grants usage of {@code aside} to the roles that may use {@code schema}. */
  static String shareSchema(String schema, String aside) {
    String block =
        """
        declare
          allowed record;
        begin
          for allowed in
            select g.grantee
            from pg_catalog.pg_namespace n
            cross join lateral pg_catalog.aclexplode(coalesce(n.nspacl, pg_catalog.acldefault('n', n.nspowner))) g
            where n.nspname = %s
              and g.privilege_type = 'USAGE'
          loop
            execute pg_catalog.format(
              'grant usage on schema %%I to %%s',
              %s,
              case allowed.grantee when 0 then 'public' else pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(allowed.grantee)) end);
          end loop;
        end
        """
            .formatted(SqlLiteral.of(schema), SqlLiteral.of(aside));
    return "do " + SqlLiteral.body(block);
  }

  /** Drops the schema if it is empty. */
  static String dropIfEmpty(String aside) {
    String block =
        """
        begin
          execute pg_catalog.format('drop schema if exists %%I', %s);
        exception
          when dependent_objects_still_exist then
            null;
        end
        """
            .formatted(SqlLiteral.of(aside));
    return "do " + SqlLiteral.body(block);
  }
}
