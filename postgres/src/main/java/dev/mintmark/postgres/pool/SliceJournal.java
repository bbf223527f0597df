package dev.mintmark.postgres.pool;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.SliceState.Entry;
import dev.mintmark.postgres.pool.SliceTerm.Clocks;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Records what a slice has granted, while it is used and after that: a slice that has ended in the
 * database, or must not be used any more, is stopped, and given up when its grants are recorded or
 * cannot be. For one thread.
 */
final class SliceJournal {
  /** The most grants in one statement. */
  private static final int BATCH_MAX = 1_024;

  private final PoolContext context;
  private final SliceStore store;
  private final SliceState state;
  private final Clocks clocks;
  private final LongConsumer dropped;

  /**
   * @param dropped receives the number of grants that were answered and are not recorded
   */
  SliceJournal(
      PoolContext context,
      SliceStore store,
      SliceState state,
      Clocks clocks,
      LongConsumer dropped) {
    this.context = context;
    this.store = store;
    this.state = state;
    this.clocks = clocks;
    this.dropped = dropped;
  }

  /**
   * Records all grants that were made until now.
   *
   * @throws PoolUnavailableException if the database failed, or the slice has ended there: it is
   *     stopped then, with the grants
   */
  void record() {
    Optional<Long> slice = state.slice(clocks.now());
    if (state.hasUnrecorded() && (slice.isEmpty() || !record(slice.get()))) {
      throw ended();
    }
  }

  /** The slice is not in force in the database, or the fence is closed. */
  PoolUnavailableException ended() {
    state.stop();
    return over();
  }

  private PoolUnavailableException over() {
    return new PoolUnavailableException(
        "pool %s: the slice has ended in the database".formatted(Quoted.of(context.name())));
  }

  /**
   * Gives a stopped slice up. Its grants are recorded, in the present epoch of the database if the
   * pool trusts the failover in between; its buckets are free then. Otherwise they are dropped and
   * reported: their clients hold the values until the slice ends by itself.
   *
   * @return the tokens of the values that were not granted
   * @throws PoolUnavailableException if the database failed: try again
   */
  List<Long> finish(long slice) {
    if (!store.look(slice).inForce()) {
      context.passFence();
      store.enterEpochIfTrusted();
    }
    boolean recorded = record(slice);
    List<Long> unused = state.remove(Integer.MAX_VALUE);
    drop(over());
    if (recorded) {
      store.close(slice);
    }
    return unused;
  }

  /** Forgets the slice, and reports the grants that are not recorded. */
  void drop(RuntimeException why) {
    report(state.drop(why));
  }

  /** Returns false if the slice is not in force, or the fence is closed: then grants are left. */
  private boolean record(long slice) {
    for (List<Entry> batch = state.toRecord(BATCH_MAX);
        !batch.isEmpty();
        batch = state.toRecord(BATCH_MAX)) {
      List<SliceGrant> grants = batch.stream().flatMap(entry -> entry.grants().stream()).toList();
      Map<Long, Instant> ends = store.journal(slice, grants);
      if (ends.size() < grants.size() && !store.look(slice).inForce()) {
        return false;
      }
      state.recorded(batch);
      batch.stream().filter(entry -> !entry.isAnswered()).forEach(entry -> answer(entry, ends));
      report(
          batch.stream()
              .filter(Entry::isAnswered)
              .flatMap(entry -> entry.grants().stream())
              .filter(grant -> !isRecorded(grant, ends))
              .count());
    }
    return true;
  }

  private static boolean isRecorded(SliceGrant grant, Map<Long, Instant> ends) {
    return ends.containsKey(grant.value().token());
  }

  private void report(long lost) {
    if (lost > 0) {
      dropped.accept(lost);
    }
  }

  private void answer(Entry entry, Map<Long, Instant> ends) {
    if (entry.grants().stream().allMatch(grant -> isRecorded(grant, ends))) {
      complete(entry, ends);
    } else {
      entry
          .claim()
          .answer()
          .completeExceptionally(
              new PoolUnavailableException(
                  "pool %s: the grant was not recorded: claim again"
                      .formatted(Quoted.of(context.name()))));
    }
  }

  /** Answers a claim whose grants are certain; {@code ends} has the ends that the database set. */
  void complete(Entry entry, Map<Long, Instant> ends) {
    List<Claim> claims = entry.rows(ends).stream().map(context::toClaim).toList();
    entry
        .claim()
        .answer()
        .complete(entry.grants().isEmpty() ? new AlreadyHeld(claims) : new Granted(claims));
  }
}
