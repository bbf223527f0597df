package dev.mintmark.operations.migrate;

import dev.mintmark.operations.migrate.TableLock.Held;
import dev.mintmark.operations.migrate.TableLock.Mode;
import java.util.ArrayList;
import java.util.List;

/**
 * A step of a migration, and how it is undone. Steps run in order, each once, and are undone in the
 * opposite order. The change and the record of it are committed together wherever PostgreSQL allows
 * that.
 *
 * @param phase its phase
 * @param work how {@code apply} is run
 * @param title what it does, in words: {@code add column orders.id__new}
 * @param target what it works on: of an {@link Work#INDEX} the index, else a table, as PostgreSQL
 *     writes its name: {@code public.orders}
 * @param apply the statements that do it, as {@code work} says; none if the step only acts on a
 *     rollback
 * @param undo the statements that undo it, in one transaction; none if nothing has to be undone,
 *     and for an {@link Work#INDEX}, whose index is dropped concurrently
 * @param locks the locks that it takes
 * @param estimate its cost
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
          "step \"%s\": expected one statement, found %s".formatted(title, apply.size()));
    }
    if (work == Work.INDEX && !undo.isEmpty()) {
      throw new IllegalArgumentException(
          "step \"%s\": an index is undone by dropping it".formatted(title));
    }
  }

  /** Returns the same step in the contraction, where it is not undone. */
  Step inContraction() {
    return new Step(Phase.CONTRACT, work, title, target, apply, List.of(), locks, estimate);
  }

  /** Begins a step whose statements run in one transaction. */
  static Builder transaction(Phase phase, String title, String target) {
    return new Builder(phase, Work.TRANSACTION, title, target);
  }

  /** Begins a step that runs one statement in another way. */
  static Builder single(Phase phase, Work work, String title, String target, String apply) {
    return new Builder(phase, work, title, target).ddl(Ddl.oneWay(apply));
  }

  /** A step while it is put together. Without a lock and without cost unless it is said. */
  static final class Builder {
    private final Phase phase;
    private final Work work;
    private final String title;
    private final String target;
    private final List<TableLock> locks = new ArrayList<>();
    private Ddl ddl = new Ddl(List.of(), List.of());
    private Estimate estimate = Estimate.NOTHING;

    private Builder(Phase phase, Work work, String title, String target) {
      this.phase = phase;
      this.work = work;
      this.title = title;
      this.target = target;
    }

    /** Adds what the step does, and how it is undone. */
    Builder ddl(Ddl more) {
      ddl = ddl.and(more);
      return this;
    }

    Builder locks(LiveTable table, Mode mode, Held held) {
      return locks(table.shown(), mode, held);
    }

    Builder locks(String relation, Mode mode, Held held) {
      locks.add(new TableLock(relation, mode, held));
      return this;
    }

    Builder estimate(Estimate expected) {
      estimate = expected;
      return this;
    }

    Step build() {
      return new Step(phase, work, title, target, ddl.apply(), ddl.undo(), locks, estimate);
    }
  }
}
