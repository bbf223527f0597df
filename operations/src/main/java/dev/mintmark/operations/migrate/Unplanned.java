package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Column;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What was made, changed or dropped since the plan, while the migration ran or baked: an index of a
 * column that is about to be dropped, a privilege on a view that is about to be made again. The
 * blocks of this class run behind the locks of a step, and fail if the step would lose it.
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

  /**
   * What a view {@code c} is, apart from the types of its columns. Parameter: its query, or
   * nothing.
   */
  private static final String STATE =
      """
      pg_catalog.md5(pg_catalog.concat_ws(' ', %spg_catalog.pg_get_userbyid(c.relowner), c.reloptions::text,
        pg_catalog.obj_description(c.oid, 'pg_class'),
        (select pg_catalog.string_agg(pg_catalog.format('%%s %%s %%s', g.grantee, g.privilege_type, g.is_grantable), ',' order by g.grantee, g.privilege_type)
        from pg_catalog.aclexplode(c.relacl) g where g.grantee operator(pg_catalog.<>) c.relowner)))""";

  /** The query as it is with integers of any size. */
  private static final String QUERY =
      "pg_catalog.regexp_replace(pg_catalog.pg_get_viewdef(c.oid), '::(bigint|integer|smallint)|[()\\s]', '', 'g'), ";

  private final KeyChanges changes;
  private final Set<String> known;
  private final String views;

  private Unplanned(KeyChanges changes, Set<String> known, String views) {
    this.changes = changes;
    this.known = known;
    this.views = views;
  }

  /**
   * Reads what there is.
   *
   * @param views the views that the switch or the contraction makes again
   */
  static Unplanned since(KeyChanges changes, List<LiveView> views) throws SQLException {
    Set<String> known = new LinkedHashSet<>();
    for (LiveTable table : changes.tables()) {
      known.add(table.name()); // That of the view in its place.
      for (Column column : changes.of(table)) {
        addAll(known, table.name() + "_" + column.name());
      }
    }
    String users = users(changes, LiveTable::quoted, UnaryOperator.identity(), List.of());
    query(changes, "select u.name from (" + users + ") u where u.name is not null")
        .forEach(name -> addAll(known, name));
    // Through a view in the place of a table, the views of the users go on as they are.
    String state = STATE.formatted(changes.keepCompatibilityView() ? "" : QUERY);
    List<String> states = new ArrayList<>();
    for (LiveView view : views) {
      String name = SqlLiteral.of(view.name());
      String now =
          query(
                  changes,
                  "select "
                      + state
                      + " from pg_catalog.pg_class c where c.oid = "
                      + name
                      + "::regclass")
              .get(0);
      states.add("(%s, '%s')".formatted(name, now));
    }
    return new Unplanned(
        changes,
        known,
        states.isEmpty()
            ? ""
            : """
              select v.name, c.oid is null as is_gone
              from (values %s) as v (name, state)
              left join pg_catalog.pg_class c on c.oid = pg_catalog.to_regclass(v.name)
              where c.oid is null or %s operator(pg_catalog.<>) v.state
              limit 1"""
                .formatted(String.join(", ", states), state));
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
        users(changes, LiveTable::quoted, UnaryOperator.identity(), List.of()),
        changes.keepCompatibilityView() ? "" : views,
        "drop it and resume, or roll back; it can be made again once the migration has ended");
  }

  /** Before a switch is undone: the columns that have the names now are dropped later. */
  String atUndo() {
    return block(
        users(changes, changes::quotedAfterSwitch, UnaryOperator.identity(), compatibilityViews()),
        changes.keepCompatibilityView() ? "" : views,
        "drop it and resume; it can be made again once the migration has ended");
  }

  /** Before the old columns are dropped. */
  String atContraction() {
    return block(
        users(changes, changes::quotedAfterSwitch, ShadowName::previous, compatibilityViews()),
        changes.keepCompatibilityView() ? views : "",
        "drop it and resume; it can be made again once the migration has ended");
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

  private String block(String users, String views, String remedy) {
    String changed =
        views.isEmpty()
            ? ""
            : """
                for unplanned in
                  %s
                loop
                  raise object_not_in_prerequisite_state using message = pg_catalog.format(
                    'view %%s was %%s since the migration was planned: put it back as it was and resume; it can be changed once the migration has ended',
                    unplanned.name, case when unplanned.is_gone then 'dropped' else 'changed' end);
                end loop;
              """
                .formatted(views);
    String block =
        """
        declare
          unplanned record;
        begin
          for unplanned in
            select u.description, u.used from (%s) u
            where u.is_new or u.name is null or u.name operator(pg_catalog.<>) all (%s)
            order by u.description
            limit 1
          loop
            raise object_not_in_prerequisite_state using message = pg_catalog.format(
              '%%s uses %%s and was made since the migration was planned, which would lose it: %s',
              unplanned.description, unplanned.used);
          end loop;
        %send;
        """
            .formatted(users, array(known), remedy, changed);
    return "do " + SqlLiteral.body(block);
  }
}
