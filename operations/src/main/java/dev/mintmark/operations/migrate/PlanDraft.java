package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Trigger;
import dev.mintmark.operations.migrate.TableLock.Held;
import dev.mintmark.operations.migrate.TableLock.Mode;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A plan while it is made. For one thread. */
final class PlanDraft {
  /** Rows in a second: what a plan reckons with. */
  private static final long VALIDATED_PER_SECOND = 1_000_000;

  private static final long INDEXED_PER_SECOND = 400_000;

  private final List<Step> steps = new ArrayList<>();
  private final Set<Refusal> refusals = new LinkedHashSet<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private final List<Limit> limits = new ArrayList<>();
  private final Map<LiveTable, Set<String>> columnsAdded = new HashMap<>();

  void add(Step step) {
    steps.add(step);
  }

  /** Adds a step once, even if several collections have it. */
  void addOnce(Step step) {
    if (!steps.contains(step)) {
      steps.add(step);
    }
  }

  /** Adds a step once, after the steps that all collections have in its phase. */
  void addLast(Step step) {
    steps.remove(step);
    steps.add(step);
  }

  /** Adds what another draft plans to the contraction, where nothing is undone. */
  void addToContraction(PlanDraft other) {
    MigrationPlan plan = other.plan();
    for (Step step : plan.steps()) {
      add(step.inContraction());
    }
    refusals.addAll(plan.refusals());
    notes.addAll(plan.notes());
  }

  void refuse(Refusal refusal) {
    refusals.add(refusal);
  }

  void note(String note) {
    notes.add(note);
  }

  void limit(Limit limit) {
    limits.add(limit);
  }

  /** Notes that a step before the switch adds a column. */
  void addsColumn(LiveTable table, String column) {
    columnsAdded.computeIfAbsent(table, each -> new LinkedHashSet<>()).add(column);
  }

  Set<String> columnsAdded(LiveTable table) {
    return columnsAdded.getOrDefault(table, Set.of());
  }

  /** Returns the plan: each phase is completed for all collections before the next one. */
  MigrationPlan plan() {
    List<Step> ordered = new ArrayList<>(steps);
    ordered.sort(Comparator.comparing(Step::phase));
    return new MigrationPlan(ordered, List.copyOf(refusals), List.copyOf(notes), limits);
  }

  /** Gathers statistics of new columns, which later statements are planned by. */
  static Step analyze(LiveTable table, Collection<String> columns) {
    String names = columns.stream().sorted().map(SqlName::quoted).collect(Collectors.joining(", "));
    return Step.transaction(
            Phase.VALIDATE,
            "gather statistics of the new columns of " + table.shown(),
            table.shown())
        .ddl(Ddl.oneWay("analyze %s (%s)".formatted(table.quoted(), names)))
        .locks(table, Mode.SHARE_UPDATE_EXCLUSIVE, Held.FOR_A_SCAN)
        .build();
  }

  /** Reads all rows for a constraint, while they are written. */
  static Step validate(LiveTable table, String constraint, String title) {
    return Step.transaction(Phase.VALIDATE, title, table.shown())
        .ddl(Ddl.validate(table.quoted(), constraint))
        .locks(table, Mode.SHARE_UPDATE_EXCLUSIVE, Held.FOR_A_SCAN)
        .estimate(new Estimate(table.rows(), 0, 0, table.rows() / VALIDATED_PER_SECOND))
        .build();
  }

  /** Creates an index while the table is written. */
  static Step createIndex(
      LiveTable table, String name, boolean unique, String definition, long bytes) {
    return Step.single(
            Phase.INDEX,
            Step.Work.INDEX,
            "create %sindex %s".formatted(unique ? "unique " : "", name),
            KeyChanges.beside(table, name),
            Ddl.createIndex(table.quoted(), name, unique, definition).apply().get(0))
        .locks(table, Mode.SHARE_UPDATE_EXCLUSIVE, Held.FOR_A_SCAN)
        .estimate(new Estimate(table.rows(), bytes, bytes, table.rows() / INDEXED_PER_SECOND))
        .build();
  }

  /**
   * Requires a value in a column without reading the table under a lock that writers wait for: a
   * check is added as not valid, then validated, and {@code set not null} need not read the rows
   * again.
   *
   * @param constraint the name of the check
   */
  void requireValue(LiveTable table, String column, String constraint, String title) {
    Ddl check = Ddl.notValidCheck(table.quoted(), constraint, column);
    add(brief(Phase.VALIDATE, title + ": for new rows", table, Mode.ACCESS_EXCLUSIVE, check));
    add(validate(table, constraint, title + ": of all rows"));
    add(
        brief(
            Phase.VALIDATE,
            title,
            table,
            Mode.ACCESS_EXCLUSIVE,
            Ddl.setNotNull(table.quoted(), column).and(check.inverse())));
  }

  /** Notes which triggers of users a backfill fires. */
  void noteTriggers(LiveSchema schema, LiveTable table) throws SQLException {
    boolean quiet = QuietTriggers.areAllowed(schema.connection());
    for (Trigger trigger : schema.triggers(table)) {
      if (quiet ? trigger.firesForReplicas() : trigger.firesOnUpdate()) {
        note(
            "trigger %s of %s fires for each row that is filled%s"
                .formatted(
                    trigger.name(),
                    table.shown(),
                    quiet
                        ? ", since it is enabled always"
                        : ": a role that may set session_replication_role fires none"));
      }
    }
  }

  /** A step in one transaction that locks a table briefly. */
  static Step brief(Phase phase, String title, LiveTable table, Mode mode, Ddl ddl) {
    return Step.transaction(phase, title, table.shown())
        .ddl(ddl)
        .locks(table, mode, Held.BRIEFLY)
        .build();
  }
}
