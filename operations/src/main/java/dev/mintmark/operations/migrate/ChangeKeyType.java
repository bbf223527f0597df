package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Check;
import dev.mintmark.operations.internal.schema.Column;
import dev.mintmark.operations.internal.schema.ForeignKey;
import dev.mintmark.operations.migrate.SwitchAction.Stage;
import dev.mintmark.operations.migrate.TableLock.Held;
import dev.mintmark.operations.migrate.TableLock.Mode;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The steps by which the columns of a key get another type while their tables are used: expand and
 * contract, by columns that stand beside the old ones and are kept the same by a trigger, and take
 * their names in one short transaction.
 *
 * <pre>
 *   orders.id       text ───────────────────────────── id ───┐ switch ┌── id__old ──── dropped
 *   orders.id__new        added ── filled ── indexed ── ... ──┘        └── id (uuid) ─────────
 *                         expand   backfill  index   validate           bake     contract
 * </pre>
 *
 * <p>Where old code cannot read the new type, a view of the old shape takes the place of the table
 * at the switch, and the table waits beside its schema, in {@code <schema>__new}, until the
 * contraction brings it back: so old code needs nothing, and new code that schema on its path.
 */
final class ChangeKeyType {
  /** The version from which on not-null constraints have names. */
  private static final int SERVER_WITH_NAMED_NOT_NULL = 18;

  private final KeyChanges changes;
  private final Synchronisation synchronisation;
  private final SwitchScript atSwitch = new SwitchScript();
  private final List<Step> afterSwitch = new ArrayList<>();
  private final PlanDraft draft;

  ChangeKeyType(KeyChanges changes, PlanDraft draft) {
    this.changes = changes;
    this.synchronisation = new Synchronisation(changes);
    this.draft = draft;
  }

  /** Adds the steps. */
  void plan() throws SQLException {
    for (LiveTable table : changes.tables()) {
      expand(table);
      draft.add(synchronisation.step(table));
      atSwitch.add(Stage.SYNCHRONIZE, synchronisation.atSwitch(table));
      backfill(table);
      new IndexChange(changes, table, atSwitch, draft).plan();
      draft.add(PlanDraft.analyze(table, changes.next(table).values()));
      notNull(table);
      checks(table);
    }
    foreignKeys();
    new SwitchOver(changes, atSwitch, afterSwitch, draft).plan();
  }

  private void expand(LiveTable table) {
    Ddl added =
        Ddl.addColumns(
            table.quoted(),
            changes.of(table).stream().map(column -> ShadowName.next(column.name())).toList(),
            changes.type());
    draft.add(
        PlanDraft.brief(
            Phase.EXPAND,
            "add " + changes.shown(table, ShadowName::next) + " " + changes.type(),
            table,
            Mode.ACCESS_EXCLUSIVE,
            changes.of(table).stream()
                .map(column -> described(table, column))
                .reduce(added, Ddl::and)));
  }

  /** Gives a new column the settings, the comment and the privileges of the old one. */
  private static Ddl described(LiveTable table, Column column) {
    String next = ShadowName.next(column.name());
    List<Ddl> parts = new ArrayList<>();
    column.settings().forEach(setting -> parts.add(Ddl.setting(table.quoted(), next, setting)));
    column
        .comment()
        .ifPresent(
            text ->
                parts.add(
                    Ddl.oneWay(
                        Ddl.comment("column " + table.quoted() + "." + quoted(next), text))));
    table.grants().stream()
        .filter(grant -> grant.column().filter(column.name()::equals).isPresent())
        .forEach(grant -> parts.add(Ddl.oneWay(grant.on(table.quoted(), Optional.of(next)))));
    return Ddl.all(parts.stream());
  }

  private void backfill(LiveTable table) {
    List<Column> columns = changes.of(table);
    Backfill backfill = new Backfill(table);
    for (Column column : columns) {
      String old = "t." + quoted(column.name());
      String next = ShadowName.next(column.name());
      backfill.fill(
          next,
          changes.conversionOf(table, column).toNew(old),
          "t." + quoted(next) + " is null and " + old + " is not null");
    }
    String shown = changes.shown(table, ShadowName::next);
    draft.add(backfill.pass("fill " + shown, changes.bytes() * columns.size()));
    draft.add(backfill.rest("fill what others held locked of " + shown));
    draft.add(
        backfill.verify(
            "compare " + shown + " with what it was made of",
            columns.stream()
                .map(
                    column ->
                        "t.%s is distinct from %s"
                            .formatted(
                                quoted(ShadowName.next(column.name())),
                                changes
                                    .conversionOf(table, column)
                                    .toNew("t." + quoted(column.name()))))
                .collect(Collectors.joining(" or "))));
  }

  private void notNull(LiveTable table) throws SQLException {
    boolean named = changes.schema().serverVersion() >= SERVER_WITH_NAMED_NOT_NULL;
    for (Column column : changes.of(table)) {
      if (!column.notNull()) {
        continue;
      }
      String next = ShadowName.next(column.name());
      String title = "require a value in " + table.shown() + "." + next;
      if (named) {
        namedNotNull(table, column.notNullName().orElseThrow(), next, title);
      } else {
        String constraint = ShadowName.next(table.name() + "_" + column.name());
        draft.requireValue(table, next, constraint, title);
      }
      if (changes.outgrow()) {
        allowNull(table, column, named);
      }
    }
  }

  /** From 18 on a not-null constraint has a name, which changes hands at the switch. */
  private void namedNotNull(LiveTable table, String name, String next, String title) {
    String constraint = ShadowName.next(name);
    add(title + ": for new rows", table, Ddl.notValidNotNull(table.quoted(), constraint, next));
    draft.add(PlanDraft.validate(table, constraint, title + ": of all rows"));
    exchange(table, name, constraint);
  }

  /** After the switch the old column is nullable: it cannot represent every new value. */
  private void allowNull(LiveTable table, Column column, boolean named) {
    String previous = ShadowName.previous(column.name());
    String title = "let " + table.shown() + "." + previous + " be empty";
    String constraint =
        ShadowName.previous(
            named ? column.notNullName().orElseThrow() : table.name() + "_" + column.name());
    Ddl required =
        named
            ? Ddl.notValidNotNull(table.quoted(), constraint, previous)
            : Ddl.notValidCheck(table.quoted(), constraint, previous);
    // The steps are undone last first: the constraint is added, then validated, and a check is
    // then exchanged for the not null of the column. If the rollback ends in between, the last step
    // is run again, and drops the constraint: the first one, which is still done, is not.
    Ddl allowed =
        named
            ? Ddl.oneWay(required.undo().get(0))
            : Ddl.setNotNull(table.quoted(), previous)
                .inverse()
                .and(Ddl.wayBack(required.undo().get(0)));
    afterSwitch.add(PlanDraft.brief(Phase.SWITCH, title, table, Mode.ACCESS_EXCLUSIVE, allowed));
    afterSwitch.add(
        onRollback(
            Phase.SWITCH,
            table,
            "validate that it is not null",
            Ddl.validate(table.quoted(), constraint).inverse()));
    afterSwitch.add(
        PlanDraft.brief(
            Phase.SWITCH,
            "on rollback: require a value in it again",
            table,
            Mode.ACCESS_EXCLUSIVE,
            new Ddl(
                List.of(Ddl.dropConstraintIfExists(table.quoted(), constraint)),
                required.apply())));
  }

  private static Step onRollback(Phase phase, LiveTable table, String title, Ddl ddl) {
    return Step.transaction(phase, "on rollback: " + title, table.shown()).ddl(ddl).build();
  }

  private void checks(LiveTable table) {
    Map<String, String> next = changes.next(table);
    for (Check check : table.checks()) {
      if (!Collections.disjoint(check.columns(), next.keySet())
          && Preconditions.isCarried(check, next.keySet(), changes)) {
        check(table, check, Definition.of(check).renamed(next).toString());
      }
    }
  }

  private void check(LiveTable table, Check check, String definition) {
    String twin = ShadowName.next(check.name());
    String title = "check " + check.name() + " of the new columns of " + table.shown();
    add(
        title + ": for new rows",
        table,
        Ddl.addConstraint(table.quoted(), twin, withNotValid(definition)));
    if (check.validated()) {
      draft.add(PlanDraft.validate(table, twin, title + ": of all rows"));
    }
    exchange(table, check.name(), twin);
  }

  /** Renames the constraint of the new columns to the name of the old one at the switch. */
  private void exchange(LiveTable table, String name, String twin) {
    atSwitch.add(
        Stage.RENAME_OBJECTS,
        Ddl.renameConstraint(table.quoted(), name, ShadowName.previous(name)));
    atSwitch.add(Stage.RENAME_OBJECTS, Ddl.renameConstraint(table.quoted(), twin, name));
  }

  private void foreignKeys() throws SQLException {
    for (ForeignKey foreignKey : changes.foreignKeys()) {
      foreignKey(
          foreignKey,
          changes.schema().table(foreignKey.referencing().oid()),
          changes.schema().table(foreignKey.referenced().oid()));
    }
  }

  private void foreignKey(ForeignKey foreignKey, LiveTable table, LiveTable referenced) {
    String name = foreignKey.name();
    String twin = ShadowName.next(name);
    String title = "foreign key " + name + " of " + table.shown() + " between the new columns";
    draft.add(twinStep(foreignKey, table, referenced, title));
    if (foreignKey.validated()) {
      draft.add(PlanDraft.validate(table, twin, title + ": of all rows"));
      draft.add(
          onRollback(
              Phase.VALIDATE,
              table,
              "validate the old " + name + " again",
              Ddl.validate(table.quoted(), name).inverse()));
    }
    atSwitch.add(
        Stage.DROP_DEPENDENTS,
        Ddl.addConstraint(table.quoted(), name, withNotValid(foreignKey.definition())).inverse());
    // It depends on the new key of the other table, which is dropped on rollback.
    atSwitch.add(
        Stage.ADD_FOREIGN_KEYS,
        new Ddl(
            Ddl.renameConstraint(table.quoted(), twin, name).apply(),
            Ddl.addConstraint(table.quoted(), name, "").undo()));
    atSwitch.lock(table);
    atSwitch.lock(referenced);
  }

  private Step twinStep(
      ForeignKey foreignKey, LiveTable table, LiveTable referenced, String title) {
    String twin = ShadowName.next(foreignKey.name());
    String definition =
        Definition.of(foreignKey).renamed(changes.next(table), changes.next(referenced)).toString();
    Step.Builder step =
        Step.transaction(Phase.VALIDATE, title + ": for new rows", table.shown())
            .ddl(
                new Ddl(
                    Ddl.addConstraint(table.quoted(), twin, withNotValid(definition)).apply(),
                    List.of(Ddl.dropConstraintIfExists(table.quoted(), twin))))
            .locks(table, Mode.SHARE_ROW_EXCLUSIVE, Held.BRIEFLY);
    if (!referenced.equals(table)) {
      step.locks(referenced, Mode.SHARE_ROW_EXCLUSIVE, Held.BRIEFLY);
    }
    return step.build();
  }

  private static String withNotValid(String definition) {
    return definition.endsWith("NOT VALID") ? definition : definition + " not valid";
  }

  private void add(String title, LiveTable table, Ddl ddl) {
    draft.add(PlanDraft.brief(Phase.VALIDATE, title, table, Mode.ACCESS_EXCLUSIVE, ddl));
  }

  private static String quoted(String name) {
    return SqlName.quoted(name);
  }
}
