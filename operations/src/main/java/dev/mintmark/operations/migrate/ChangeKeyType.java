package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Check;
import dev.mintmark.operations.internal.schema.Column;
import dev.mintmark.operations.internal.schema.ForeignKey;
import dev.mintmark.operations.internal.schema.Index;
import dev.mintmark.operations.migrate.Step.Work;
import dev.mintmark.operations.migrate.SwitchScript.Change;
import dev.mintmark.operations.migrate.TableLock.Held;
import dev.mintmark.operations.migrate.TableLock.Mode;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
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
  private final KeyChanges changes;
  private final Synchronisation synchronisation;
  private final SwitchScript atSwitch = new SwitchScript();
  private final List<Step> behindSwitch = new ArrayList<>();
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
      atSwitch.functions.add(synchronisation.atSwitch(table));
      backfill(table);
      indexes(table);
      draft.add(PlanDraft.analyze(table, changes.next(table).values()));
      notNull(table);
      checks(table);
    }
    foreignKeys();
    new SwitchOver(changes, atSwitch, behindSwitch, draft).plan();
  }

  private void expand(LiveTable table) {
    String alter = "alter table " + table.quoted();
    List<String> apply = new ArrayList<>();
    apply.add(alter + each(table, next -> " add column " + next + " " + changes.type()));
    for (Column column : changes.of(table)) {
      String next = ShadowName.next(column.name());
      column
          .settings()
          .forEach(setting -> apply.add(alter + " alter column " + quoted(next) + " " + setting));
      column
          .comment()
          .ifPresent(
              text ->
                  apply.add(
                      "comment on column %s.%s is %s"
                          .formatted(table.quoted(), quoted(next), text)));
      table.grants().stream()
          .filter(grant -> grant.column().filter(column.name()::equals).isPresent())
          .forEach(grant -> apply.add(grant.on(table.quoted(), Optional.of(next))));
    }
    draft.add(
        PlanDraft.transaction(
            Phase.EXPAND,
            "add " + changes.shown(table, ShadowName::next) + " " + changes.type(),
            table,
            Mode.ACCESS_EXCLUSIVE,
            apply,
            List.of(alter + each(table, next -> " drop column " + next))));
  }

  /** An action on each of the new columns. */
  private String each(LiveTable table, UnaryOperator<String> action) {
    return changes.of(table).stream()
        .map(column -> action.apply(quoted(ShadowName.next(column.name()))))
        .collect(Collectors.joining(","));
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

  private void indexes(LiveTable table) {
    Map<String, String> next = changes.next(table);
    for (Index index : table.indexes()) {
      if (Collections.disjoint(index.uses(), next.keySet())) {
        continue;
      }
      String twin = ShadowName.next(index.name());
      String previous = ShadowName.previous(index.name());
      addIndex(table, twin, index, Definition.of(index).indexed(next));
      if (index.constraint().isPresent()) {
        // Its own goes with the constraint, and rows are still found and kept apart by the old key.
        addIndex(table, previous, index, Definition.of(index).indexed(Map.of()));
      }
      if (index.clustered()) {
        // As with comments: undone when the old index has its name again.
        String cluster =
            "alter table %s cluster on %s".formatted(table.quoted(), quoted(index.name()));
        atSwitch.oldKeys.add(Change.back(cluster));
        atSwitch.comments.add(Change.to(cluster));
      }
      Index.Constraint constraint = index.constraint().orElse(null);
      if (constraint == null) {
        atSwitch.renames.add(
            new Change(
                "alter index %s rename to %s"
                    .formatted(KeyChanges.beside(table, index.name()), quoted(previous)),
                "alter index %s rename to %s"
                    .formatted(KeyChanges.beside(table, previous), quoted(index.name()))));
        atSwitch.renames.add(
            new Change(
                "alter index %s rename to %s"
                    .formatted(KeyChanges.beside(table, twin), quoted(index.name())),
                "alter index %s rename to %s"
                    .formatted(KeyChanges.beside(table, index.name()), quoted(twin))));
      } else {
        String type =
            constraint.kind() == Index.ConstraintKind.PRIMARY_KEY ? "primary key" : "unique";
        String timing = timing(constraint);
        String drop =
            "alter table %s drop constraint %s"
                .formatted(table.quoted(), quoted(constraint.name()));
        String add = "alter table %s add constraint %s %s using index %s%s";
        // Undone in the opposite order: when the comment's turn comes, the constraint is there
        // again.
        constraint
            .comment()
            .ifPresent(
                text ->
                    atSwitch.oldKeys.add(
                        Change.back(
                            "comment on constraint %s on %s is %s"
                                .formatted(quoted(constraint.name()), table.quoted(), text))));
        atSwitch.oldKeys.add(
            new Change(
                drop,
                add.formatted(
                    table.quoted(), quoted(constraint.name()), type, quoted(previous), timing)));
        atSwitch.newKeys.add(
            new Change(
                add.formatted(
                    table.quoted(), quoted(constraint.name()), type, quoted(twin), timing),
                drop));
        constraint
            .comment()
            .ifPresent(
                text ->
                    atSwitch.newKeys.add(
                        Change.to(
                            "comment on constraint %s on %s is %s"
                                .formatted(quoted(constraint.name()), table.quoted(), text))));
      }
      index
          .comment()
          .ifPresent(
              text ->
                  atSwitch.comments.add(
                      Change.to(
                          "comment on index %s is %s"
                              .formatted(KeyChanges.beside(table, index.name()), text))));
    }
  }

  private void addIndex(LiveTable table, String name, Index like, Definition definition) {
    long bytes = table.rows() * (like.columns().size() * 16L + 16) * 11 / 10;
    draft.add(
        new Step(
            Phase.INDEX,
            Work.INDEX,
            "create %sindex %s".formatted(like.unique() ? "unique " : "", name),
            KeyChanges.beside(table, name),
            List.of(
                "create %sindex concurrently %s on %s %s"
                    .formatted(
                        like.unique() ? "unique " : "", quoted(name), table.quoted(), definition)),
            List.of(),
            List.of(new TableLock(table.shown(), Mode.SHARE_UPDATE_EXCLUSIVE, Held.FOR_A_SCAN)),
            new Estimate(table.rows(), bytes, bytes, table.rows() / 400_000)));
  }

  private void notNull(LiveTable table) throws SQLException {
    boolean named = changes.schema().serverVersion() >= 18;
    for (Column column : changes.of(table)) {
      if (!column.notNull()) {
        continue;
      }
      String next = ShadowName.next(column.name());
      String constraint =
          ShadowName.next(column.notNullName().orElse(table.name() + "_" + column.name()));
      String title = "require a value in " + table.shown() + "." + next;
      String what =
          named
              ? "not null " + quoted(next) + " not valid"
              : "check (" + quoted(next) + " is not null) not valid";
      String alter = "alter table " + table.quoted();
      add(
          title + ": for new rows",
          table,
          Mode.ACCESS_EXCLUSIVE,
          alter + " add constraint " + quoted(constraint) + " " + what,
          alter + " drop constraint " + quoted(constraint));
      validate(table, constraint, title + ": of all rows");
      if (named) {
        String name = column.notNullName().orElseThrow();
        atSwitch.renames.add(rename(table, name, ShadowName.previous(name)));
        atSwitch.renames.add(rename(table, constraint, name));
      } else {
        draft.add(
            PlanDraft.transaction(
                Phase.VALIDATE,
                title,
                table,
                Mode.ACCESS_EXCLUSIVE,
                List.of(
                    alter + " alter column " + quoted(next) + " set not null",
                    alter + " drop constraint " + quoted(constraint)),
                List.of(
                    alter + " alter column " + quoted(next) + " drop not null",
                    alter + " add constraint " + quoted(constraint) + " " + what)));
      }
      if (changes.outgrow()) {
        letGo(table, column, named);
      }
    }
  }

  /** Behind the switch the old column may be empty, where it cannot hold the new value. */
  private void letGo(LiveTable table, Column column, boolean named) {
    String previous = ShadowName.previous(column.name());
    String alter = "alter table " + table.quoted();
    String title = "let " + table.shown() + "." + previous + " be empty";
    String constraint =
        named
            ? ShadowName.previous(column.notNullName().orElseThrow())
            : ShadowName.previous(table.name() + "_" + column.name());
    String drop = alter + " drop constraint " + quoted(constraint);
    String add =
        alter
            + " add constraint "
            + quoted(constraint)
            + (named
                ? " not null " + quoted(previous) + " not valid"
                : " check (" + quoted(previous) + " is not null) not valid");
    behindSwitch.add(
        PlanDraft.transaction(
            Phase.SWITCH,
            title,
            table,
            Mode.ACCESS_EXCLUSIVE,
            named
                ? List.of(drop)
                : List.of(alter + " alter column " + quoted(previous) + " drop not null"),
            named
                ? List.of()
                : List.of(alter + " alter column " + quoted(previous) + " set not null", drop)));
    behindSwitch.add(
        onTheWayBack(
            Phase.SWITCH,
            table,
            "read again that it is not",
            alter + " validate constraint " + quoted(constraint)));
    behindSwitch.add(onTheWayBack(Phase.SWITCH, table, "require a value in it again", add));
  }

  private static Step onTheWayBack(Phase phase, LiveTable table, String title, String undo) {
    return new Step(
        phase,
        Work.TRANSACTION,
        "on the way back: " + title,
        table.shown(),
        List.of(),
        List.of(undo),
        List.of(),
        Estimate.NOTHING);
  }

  private void checks(LiveTable table) {
    Map<String, String> next = changes.next(table);
    for (Check check : table.checks()) {
      if (Collections.disjoint(check.columns(), next.keySet())
          || !Preconditions.isCarried(check, next.keySet(), changes)) {
        continue;
      }
      String twin = ShadowName.next(check.name());
      String definition = Definition.of(check).renamed(next).toString();
      String notValid = definition.endsWith("NOT VALID") ? "" : " not valid";
      String title = "check " + check.name() + " of the new columns of " + table.shown();
      add(
          title + ": for new rows",
          table,
          Mode.ACCESS_EXCLUSIVE,
          "alter table %s add constraint %s %s%s"
              .formatted(table.quoted(), quoted(twin), definition, notValid),
          "alter table %s drop constraint %s".formatted(table.quoted(), quoted(twin)));
      if (check.validated()) {
        validate(table, twin, title + ": of all rows");
      }
      atSwitch.renames.add(rename(table, check.name(), ShadowName.previous(check.name())));
      atSwitch.renames.add(rename(table, twin, check.name()));
      check
          .comment()
          .ifPresent(
              text ->
                  atSwitch.comments.add(
                      Change.to(
                          "comment on constraint %s on %s is %s"
                              .formatted(quoted(check.name()), table.quoted(), text))));
    }
  }

  private void foreignKeys() throws SQLException {
    for (ForeignKey foreignKey : changes.foreignKeys()) {
      LiveTable table = changes.schema().table(foreignKey.referencing().oid());
      LiveTable referenced = changes.schema().table(foreignKey.referenced().oid());
      String name = foreignKey.name();
      String twin = ShadowName.next(name);
      String alter = "alter table " + table.quoted();
      String definition =
          Definition.of(foreignKey)
              .renamed(changes.next(table), changes.next(referenced))
              .toString();
      String title = "foreign key " + name + " of " + table.shown() + " between the new columns";
      draft.add(
          new Step(
              Phase.VALIDATE,
              Work.TRANSACTION,
              title + ": for new rows",
              table.shown(),
              List.of(alter + " add constraint " + quoted(twin) + " " + withNotValid(definition)),
              List.of(alter + " drop constraint if exists " + quoted(twin)),
              locks(foreignKey),
              Estimate.NOTHING));
      if (foreignKey.validated()) {
        validate(table, twin, title + ": of all rows");
      }
      if (foreignKey.validated()) {
        draft.add(
            onTheWayBack(
                Phase.VALIDATE,
                table,
                "read again that all rows keep to the old " + name,
                alter + " validate constraint " + quoted(name)));
      }
      atSwitch.oldForeignKeys.add(
          new Change(
              alter + " drop constraint " + quoted(name),
              alter
                  + " add constraint "
                  + quoted(name)
                  + " "
                  + withNotValid(foreignKey.definition())));
      // It stands on the new key of the other table, which goes when the switch is undone.
      atSwitch.newForeignKeys.add(
          new Change(
              alter + " rename constraint " + quoted(twin) + " to " + quoted(name),
              alter + " drop constraint " + quoted(name)));
      atSwitch.tables.add(table);
      atSwitch.tables.add(referenced);
    }
  }

  private List<TableLock> locks(ForeignKey foreignKey) throws SQLException {
    Set<String> tables = new LinkedHashSet<>();
    tables.add(changes.schema().table(foreignKey.referencing().oid()).shown());
    tables.add(changes.schema().table(foreignKey.referenced().oid()).shown());
    return tables.stream()
        .map(table -> new TableLock(table, Mode.SHARE_ROW_EXCLUSIVE, Held.BRIEFLY))
        .toList();
  }

  /** When a constraint is checked, as its definition says it. */
  private static String timing(Index.Constraint constraint) {
    return switch (constraint.timing()) {
      case AT_ONCE -> "";
      case DEFERRABLE -> " deferrable";
      case INITIALLY_DEFERRED -> " deferrable initially deferred";
    };
  }

  private static String withNotValid(String definition) {
    return definition.endsWith("NOT VALID") ? definition : definition + " not valid";
  }

  private void add(String title, LiveTable table, Mode mode, String apply, String undo) {
    draft.add(
        PlanDraft.transaction(Phase.VALIDATE, title, table, mode, List.of(apply), List.of(undo)));
  }

  private void validate(LiveTable table, String constraint, String title) {
    draft.add(
        new Step(
            Phase.VALIDATE,
            Work.TRANSACTION,
            title,
            table.shown(),
            List.of(
                "alter table %s validate constraint %s"
                    .formatted(table.quoted(), quoted(constraint))),
            List.of(),
            List.of(new TableLock(table.shown(), Mode.SHARE_UPDATE_EXCLUSIVE, Held.FOR_A_SCAN)),
            new Estimate(table.rows(), 0, 0, table.rows() / 1_000_000)));
  }

  private static Change rename(LiveTable table, String from, String to) {
    String rename = "alter table %s rename constraint %s to %s";
    return new Change(
        rename.formatted(table.quoted(), quoted(from), quoted(to)),
        rename.formatted(table.quoted(), quoted(to), quoted(from)));
  }

  private static String quoted(String name) {
    return SqlName.quoted(name);
  }
}
