package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Column;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * What was made, changed or dropped since the plan, while the migration ran or baked: an index of a
 * column that is about to be dropped, a privilege on a view that is about to be made again. The
 * blocks of this class run after the locks of a step are taken, and fail if the step would lose it.
 *
 * <p>Things are told apart by their names: the plan knows those that used the columns, and what the
 * migration makes has names of {@link ShadowName}s.
 */
final class Unplanned {
  /**
   * What depends on columns, other than their own defaults, sequences and not-null constraints.
   * Parameter: rows of a quoted table and the name of a column; an empty name stands for all
   * columns.
   */
  private static final String USERS =
      """
      select
        case d.classid
          when 'pg_catalog.pg_class'::regclass then (select i.relname from pg_catalog.pg_class i where i.oid = d.objid)
          when 'pg_catalog.pg_constraint'::regclass then (select k.conname from pg_catalog.pg_constraint k where k.oid = d.objid)
          when 'pg_catalog.pg_trigger'::regclass then (select t.tgname from pg_catalog.pg_trigger t where t.oid = d.objid)
          when 'pg_catalog.pg_statistic_ext'::regclass then (select s.stxname from pg_catalog.pg_statistic_ext s where s.oid = d.objid)
          when 'pg_catalog.pg_rewrite'::regclass then v.relname
        end as name,
        coalesce(
          pg_catalog.pg_describe_object('pg_catalog.pg_class'::regclass, v.oid, 0),
          pg_catalog.pg_describe_object(d.classid, d.objid, d.objsubid)) as description,
        pg_catalog.pg_describe_object('pg_catalog.pg_class'::regclass, r.oid, a.attnum) as used,
        u.of_column = '' as is_new
      from (values %s) as u (of_table, of_column)
      join pg_catalog.pg_class r on r.oid = pg_catalog.to_regclass(u.of_table)
      join pg_catalog.pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and u.of_column in ('', a.attname)
      join pg_catalog.pg_depend d on d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = r.oid and d.refobjsubid = a.attnum
      left join pg_catalog.pg_rewrite w on d.classid = 'pg_catalog.pg_rewrite'::regclass and w.oid = d.objid and w.rulename = '_RETURN'
      left join pg_catalog.pg_class v on v.oid = w.ev_class
      where v.oid is distinct from r.oid
        and not exists (select from pg_catalog.pg_class s where d.classid = 'pg_catalog.pg_class'::regclass and s.oid = d.objid and s.relkind = 'S')
        and not exists (select from pg_catalog.pg_constraint n where d.classid = 'pg_catalog.pg_constraint'::regclass and n.oid = d.objid and n.contype = 'n')
        and not exists (
          select from pg_catalog.pg_attrdef f
          where d.classid = 'pg_catalog.pg_attrdef'::regclass and f.oid = d.objid and f.adrelid = d.refobjid and f.adnum = d.refobjsubid)""";

  /** What is granted on a relation {@code c}, and said of it. */
  private static final String ACCESS =
      """
      pg_catalog.concat_ws(' ', pg_catalog.pg_get_userbyid(c.relowner), pg_catalog.obj_description(c.oid, 'pg_class'),
        (select pg_catalog.string_agg(pg_catalog.format('%s %s %s', pg_catalog.pg_get_userbyid(g.grantee), g.privilege_type, g.is_grantable), ',' order by g.grantee, g.privilege_type)
        from pg_catalog.aclexplode(c.relacl) g where g.grantee operator(pg_catalog.<>) c.relowner),
        (select pg_catalog.string_agg(pg_catalog.format('%s %s %s %s', a.attname, pg_catalog.pg_get_userbyid(g.grantee), g.privilege_type, g.is_grantable), ',' order by a.attname, g.grantee, g.privilege_type)
        from pg_catalog.pg_attribute a cross join lateral pg_catalog.aclexplode(a.attacl) g where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
        (select pg_catalog.string_agg(pg_catalog.format('%s %s', a.attname, pg_catalog.col_description(c.oid, a.attnum)), ',' order by a.attname)
        from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped))""";

  /** What else a view {@code c} has, apart from its query. */
  private static final String EXTRAS =
      """
      pg_catalog.concat_ws(' ', c.reloptions::text,
        (select pg_catalog.string_agg(t.tgname::text, ',' order by t.tgname::text) from pg_catalog.pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal),
        (select pg_catalog.string_agg(w.rulename::text, ',' order by w.rulename::text) from pg_catalog.pg_rewrite w where w.ev_class = c.oid),
        (select pg_catalog.string_agg(pg_catalog.pg_get_expr(f.adbin, f.adrelid), ',' order by f.adnum) from pg_catalog.pg_attrdef f where f.adrelid = c.oid))""";

  /** The query as it is with integers of any size. */
  private static final String QUERY =
      "pg_catalog.regexp_replace(pg_catalog.pg_get_viewdef(c.oid), '::(bigint|integer|smallint)|[()\\s]', '', 'g')";

  /** Constants of a time are written by it, and it differs from session to session. */
  private static final String ZONE = "pg_catalog.set_config('TimeZone', 'UTC', true)";

  /** The server writes other names with their schema, as when the plan was made. */
  private static final String PATH = "pg_catalog.set_config('search_path', 'pg_catalog', true)";

  private static final String AFTER_SWITCH =
      "correct the rows whose columns differ, let it fire again (enable always trigger) and resume";

  private final KeyChanges changes;
  private final Set<String> known;
  private final List<String> views;
  private final List<String> standIns;
  private final PlannedState ofSwitch;
  private final PlannedState ofRollback;

  private Unplanned(
      KeyChanges changes,
      Set<String> known,
      List<String> views,
      List<String> standIns,
      PlannedState ofSwitch,
      PlannedState ofRollback) {
    this.changes = changes;
    this.known = known;
    this.views = views;
    this.standIns = standIns;
    this.ofSwitch = ofSwitch;
    this.ofRollback = ofRollback;
  }

  /**
   * Reads what there is.
   *
   * @param views the views that the switch or the contraction makes again
   */
  static Unplanned since(KeyChanges changes, List<LiveView> views, PlanDraft draft)
      throws SQLException {
    Set<String> known = new TreeSet<>();
    for (LiveTable table : changes.tables()) {
      known.add(table.name()); // That of the view in its place.
      for (Column column : changes.of(table)) {
        addAll(known, table.name() + "_" + column.name());
      }
    }
    String users = users(changes, LiveTable::quoted, UnaryOperator.identity(), List.of());
    query(changes, "select u.name from (" + users + ") u where u.name is not null")
        .forEach(name -> addAll(known, name));
    String zone = query(changes, "select pg_catalog.current_setting('TimeZone')").get(0);
    query(changes, "select " + ZONE);
    List<String> states = new ArrayList<>();
    for (LiveView view : views) {
      String parts = ACCESS + ", " + EXTRAS;
      // What views of users select stays as it is if a view takes the place of the table.
      states.add(
          state(
              changes,
              view.name(),
              changes.keepCompatibilityView() ? parts : parts + ", " + QUERY));
    }
    List<String> standIns = new ArrayList<>();
    if (changes.keepCompatibilityView()) {
      for (LiveTable table : changes.tables()) {
        standIns.add(state(changes, table.quoted(), ACCESS)); // It gets what the table has.
      }
    }
    PlannedState ofSwitch = PlannedState.ofSwitch(changes, draft);
    PlannedState ofRollback = PlannedState.ofRollback(changes);
    query(changes, "select pg_catalog.set_config('TimeZone', " + SqlLiteral.of(zone) + ", true)");
    return new Unplanned(changes, known, states, standIns, ofSwitch, ofRollback);
  }

  /** A query that finds a view if it is not as it is now. */
  private static String state(KeyChanges changes, String view, String parts) throws SQLException {
    String name = SqlLiteral.of(view);
    String state = "pg_catalog.md5(pg_catalog.concat_ws(' ', " + parts + "))";
    String now =
        query(
                changes,
                "select %s from pg_catalog.pg_class c where c.oid = pg_catalog.to_regclass(%s)"
                    .formatted(state, name))
            .get(0);
    return """
        select v.name, c.oid is null as is_gone
        from (values (%s)) as v (name)
        left join pg_catalog.pg_class c on c.oid = pg_catalog.to_regclass(v.name)
        where c.oid is null or %s operator(pg_catalog.<>) '%s'"""
        .formatted(name, state, now);
  }

  private static void addAll(Set<String> known, String name) {
    known.add(name);
    known.add(ShadowName.next(name));
    known.add(ShadowName.previous(name));
  }

  private static List<String> query(KeyChanges changes, String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Statement statement = changes.schema().connection().createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        texts.add(row.getString(1));
      }
    }
    return texts;
  }

  /** Before the switch, which makes the views again unless one takes the place of the table. */
  String atSwitch() {
    return block(
        unsynchronized(LiveTable::quoted, "roll back and plan again"),
        users(changes, LiveTable::quoted, UnaryOperator.identity(), List.of()),
        changes.keepCompatibilityView() ? List.of() : views,
        "drop it and resume, or roll back; it can be created again once the migration has ended",
        ofSwitch.check("undo that and resume, or roll back and plan again"));
  }

  /** Before a switch is undone: the columns that have the names now are dropped later. */
  String atUndo() {
    return block(
        unsynchronized(changes::quotedAfterSwitch, AFTER_SWITCH),
        users(changes, changes::quotedAfterSwitch, UnaryOperator.identity(), compatibilityViews()),
        changes.keepCompatibilityView() ? standIns : views,
        "drop it and resume; it can be created again once the migration has ended",
        // After the switch the columns of a table that is under a view have another type.
        changes.keepCompatibilityView()
            ? ""
            : ofRollback.check(
                "undo that and resume; it can be done again once the migration has ended"));
  }

  /** Before the old columns are dropped. */
  String atContraction() {
    List<String> looked = new ArrayList<>();
    if (changes.keepCompatibilityView()) {
      looked.addAll(views);
      looked.addAll(standIns);
    }
    return block(
        unsynchronized(changes::quotedAfterSwitch, AFTER_SWITCH),
        users(changes, changes::quotedAfterSwitch, ShadowName::previous, compatibilityViews()),
        looked,
        "drop it and resume; it can be created again once the migration has ended",
        "");
  }

  /**
   * Fails if a trigger that keeps the columns the same may have been disabled meanwhile. One that
   * was enabled again does not fire always, unless that was asked for.
   */
  private String unsynchronized(Function<LiveTable, String> name, String remedy) {
    String tables =
        changes.tables().stream()
            .map(table -> "(" + SqlLiteral.of(name.apply(table)) + "::text)")
            .collect(Collectors.joining(", "));
    return """
          for unplanned in
            select pg_catalog.to_regclass(s.of_table)::text as of_table
            from (values %s) as s (of_table)
            where not exists (
              select from pg_catalog.pg_trigger g
              where g.tgrelid = pg_catalog.to_regclass(s.of_table)
                and g.tgname operator(pg_catalog.=) %s
                and g.tgenabled operator(pg_catalog.=) 'A')
            limit 1
          loop
            raise object_not_in_prerequisite_state using message = pg_catalog.format(
              'trigger %s of %%s is missing or was disabled after it was made, so its old and new columns may differ: %s',
              unplanned.of_table);
          end loop;
        """
        .formatted(tables, SqlLiteral.of(Synchronisation.TRIGGER), Synchronisation.TRIGGER, remedy);
  }

  private List<String> compatibilityViews() {
    return changes.keepCompatibilityView()
        ? changes.tables().stream().map(LiveTable::quoted).toList()
        : List.of();
  }

  private static String users(
      KeyChanges changes,
      Function<LiveTable, String> name,
      UnaryOperator<String> column,
      List<String> wholly) {
    List<String> columns = new ArrayList<>();
    for (LiveTable table : changes.tables()) {
      for (Column each : changes.of(table)) {
        columns.add(row(name.apply(table), column.apply(each.name())));
      }
    }
    wholly.forEach(view -> columns.add(row(view, "")));
    return USERS.formatted(String.join(", ", columns));
  }

  private static String row(String table, String column) {
    return "(%s::text, %s::text)".formatted(SqlLiteral.of(table), SqlLiteral.of(column));
  }

  private static String array(Iterable<String> texts) {
    List<String> literals = new ArrayList<>();
    texts.forEach(text -> literals.add(SqlLiteral.of(text)));
    return "array[" + String.join(", ", literals) + "]::text[]";
  }

  private String block(
      String unsynchronized, String users, List<String> states, String remedy, String facts) {
    String changed =
        states.isEmpty()
            ? ""
            : """
                for unplanned in
                  select * from (%s) v order by v.name limit 1
                loop
                  raise object_not_in_prerequisite_state using message = pg_catalog.format(
                    'view %%s was %%s after the plan: put it back as it was and resume; it can be changed once the migration has ended',
                    unplanned.name, case when unplanned.is_gone then 'dropped' else 'changed' end);
                end loop;
              """
                .formatted(String.join(" union all ", states));
    String block =
        """
        declare
          unplanned record;
          zone text := pg_catalog.current_setting('TimeZone');
          path text := pg_catalog.current_setting('search_path');
        begin
        %s  for unplanned in
            select u.description, u.used from (%s) u
            where u.is_new or u.name is null or u.name operator(pg_catalog.<>) all (%s)
            order by u.description
            limit 1
          loop
            raise object_not_in_prerequisite_state using message = pg_catalog.format(
              '%%s uses %%s and was created after the plan; this step would drop it: %s',
              unplanned.description, unplanned.used);
          end loop;
          perform %s, %s;
        %s%s  perform pg_catalog.set_config('TimeZone', zone, true), pg_catalog.set_config('search_path', path, true);
        end;
        """
            .formatted(unsynchronized, users, array(known), remedy, ZONE, PATH, changed, facts);
    return "do " + SqlLiteral.body(block);
  }
}
