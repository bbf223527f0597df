package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Trigger;
import dev.mintmark.operations.migrate.TableLock.Held;
import dev.mintmark.operations.migrate.TableLock.Mode;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A plan while it is made. For one thread. */
final class PlanDraft {
  private final List<Step> steps = new ArrayList<>();
  private final Set<Refusal> refusals = new LinkedHashSet<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private final List<Limit> limits = new ArrayList<>();

  void add(Step step) {
    steps.add(step);
  }

  /** Adds what is the same for several collections only once. */
  void addOnce(Step step) {
    if (!steps.contains(step)) {
      steps.add(step);
    }
  }

  /**
   * Adds what is the same for several collections once, behind what all of them do in its phase.
   */
  void addLast(Step step) {
    steps.remove(step);
    steps.add(step);
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

  /** The plan: what comes first in every collection is done first for all. */
  MigrationPlan plan() {
    List<Step> ordered = new ArrayList<>(steps);
    ordered.sort(Comparator.comparing(Step::phase));
    return new MigrationPlan(ordered, List.copyOf(refusals), List.copyOf(notes), limits);
  }

  /** Lets the server learn what new columns hold, before statements are planned by it. */
  static Step analyze(LiveTable table, Collection<String> columns) {
    return new Step(
        Phase.VALIDATE,
        Step.Work.TRANSACTION,
        "gather statistics of the new columns of " + table.shown(),
        table.shown(),
        List.of(
            "analyze %s (%s)"
                .formatted(
                    table.quoted(),
                    columns.stream()
                        .sorted()
                        .map(SqlName::quoted)
                        .collect(Collectors.joining(", ")))),
        List.of(),
        List.of(new TableLock(table.shown(), Mode.SHARE_UPDATE_EXCLUSIVE, Held.FOR_A_SCAN)),
        Estimate.NOTHING);
  }

  /** Tells which triggers of others a fill fires. */
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

  /** A step in one transaction that locks tables briefly. */
  static Step transaction(
      Phase phase,
      String title,
      LiveTable table,
      Mode mode,
      List<String> apply,
      List<String> undo) {
    return new Step(
        phase,
        Step.Work.TRANSACTION,
        title,
        table.shown(),
        apply,
        undo,
        List.of(new TableLock(table.shown(), mode, Held.BRIEFLY)),
        Estimate.NOTHING);
  }
}
