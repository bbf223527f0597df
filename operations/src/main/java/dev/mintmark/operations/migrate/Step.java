package dev.mintmark.operations.migrate;

import java.util.List;

/**
 * One thing a migration does, and how it is undone. Steps are run in order, each once, and undone
 * in the opposite order; what is done and that it is done are committed together wherever
 * PostgreSQL allows it.
 *
 * @param phase where in the migration it stands
 * @param work how {@code apply} is to be run
 * @param title what it does, in words: {@code add column orders.id__new}
 * @param target what it works on: of an {@link Work#INDEX} the index, else a table, as PostgreSQL
 *     writes its name: {@code public.orders}
 * @param apply the statements that do it, as {@code work} says; none where only undoing takes any
 * @param undo the statements that undo it, in one transaction; none where nothing has to be. Those
 *     of an {@link Work#INDEX} are none: its index is dropped concurrently
 * @param locks what it locks
 * @param estimate what it costs
 */
public record Step(
    Phase phase,
    Work work,
    String title,
    String target,
    List<String> apply,
    List<String> undo,
    List<TableLock> locks,
    Estimate estimate) {
  /** How a step is run. */
  public enum Work {
    /** All statements in one transaction. */
    TRANSACTION,
    /**
     * One {@code create index concurrently}, outside a transaction. An invalid index that an
     * interrupted run left is dropped first.
     */
    INDEX,
    /**
     * One statement, run again and again, each in its own transaction. Its parameters are where it
     * goes on ({@code text[]}, null at the start) and how many rows it looks at ({@code integer}).
     * It answers one row: how many it has {@code seen}, how many it has {@code changed}, and the
     * {@code cursor} to go on from, null at the end.
     */
    BACKFILL,
    /** The same, but {@code changed} are rows that are wrong: the first of them ends the run. */
    VERIFY
  }

  public Step {
    apply = List.copyOf(apply);
    undo = List.copyOf(undo);
    locks = List.copyOf(locks);
    boolean single = work != Work.TRANSACTION;
    if (single && apply.size() != 1) {
      throw new IllegalArgumentException(
          "step \"%s\": expected one statement, found %d".formatted(title, apply.size()));
    }
    if (work == Work.INDEX && !undo.isEmpty()) {
      throw new IllegalArgumentException(
          "step \"%s\": an index is undone by dropping it".formatted(title));
    }
  }
}
