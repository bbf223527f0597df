package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Column;
import dev.mintmark.operations.internal.schema.Sequence;
import dev.mintmark.operations.internal.schema.Trigger;
import dev.mintmark.operations.migrate.KeyGroup.Member;
import dev.mintmark.operations.migrate.LiveSchema.DependentKind;
import dev.mintmark.operations.migrate.SwitchAction.Stage;
import dev.mintmark.operations.migrate.TableLock.Held;
import dev.mintmark.operations.migrate.TableLock.Mode;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The step in which new columns take the names of the old ones, and the one in which the old ones
 * go. All tables are locked first, in one statement; what follows only changes catalogs.
 */
final class SwitchOver {
  private static final Set<DependentKind> STATISTICS =
      EnumSet.of(DependentKind.STATISTICS, DependentKind.EXPRESSIONS);

  private final KeyChanges changes;
  private final SwitchScript script;
  private final List<Step> afterSwitch;
  private final PlanDraft draft;

  /**
   * @param script what indexes and constraints need done at the switch
   * @param afterSwitch the steps that follow it
   */
  SwitchOver(KeyChanges changes, SwitchScript script, List<Step> afterSwitch, PlanDraft draft) {
    this.changes = changes;
    this.script = script;
    this.afterSwitch = afterSwitch;
    this.draft = draft;
  }

  /** Adds the steps. */
  void plan() throws SQLException {
    for (LiveTable table : changes.tables()) {
      script.lock(table);
      for (Column column : changes.of(table)) {
        exchange(table, column);
        defaults(table, column);
      }
      triggers(table);
      if (changes.keepCompatibilityView()) {
        moveAside(table);
      }
      if (changes.outgrow()) {
        limits(table);
      }
    }
    List<LiveView> views = views();
    Unplanned unplanned = Unplanned.since(changes, views, draft);
    switchOver(changes.keepCompatibilityView() ? List.of() : views, unplanned);
    afterSwitch.forEach(draft::add);
    contract(changes.keepCompatibilityView() ? views : List.of(), unplanned);
  }

  private void switchOver(List<LiveView> views, Unplanned unplanned) throws SQLException {
    Set<LiveTable> tables = script.tables();
    draft.add(
        locked(
                Step.transaction(
                    Phase.SWITCH,
                    "switch " + changes.shown() + " and what refers to it to " + changes.type(),
                    changes.keys().get(0).column().table().shown()),
                tables,
                script.sequences())
            .ddl(
                new Ddl(
                    locks(lockEach(views), tables, LiveTable::quoted),
                    locks(
                        changes.keepCompatibilityView() ? lockStandIns() : lockEach(views),
                        tables,
                        changes::quotedAfterSwitch)))
            .ddl(new Ddl(List.of(unplanned.atSwitch()), List.of(unplanned.atUndo())))
            .ddl(bothWays(drops(views)))
            .ddl(new Ddl(script.apply(), script.undo()))
            .ddl(bothWays(creates(views)))
            .ddl(
                new Ddl(
                    comments(tables, changes::schemaAfterSwitch),
                    comments(tables, LiveTable::schema)))
            .build());
  }

  /** Comments go with what is dropped; these are for what then has the names. */
  private List<String> comments(Set<LiveTable> tables, Function<LiveTable, String> schema)
      throws SQLException {
    List<String> statements = new ArrayList<>();
    changes
        .schema()
        .comments(tables)
        .forEach(
            (table, comments) ->
                comments.stream()
                    .filter(comment -> comment.kind() != Comment.Kind.STATISTICS)
                    .forEach(comment -> statements.add(comment.on(table, schema.apply(table)))));
    return statements;
  }

  private static Ddl bothWays(List<String> statements) {
    return new Ddl(statements, statements);
  }

  /** Locks views and then tables, as a query does that reads a table through a view. */
  private static List<String> locks(
      List<String> views, Set<LiveTable> tables, Function<LiveTable, String> name) {
    List<String> statements = new ArrayList<>(views);
    statements.add(
        "lock table "
            + tables.stream().map(name).collect(Collectors.joining(", "))
            + " in access exclusive mode");
    return statements;
  }

  /** Locks the views that are dropped, those over others first. */
  private static List<String> lockEach(List<LiveView> views) {
    List<String> locks = new ArrayList<>(views.stream().map(LiveView::lock).toList());
    Collections.reverse(locks);
    return locks;
  }

  /** Locks the views that take the places of the tables. */
  private List<String> lockStandIns() {
    return changes.tables().stream()
        .map(table -> LiveView.lock(table.quoted(), quoted(table.schema())))
        .toList();
  }

  private void exchange(LiveTable table, Column column) {
    String name = column.name();
    script.add(
        Stage.RENAME_COLUMNS, Ddl.renameColumn(table.quoted(), name, ShadowName.previous(name)));
    script.add(Stage.RENAME_COLUMNS, Ddl.renameColumn(table.quoted(), ShadowName.next(name), name));
  }

  private void defaults(LiveTable table, Column column) throws SQLException {
    if (column.isIdentity()) {
      identity(table, column);
      return;
    }
    if (column.expression().isEmpty()) {
      return;
    }
    String was = column.expression().get();
    Optional<String> mint =
        changes.keys().stream()
            .filter(key -> key.column().equals(new Member(table, column)))
            .flatMap(key -> key.mint().stream())
            .findFirst();
    Optional<String> becomes =
        changes.keepCompatibilityView()
            ? mint.or(() -> Optional.of(changes.conversionOf(table, column).toNew("(" + was + ")")))
            : Optional.of(was);
    script.add(
        Stage.MOVE_DEFAULTS,
        Ddl.setDefault(table.quoted(), ShadowName.previous(column.name()), was).inverse());
    becomes.ifPresent(
        value ->
            script.add(Stage.MOVE_DEFAULTS, Ddl.setDefault(table.quoted(), column.name(), value)));
    table.sequence(column).ifPresent(sequence -> follow(table, column, sequence));
  }

  /** The sequence of a column that becomes wider goes with its new one, and as far as that. */
  private void follow(LiveTable table, Column column, LiveTable.ColumnSequence sequence) {
    if (changes.keepCompatibilityView()) {
      return;
    }
    if (sequence.owned()) {
      script.add(
          Stage.MOVE_DEFAULTS,
          Ddl.ownSequence(
              sequence.shown(), table.quoted(), column.name(), ShadowName.previous(column.name())));
      script.lock(sequence.sequence(), Mode.SHARE_ROW_EXCLUSIVE);
    }
    String type = sequence.sequence().type();
    if (!type.equals(changes.type())) {
      script.add(
          Stage.MOVE_DEFAULTS,
          new Ddl(
              List.of("alter sequence " + sequence.shown() + " as " + changes.type()),
              List.of(narrow(sequence.sequence()))));
      draft.limit(limit(sequence.sequence(), column));
      script.lock(sequence.sequence(), Mode.SHARE_ROW_EXCLUSIVE);
    }
  }

  /**
   * Gives a sequence its old type again. A number that this cannot hold becomes the last one of the
   * type, so that the rollback ends.
   */
  private String narrow(Sequence sequence) {
    String alter = "alter sequence " + sequence.relation().shown() + " as ";
    return goingOn(
        sequence, alter + changes.type(), List.of(), List.of(alter + sequence.type() + ";"));
  }

  /**
   * Returns a block in which no number of a sequence is drawn, and after which it goes on where it
   * was.
   *
   * @param lock locks the sequence
   * @param before the statements before it is set to the number it had, or to the last one that it
   *     could have
   * @param after those after that
   */
  private static String goingOn(
      Sequence sequence, String lock, List<String> before, List<String> after) {
    String name = sequence.relation().shown();
    List<String> statements = new ArrayList<>();
    statements.add(lock + "; -- Locks it: no number is drawn from here on.");
    statements.add("select s.last_value, s.is_called into last, called from " + name + " s;");
    statements.addAll(before);
    statements.add(
        "perform pg_catalog.setval(%s::regclass, greatest(least(last, %2$s), %3$s), called or last not between %3$s and %2$s);"
            .formatted(SqlLiteral.of(name), sequence.max(), sequence.min()));
    statements.addAll(after);
    String block =
        """
        declare
          last bigint;
          called boolean;
        begin
          %s
        end
        """
            .formatted(String.join("\n  ", statements));
    return "do " + SqlLiteral.body(block);
  }

  /** Its column could hold no number that comes after that. */
  private static Limit limit(Sequence sequence, Column column) {
    String name = sequence.relation().shown();
    return new Limit(name, "select s.last_value from " + name + " s", Widening.max(column));
  }

  /**
   * An identity's sequence cannot be handed over: another of the same name goes on where it was.
   */
  private void identity(LiveTable table, Column column) throws SQLException {
    Sequence sequence = table.sequence(column).orElseThrow().sequence();
    String previous = ShadowName.previous(column.name());
    List<String> apply = new ArrayList<>();
    List<String> undo = new ArrayList<>();
    // A limit of its own stays; that of the old type goes with it.
    boolean ascends = sequence.increment() > 0;
    boolean endsWithType =
        ascends ? sequence.max() == Widening.max(column) : sequence.min() == ~Widening.max(column);
    String min = " minvalue " + sequence.min();
    String max = " maxvalue " + sequence.max();
    String limits = endsWithType ? (ascends ? min : max) : min + max;
    apply.add(handOver(table, previous, column.name(), column, sequence, limits));
    undo.add(handOver(table, column.name(), previous, column, sequence, min + max));
    List<String> privileges = privileges(sequence);
    apply.addAll(privileges);
    undo.addAll(privileges);
    script.add(Stage.MOVE_DEFAULTS, new Ddl(apply, undo));
    script.lock(sequence, Mode.ACCESS_EXCLUSIVE);
    if (changes.outgrow()) {
      draft.limit(limit(sequence, column));
    }
  }

  /** Gives the new sequence the privileges of the old one, in the place of default privileges. */
  private List<String> privileges(Sequence sequence) throws SQLException {
    String name = sequence.relation().shown();
    List<String> statements = new ArrayList<>(List.of(CompatibilityView.revokeDefaults(name)));
    for (LiveTable.Grant grant : changes.schema().grants(sequence.relation().oid())) {
      statements.add(grant.on("sequence " + name, Optional.empty()));
    }
    return statements;
  }

  private static String handOver(
      LiveTable table, String from, String to, Column column, Sequence sequence, String limits) {
    String name = sequence.relation().shown();
    String alter = "alter table " + table.quoted() + " alter column ";
    return goingOn(
        sequence,
        "alter sequence %s increment %s".formatted(name, sequence.increment()),
        List.of(
            alter + quoted(from) + " drop identity;",
            alter
                + "%s add generated %s as identity (sequence name %s %s%s);"
                    .formatted(
                        quoted(to),
                        column.identity() == Column.Identity.ALWAYS ? "always" : "by default",
                        name,
                        options(sequence),
                        limits)),
        List.of());
  }

  /** The options of a sequence, without its type and its limits, as statements write them. */
  private static String options(Sequence sequence) {
    return "increment %s start %s cache %s%s"
        .formatted(
            sequence.increment(),
            sequence.start(),
            sequence.cache(),
            sequence.cycles() ? " cycle" : "");
  }

  private void triggers(LiveTable table) throws SQLException {
    // Those of some columns stand with the old ones, and are made again by the names these have
    // then.
    for (Trigger trigger : changes.schema().triggers(table)) {
      if (!Preconditions.isBound(trigger, changes.names(table))) {
        continue;
      }
      List<String> create = new ArrayList<>(List.of(trigger.definition()));
      if (trigger.mode() != Trigger.Mode.ORIGIN) {
        create.add(
            "alter table %s %s trigger %s"
                .formatted(table.quoted(), trigger.mode().action(), quoted(trigger.name())));
      }
      Ddl created = Ddl.createTrigger(table.quoted(), trigger.name(), create);
      script.add(Stage.DROP_DEPENDENTS, created.inverse());
      script.add(Stage.SYNCHRONIZE, created);
    }
  }

  private void moveAside(LiveTable table) throws SQLException {
    String aside = changes.schemaAfterSwitch(table);
    draft.addOnce(
        Step.transaction(
                Phase.EXPAND, "create schema " + aside + " for tables of the new shape", aside)
            .ddl(
                new Ddl(
                    List.of(
                        "create schema if not exists " + quoted(aside),
                        CompatibilityView.shareSchema(table.schema(), aside)),
                    List.of(CompatibilityView.dropIfEmpty(aside))))
            .build());
    List<String> apply = new ArrayList<>();
    apply.add("alter table %s set schema %s".formatted(table.quoted(), quoted(aside)));
    apply.addAll(CompatibilityView.view(table, aside, changes.names(table)));
    script.add(Stage.CREATE_VIEWS, new Ddl(apply, putBack(table)));
  }

  private List<String> putBack(LiveTable table) {
    return List.of(
        "drop view " + table.quoted(),
        "alter table %s set schema %s"
            .formatted(changes.quotedAfterSwitch(table), quoted(table.schema())));
  }

  private void limits(LiveTable table) {
    for (Column column : changes.of(table)) {
      draft.limit(
          new Limit(
              table.shown() + "." + column.name(),
              Limit.query(quoted(column.name()), table.quoted()),
              Widening.max(column)));
    }
  }

  private List<LiveView> views() throws SQLException {
    Set<Long> oids = new LinkedHashSet<>();
    for (LiveTable table : changes.tables()) {
      oids.addAll(changes.viewsOf(table));
    }
    return changes.schema().views(oids);
  }

  private static List<String> drops(List<LiveView> views) {
    List<String> drops = new ArrayList<>(views.stream().map(LiveView::drop).toList());
    Collections.reverse(drops);
    return drops;
  }

  private static List<String> creates(List<LiveView> views) {
    return views.stream().flatMap(view -> view.create().stream()).toList();
  }

  private void contract(List<LiveView> views, Unplanned unplanned) throws SQLException {
    for (LiveTable table : changes.tables()) {
      for (Column column : changes.of(table)) {
        if (changes.conversionOf(table, column) instanceof TextToUuid texts
            && texts.quarantines()) {
          draft.add(quarantine(table, column, texts));
        }
      }
    }
    List<String> locked = new ArrayList<>(lockEach(views));
    if (changes.keepCompatibilityView()) {
      locked.addAll(lockStandIns());
    }
    List<String> apply =
        new ArrayList<>(locks(locked, changes.tables(), changes::quotedAfterSwitch));
    apply.add(unplanned.atContraction());
    apply.addAll(drops(views));
    for (LiveTable table : changes.tables()) {
      if (changes.keepCompatibilityView()) {
        apply.addAll(putBack(table));
      }
      apply.addAll(Synchronisation.drop(table));
      apply.addAll(dropOldColumns(table).apply());
    }
    apply.addAll(creates(views));
    apply.addAll(statistics());
    draft.add(
        locked(
                Step.transaction(
                    Phase.CONTRACT,
                    "drop the old columns of " + changes.shown() + " and of what refers to it",
                    changes.keys().get(0).column().table().shown()),
                changes.tables(),
                Map.of())
            .ddl(new Ddl(apply, List.of()))
            .build());
    if (changes.keepCompatibilityView()) {
      for (LiveTable table : changes.tables()) {
        draft.addLast(dropSchemaAside(table));
      }
    }
  }

  private Ddl dropOldColumns(LiveTable table) {
    return Ddl.dropColumns(
        table.quoted(),
        changes.of(table).stream().map(column -> ShadowName.previous(column.name())).toList());
  }

  /** Extended statistics go with a column; these are for the one that now has its name. */
  private Set<String> statistics() throws SQLException {
    Set<String> statements = new LinkedHashSet<>();
    Set<LiveTable> described = new LinkedHashSet<>();
    for (LiveTable table : changes.tables()) {
      for (Column column : changes.of(table)) {
        for (LiveSchema.Dependent dependent : changes.schema().dependents(table, column)) {
          if (STATISTICS.contains(dependent.kind())) {
            statements.add(changes.schema().statistics(dependent.oid()));
            described.add(table);
          }
        }
      }
    }
    changes
        .schema()
        .comments(described)
        .forEach(
            (table, comments) ->
                comments.stream()
                    .filter(comment -> comment.kind() == Comment.Kind.STATISTICS)
                    .forEach(comment -> statements.add(comment.on(table, table.schema()))));
    return statements;
  }

  private Step dropSchemaAside(LiveTable table) {
    String aside = changes.schemaAfterSwitch(table);
    return Step.transaction(
            Phase.CONTRACT, "drop schema " + aside + " if nothing else is in it", aside)
        .ddl(Ddl.oneWay(CompatibilityView.dropIfEmpty(aside)))
        .build();
  }

  private Step quarantine(LiveTable table, Column column, TextToUuid texts) {
    String name = "t." + quoted(column.name());
    String previous = "t." + quoted(ShadowName.previous(column.name()));
    String insert =
        """
        insert into mintmark.key_quarantine (migration_id, relation, id, value)
        select distinct m.id, %s, %s, %s::text
        from %s t
        cross join (select max(id) as id from mintmark.key_migration) m
        where %s
        on conflict do nothing"""
            .formatted(
                SqlLiteral.of(table.shown() + "." + column.name()),
                name,
                previous,
                changes.quotedAfterSwitch(table),
                texts.isQuarantined(previous, name));
    return Step.transaction(
            Phase.CONTRACT,
            "keep the texts of " + table.shown() + "." + column.name() + " that spell nothing",
            table.shown())
        .ddl(Ddl.oneWay(insert))
        .estimate(new Estimate(table.rows(), 0, 0, table.rows() / 300_000))
        .build();
  }

  private static Step.Builder locked(
      Step.Builder step, Set<LiveTable> tables, Map<String, Mode> sequences) {
    tables.forEach(table -> step.locks(table, Mode.ACCESS_EXCLUSIVE, Held.BRIEFLY));
    sequences.forEach((sequence, mode) -> step.locks(sequence, mode, Held.BRIEFLY));
    return step;
  }

  private static String quoted(String name) {
    return SqlName.quoted(name);
  }
}
