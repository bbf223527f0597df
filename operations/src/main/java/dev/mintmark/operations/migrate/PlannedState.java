package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Column;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a step makes again as the plan knows it: defaults, identities, privileges and comments of
 * columns that change; and of tables whose place a view takes, also their columns, their owner and
 * whether they have row security. Each of them has a description and a value.
 */
final class PlannedState {
  /**
   * Parameters: rows of a quoted table, the name of a column and whether it changes; the privileges
   * on a column, its default, and the privileges on a sequence.
   */
  private static final String COLUMNS =
      """
      with wanted (of_table, of_column, changes) as (values %s),
      attribute as (
        select a.*, c.relowner, w.changes, pg_catalog.format('column %%I of table %%s', a.attname, c.oid::regclass) as shown
        from wanted w
        join pg_catalog.pg_class c on c.oid = pg_catalog.to_regclass(w.of_table)
        join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = w.of_column and not a.attisdropped
      ),
      sequence as (
        select a.shown as of_column, c.relacl, c.relowner, c.oid::regclass::text as name, q.*
        from attribute a
        join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_class'::regclass and d.refclassid = 'pg_catalog.pg_class'::regclass
          and d.refobjid = a.attrelid and d.refobjsubid = a.attnum and d.deptype = 'i'
        join pg_catalog.pg_class c on c.oid = d.objid
        join pg_catalog.pg_sequence q on q.seqrelid = c.oid
        where a.changes
      )
      select a.shown as what, '' as value
      from attribute a
      union all
      select 'the list of privileges on ' || a.shown, %s
      from attribute a
      union all
      select 'the comment on ' || a.shown, coalesce(pg_catalog.col_description(a.attrelid, a.attnum), '')
      from attribute a
      union all
      select 'the default of ' || a.shown, coalesce(%s, '')
      from attribute a
      left join pg_catalog.pg_attrdef f on f.adrelid = a.attrelid and f.adnum = a.attnum
      where a.changes
      union all
      select 'the identity of ' || a.shown, case a.attidentity when 'a' then 'always' when 'd' then 'by default' else '' end
      from attribute a
      where a.changes
      union all
      select 'the not-null constraint of ' || a.shown, case when a.attnotnull then 'not null' else '' end
      from attribute a
      where a.changes
      union all
      select 'sequence ' || q.name || ' of ' || q.of_column,
        pg_catalog.format('increment by %%s start with %%s cache %%s', q.seqincrement, q.seqstart, q.seqcache) || case when q.seqcycle then ' cycle' else '' end
      from sequence q
      union all
      select 'the list of privileges on sequence ' || q.name, %s
      from sequence q""";

  /** What has another value after the switch. */
  private static final String BEFORE_SWITCH =
      """
      union all
      select 'the range of sequence ' || q.name, pg_catalog.format('%s minvalue %s maxvalue %s', q.seqtypid::regtype, q.seqmin, q.seqmax)
      from sequence q
      union all
      select 'the comment on ' || pg_catalog.pg_describe_object(d.classoid, d.objoid, 0), d.description
      from pg_catalog.pg_description d
      where d.objsubid = 0
        and (d.classoid, d.objoid) in (
          select 'pg_catalog.pg_constraint'::regclass, k.oid
          from pg_catalog.pg_constraint k
          where k.conrelid in (select a.attrelid from attribute a)
          union all
          select 'pg_catalog.pg_class'::regclass, i.indexrelid
          from pg_catalog.pg_index i
          where i.indrelid in (select a.attrelid from attribute a)
          union all
          select 'pg_catalog.pg_trigger'::regclass, g.oid
          from pg_catalog.pg_trigger g
          where g.tgrelid in (select a.attrelid from attribute a)
          union all
          select 'pg_catalog.pg_class'::regclass, q.seqrelid
          from sequence q)""";

  /**
   * What a view takes from a table. Parameter: rows of the name of a table and of the columns that
   * it has or gets by the plan.
   */
  private static final String TABLES =
      """
      union all
      select f.*
      from (values %s) as t (of_table, of_columns)
      join pg_catalog.pg_class c on c.oid = pg_catalog.to_regclass(t.of_table)
      cross join lateral (
        select 'the owner of table ' || c.oid::regclass, pg_catalog.pg_get_userbyid(c.relowner)::text
        union all
        select 'the row security of table ' || c.oid::regclass, case when c.relrowsecurity then 'enabled' else 'disabled' end
        union all
        select 'the list of privileges on table ' || c.oid::regclass, %s
        union all
        select 'the comment on table ' || c.oid::regclass, coalesce(pg_catalog.obj_description(c.oid, 'pg_class'), '')
        union all
        select pg_catalog.format('column %%I of table %%s', a.attname, c.oid::regclass), ''
        from pg_catalog.pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attname <> all (t.of_columns)
      ) f""";

  /** What others than the owner may do. Parameters: the list, its owner. */
  private static final String PRIVILEGES =
      """
      coalesce(
        (
          select pg_catalog.string_agg(p.privilege, ', ' order by p.privilege)
          from (
            select
              case g.grantee when 0 then 'public' else pg_catalog.pg_get_userbyid(g.grantee)::text end
                || ' ' || g.privilege_type || case when g.is_grantable then ' with grant option' else '' end as privilege
            from pg_catalog.aclexplode(%s) g
            where g.grantee <> %s
          ) p
        ),
        '')""";

  private static final String DEFAULT = "pg_catalog.pg_get_expr(f.adbin, f.adrelid)";

  /** As it is for integers of any size. */
  private static final String WIDE_DEFAULT =
      "pg_catalog.regexp_replace("
          + DEFAULT
          + ", '::(bigint|integer|smallint)|[()''\\s]', '', 'g')";

  private record Fact(String what, String value) {}

  private final String query;
  private final List<Fact> planned;

  private PlannedState(String query, List<Fact> planned) {
    this.query = query;
    this.planned = planned;
  }

  /** Reads what the switch makes again. */
  static PlannedState ofSwitch(KeyChanges changes, PlanDraft draft) throws SQLException {
    String query = columns(changes, DEFAULT) + "\n" + BEFORE_SWITCH;
    return read(
        changes, changes.keepCompatibilityView() ? query + "\n" + tables(changes, draft) : query);
  }

  /** Reads what a rollback makes again if the same tables are used after the switch. */
  static PlannedState ofRollback(KeyChanges changes) throws SQLException {
    return read(changes, columns(changes, WIDE_DEFAULT));
  }

  private static PlannedState read(KeyChanges changes, String query) throws SQLException {
    List<Fact> facts = new ArrayList<>();
    try (Statement statement = changes.schema().connection().createStatement();
        ResultSet row = statement.executeQuery("select * from (" + query + ") f order by 1")) {
      while (row.next()) {
        facts.add(new Fact(row.getString("what"), row.getString("value")));
      }
    }
    return new PlannedState(query, facts);
  }

  private static String columns(KeyChanges changes, String value) {
    List<String> rows = new ArrayList<>();
    for (LiveTable table : changes.tables()) {
      for (Column column : changes.keepCompatibilityView() ? table.columns() : changes.of(table)) {
        rows.add(
            "(%s::text, %s::name, %s)"
                .formatted(
                    SqlLiteral.of(table.quoted()),
                    SqlLiteral.of(column.name()),
                    changes.of(table).contains(column)));
      }
    }
    return COLUMNS.formatted(
        String.join(", ", rows),
        PRIVILEGES.formatted("a.attacl", "a.relowner"),
        value,
        PRIVILEGES.formatted("q.relacl", "q.relowner"));
  }

  private static String tables(KeyChanges changes, PlanDraft draft) {
    List<String> rows = new ArrayList<>();
    for (LiveTable table : changes.tables()) {
      List<String> columns = new ArrayList<>(draft.columnsAdded(table));
      table.columns().forEach(column -> columns.add(column.name()));
      changes.of(table).forEach(column -> columns.add(ShadowName.next(column.name())));
      rows.add(
          "(%s::text, array[%s]::name[])"
              .formatted(
                  SqlLiteral.of(table.quoted()),
                  columns.stream().map(SqlLiteral::of).collect(Collectors.joining(", "))));
    }
    return TABLES.formatted(
        String.join(", ", rows), PRIVILEGES.formatted("c.relacl", "c.relowner"));
  }

  /**
   * Returns statements of a block with a record {@code unplanned}, which fail if something is not
   * as it was.
   */
  String check(String remedy) {
    String rows =
        planned.stream()
            .map(
                fact ->
                    "(%s::text, %s::text)"
                        .formatted(SqlLiteral.of(fact.what()), SqlLiteral.of(fact.value())))
            .collect(Collectors.joining(", "));
    return """
          for unplanned in
            select coalesce(p.what, f.what) as what, p.value as before, f.value as after
            from (values %s) as p (what, value)
            full join (%s) f on f.what = p.what
            where f.value is distinct from p.value
            order by f.what is not null, coalesce(p.what, f.what) collate pg_catalog."C"
            limit 1
          loop
            raise object_not_in_prerequisite_state using message = pg_catalog.format(
              '%%s was %%s after the plan%%s: %s',
              unplanned.what,
              case when unplanned.after is null then 'dropped or renamed' when unplanned.before is null then 'added' else 'changed' end,
              case when unplanned.before <> unplanned.after then pg_catalog.format(' from "%%s" to "%%s"', pg_catalog.left(unplanned.before, 200), pg_catalog.left(unplanned.after, 200)) end);
          end loop;
        """
        .formatted(rows, query, remedy);
  }
}
