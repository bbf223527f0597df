package dev.mintmark.postgres.pool;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.ClaimAttempt.Slot;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.SliceState.Step;
import dev.mintmark.postgres.pool.SliceState.Waiting;
import dev.mintmark.postgres.pool.SliceStore.Begun;
import dev.mintmark.postgres.pool.SliceStore.HeldSlot;
import dev.mintmark.postgres.pool.SliceStore.Home;
import dev.mintmark.postgres.pool.SliceStore.Look;
import dev.mintmark.postgres.pool.SliceStore.Renewal;
import dev.mintmark.postgres.pool.SliceStore.Value;
import dev.mintmark.postgres.pool.SliceTerm.Clocks;
import dev.mintmark.postgres.pool.SliceTerm.Now;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Does what one instance does in the database for its slice, one thing after another in a thread of
 * its own: begins the slice and renews it, has grants recorded, asks for claims that cannot be
 * answered from memory, takes values, and shares values and buckets with the other instances.
 *
 * <p>A failure of the database ends a round, and the next one starts with what is due then. So the
 * order within a round matters: grants are recorded before the database is asked what a client
 * holds, and before buckets are given up.
 */
final class SliceWorker implements Runnable {
  /** How often an instance looks what the others need. */
  static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** The most claims for which the database is asked at once. */
  private static final int BATCH_MAX = 1_024;

  private static final int VALUES_MIN = 16;

  /** How long a claim waits for the bucket of its client before it is contended. */
  private static final Duration PATIENCE = Claimer.PATIENCE;

  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(100);

  /** How often values are asked for that other slices have, and give back once a second. */
  private static final Duration PAUSE_WHILE_LACKING = Duration.ofMillis(50);

  /** A slice that is emptied within this time grows; one that lasts ten times as long shrinks. */
  private static final Duration QUICK = Duration.ofSeconds(1);

  /** How long the demand that found no value free is reported to the other instances. */
  private static final Duration LACK_LASTS = Duration.ofSeconds(3);

  /** The time after which to claim again: another instance may have given values back. */
  private static final Duration RETRY_AFTER_MAX = Duration.ofSeconds(2);

  /** The part of the time by which a slice outlasts the pool's lease after which it is renewed. */
  private static final int RENEWALS = 4;

  /** How many slots may be known, beside twice those that were loaded. */
  private static final long KNOWN_SLACK = 100_000;

  private final DatabasePools pools;
  private final Pool pool;
  private final PoolContext context;
  private final SliceStore store;
  private final SliceState state;
  private final SliceJournal journal;
  private final SliceOptions options;
  private final Clocks clocks;

  private Duration length = Duration.ZERO;
  private Duration renewEvery = Duration.ZERO;
  private long takes;
  private int target = VALUES_MIN;
  private Now tookAt;
  private Now lookedAt;
  private Now lackedAt;
  private long lacked;
  private boolean mustReconcile;

  /** Whether the database may have buckets of this slice that are not open here. */
  private boolean bucketsUncertain;

  /** Whether buckets of this slice may have been given up. */
  private boolean mustEnd;

  private long knownWhenLoaded;
  private final List<Waiting> parked = new ArrayList<>();

  SliceWorker(Pool pool, SliceState state, SliceOptions options, Clocks clocks) {
    this.pools = pool.pools();
    this.pool = pool;
    this.context = pool.context();
    this.store = new SliceStore(context);
    this.state = state;
    this.journal =
        new SliceJournal(
            context, store, state, clocks, grants -> pools.dropped(context.name(), grants));
    this.options = options;
    this.clocks = clocks;
    Now now = clocks.now();
    this.tookAt = now;
    this.lookedAt = now;
    this.lackedAt = now;
  }

  @Override
  public void run() {
    while (!state.isClosed()) {
      try {
        boolean unused = state.awaitWork(nextDue());
        round();
      } catch (PoolUnavailableException e) {
        fail(e);
        pause(PAUSE_AFTER_FAILURE);
      } catch (InterruptedException e) {
        break;
      } catch (RuntimeException | Error e) {
        // The pool was deleted, or a record was refused: the slice is not renewed any more.
        abandon(e);
        pause(PAUSE_AFTER_FAILURE);
      }
    }
    end();
  }

  private Duration nextDue() {
    if (!parked.isEmpty()) {
      return PAUSE;
    }
    return renewEvery.isZero() || renewEvery.compareTo(LOOK_EVERY) > 0 ? LOOK_EVERY : renewEvery;
  }

  private void round() throws InterruptedException {
    endIfUncertain();
    finishIfStopped();
    if (state.slice(clocks.now()).isEmpty()) {
      begin();
    }
    renewIfDue();
    journal.record();
    answerAsked();
    takeIfLow();
    lookIfDue();
  }

  /** Until the database answers, the slice grants values to the clients of its other buckets. */
  private void endIfUncertain() {
    Optional<Long> slice = state.slice(clocks.now());
    if (mustEnd && slice.isPresent()) {
      var unused = store.look(slice.get());
      state.stop();
    }
  }

  private void finishIfStopped() {
    Optional<Long> stopped = state.stoppedSlice(clocks.now());
    if (stopped.isPresent()) {
      giveBack(stopped.get(), journal.finish(stopped.get()));
    }
  }

  /** Begins a slice, after one that has ended if there was one. */
  private void begin() throws InterruptedException {
    journal.drop(
        new PoolUnavailableException(
            "pool %s: the slice has ended before the grant was recorded: it is not held"
                .formatted(Quoted.of(context.name()))));
    Duration lease = SlicedPool.requireLease(context.freshSpec());
    length = options.leaseFor(lease);
    renewEvery = length.minus(lease).dividedBy(RENEWALS);
    context.announceLease(length);
    Now sent = clocks.now();
    Begun begun = store.begin(options.instance(), length);
    Long id = begun.id();
    if (id == null) {
      refuse(begun.state());
      return;
    }
    awaitWriters(id, sent);
    state.begin(id, new SliceTerm(begun.at(), sent, length));
    mustReconcile = false;
    mustEnd = false;
    takeBuckets(id);
  }

  /** The fence is closed: the pool is settled, or a person has to decide. */
  private void refuse(String fence) {
    if (fence.equals("stopped")) {
      state
          .takeWaiting()
          .forEach(claim -> claim.answer().complete(new ClaimResult.Stopped(context.name())));
      pause(PAUSE_AFTER_FAILURE);
    } else {
      context.passFence();
    }
  }

  /** Waits for statements that began before the slice and may grant values to any client. */
  private void awaitWriters(long id, Now sent) throws InterruptedException {
    Set<String> before = store.writers();
    while (!before.isEmpty() && !Collections.disjoint(before, store.writers())) {
      if (state.isClosed()
          || new SliceTerm(Instant.EPOCH, sent, length)
              .isOlderThan(length.dividedBy(2), clocks.now())) {
        store.close(id);
        throw new PoolUnavailableException(
            "pool %s: no slice, because transactions that change claims do not end (transactions=%s)"
                .formatted(Quoted.of(context.name()), before.size()));
      }
      Thread.sleep(PAUSE.toMillis());
    }
  }

  private void renewIfDue() {
    Now now = clocks.now();
    Optional<Long> slice = state.slice(now);
    if (slice.isEmpty() || state.isFresh(renewEvery, now)) {
      return;
    }
    if (!lackedAtPresent(now)) {
      lacked = 0;
    }
    Optional<Renewal> renewed = store.renew(slice.get(), length, lacked);
    Now received = clocks.now();
    if (renewed.isEmpty()
        || !state.renew(new SliceTerm(renewed.get().at(), now, length), received)) {
      throw journal.ended();
    }
    if (mustReconcile || renewed.get().held() != state.valueCount()) {
      reconcile(slice.get());
    }
  }

  private boolean lackedAtPresent(Now now) {
    return now.nanos() - lackedAt.nanos() < LACK_LASTS.toNanos();
  }

  /**
   * Values may have been taken, or given back, by a statement whose answer was lost. One that may
   * still take effect frees values, so these are not used again, but given back once more.
   */
  private void reconcile(long slice) {
    giveBack(slice, state.remove(0));
    retry(state.add(named(state.reconcile(store.values(slice)))));
    mustReconcile = false;
  }

  /** Asks the database for the claims that cannot be answered from memory. */
  private void answerAsked() {
    if (!parked.isEmpty()) {
      state.askAgain(parked);
      parked.clear();
    }
    List<Waiting> asked = state.toAsk(BATCH_MAX);
    if (asked.isEmpty()) {
      return;
    }
    try {
      journal.record();
      Map<Slot, HeldSlot> held =
          store.held(asked.stream().flatMap(Waiting::slots).distinct().toList());
      if (held.values().stream().anyMatch(HeldSlot::ended)) {
        long unused = context.sweep().run();
      }
      Map<Integer, Home> homes =
          SliceStore.homes(context, asked.stream().map(Waiting::bucket).distinct().toList());
      asked.forEach(claim -> answer(claim, held, homes));
    } catch (RuntimeException e) {
      asked.forEach(claim -> claim.answer().completeExceptionally(e));
      throw e;
    }
  }

  private void answer(Waiting claim, Map<Slot, HeldSlot> held, Map<Integer, Home> homes) {
    List<HeldSlot> own = claim.slots().map(held::get).filter(one -> one != null).toList();
    if (own.stream().anyMatch(HeldSlot::ended)) {
      park(claim);
      return;
    }
    if (own.size() == claim.request().count()) {
      complete(
          claim, new AlreadyHeld(own.stream().map(one -> context.toClaim(one.row())).toList()));
      return;
    }
    Optional<Step> step = state.answer(claim, held, clocks.now());
    if (step.isPresent()) {
      follow(claim, step.get());
      return;
    }
    Home home = homes.get(claim.bucket());
    if (home != null && state.slice(clocks.now()).filter(mine -> mine == home.slice()).isEmpty()) {
      complete(claim, new ClaimResult.Elsewhere(context.name(), home.instance()));
    } else {
      park(claim);
    }
  }

  /** The bucket of the client is being moved, or its last claim is being ended. */
  private void park(Waiting claim) {
    Now now = clocks.now();
    if (now.nanos() - claim.since().nanos() > PATIENCE.toNanos()) {
      complete(claim, context.contended(claim.request()));
    } else {
      parked.add(claim);
    }
  }

  private void retry(List<Waiting> claims) {
    claims.forEach(claim -> follow(claim, state.claim(claim, clocks.now())));
  }

  private void follow(Waiting claim, Step step) {
    if (step instanceof Step.Answer answer) {
      journal.complete(answer.entry(), Map.of());
    } else if (step instanceof Step.Reject reject) {
      complete(claim, reject.exhausted());
    } else if (step instanceof Step.Closed) {
      claim.answer().completeExceptionally(SlicedPool.closed(context));
    }
  }

  private static void complete(Waiting claim, ClaimResult result) {
    claim.answer().complete(result);
  }

  /** Takes values if few are left: more at a time, the sooner they are granted. */
  private void takeIfLow() {
    Optional<Long> slice = state.slice(clocks.now());
    int lacking = state.lacked();
    if (slice.isEmpty() || (lacking == 0 && !state.isLow())) {
      return;
    }
    Now now = clocks.now();
    adapt(now);
    if (mustReconcile) {
      reconcile(slice.get());
    }
    int wanted = Math.min(options.valuesMax(), Math.max(target, lacking)) - state.unusedCount();
    if (wanted <= 0) {
      return;
    }
    List<Value> taken = take(slice.get(), wanted);
    if (taken.size() < wanted && pool.draw(wanted)) {
      taken = new ArrayList<>(taken);
      taken.addAll(take(slice.get(), wanted - taken.size()));
    }
    retry(state.add(named(taken)));
    if (taken.isEmpty()) {
      exhaust(slice.get(), now);
    }
  }

  private int low() {
    return Math.max(1, target / 2);
  }

  private void adapt(Now now) {
    long since = now.nanos() - tookAt.nanos();
    if (since < QUICK.toNanos()) {
      target = Math.min(options.valuesMax(), target * 2);
    } else if (since > 10 * QUICK.toNanos()) {
      target = Math.max(Math.min(VALUES_MIN, options.valuesMax()), target / 2);
    }
    tookAt = now;
    state.setLow(low());
  }

  private List<Value> take(long slice, int wanted) {
    mustReconcile = true;
    List<Value> taken =
        store.take(
            slice,
            "slice %s of %s, %s".formatted(slice, options.instance(), ++takes),
            length,
            wanted);
    mustReconcile = false;
    return taken;
  }

  /** Makes sure that every value can be named without the database. */
  private List<Value> named(List<Value> values) {
    for (Value value : values) {
      if (context.layout().block(value.place().block()).isEmpty()) {
        context.reload();
      }
    }
    return values;
  }

  private void exhaust(long slice, Now now) {
    reportLack(slice, state.lacked(), now);
    Optional<Exhausted> found = pool.findExhausted(1);
    if (found.isEmpty()) {
      // Other slices have values, or free ones are new, locked or not handed out any more.
      context.sweep().withdraw();
      state
          .takeLackingSince(now.nanos() - PATIENCE.toNanos())
          .forEach(claim -> complete(claim, context.contended(claim.request())));
      if (state.lacked() > 0) {
        pause(PAUSE_WHILE_LACKING);
      } else {
        state.foundNothing();
      }
      return;
    }
    Exhausted answer = found.get();
    Duration retryAfter = Collections.min(List.of(answer.retryAfter(), RETRY_AFTER_MAX));
    Exhausted soon = new Exhausted(answer.pool(), answer.at(), retryAfter);
    state.exhaust(soon, now).forEach(claim -> complete(claim, soon));
  }

  /** Tells the other instances how many values the claims lack that wait here. */
  private void reportLack(long slice, int lacking, Now now) {
    lackedAt = lacking > 0 ? now : lackedAt;
    if (lacking > 0 && lacked != lacking) {
      lacked = lacking;
      store.lack(slice, lacking);
    }
  }

  private void lookIfDue() {
    Now now = clocks.now();
    Optional<Long> slice = state.slice(now);
    if (slice.isEmpty() || now.nanos() - lookedAt.nanos() < LOOK_EVERY.toNanos()) {
      return;
    }
    lookedAt = now;
    Duration unused = SlicedPool.requireLease(context.freshSpec());
    Look look = store.look(slice.get());
    if (!look.inForce()) {
      throw journal.ended();
    }
    if (!look.withdrawn().isEmpty()) {
      giveBack(slice.get(), state.remove(look.withdrawn()));
      context.sweep().withdraw();
    }
    share(slice.get(), look, now);
    balance(slice.get(), look);
    state.forgetExhausted();
  }

  /** Gives half of what is left to those that lack some, and what is too much to all. */
  private void share(long slice, Look look, Now now) {
    int left = state.unusedCount();
    int spare = 0;
    if (look.lacking() > 0 && !lackedAtPresent(now)) {
      spare = (int) Math.min(look.lacking(), (left + 1) / 2);
    } else if (now.nanos() - tookAt.nanos() > 10 * QUICK.toNanos() && left > VALUES_MIN) {
      target = Math.max(VALUES_MIN, target / 2);
      state.setLow(low());
      spare = Math.max(0, left - target);
    }
    giveBack(slice, state.remove(spare));
  }

  private void giveBack(long slice, List<Long> tokens) {
    if (tokens.isEmpty()) {
      return;
    }
    if (store.giveBack(slice, tokens)) {
      pools.wakeOthers(context.id());
    }
    state.returned(tokens);
  }

  /** Gives up what is more than a fair share of the buckets, or takes some that nobody has. */
  private void balance(long slice, Look look) {
    int have = state.bucketCount();
    if (bucketsUncertain) {
      takeBuckets(slice);
    } else if (have > look.share()) {
      bucketsUncertain = true;
      List<Integer> buckets = state.closeBuckets(have - look.share());
      journal.record();
      giveBuckets(slice, buckets);
      bucketsUncertain = false;
    } else if (have < look.share()) {
      takeBuckets(slice);
    }
    if (state.knownCount() > 2 * knownWhenLoaded + KNOWN_SLACK) {
      forgetEnded();
    }
  }

  /** If the answer is lost, the slice ends: the statement may take effect at any later time. */
  private void giveBuckets(long slice, List<Integer> buckets) {
    mustEnd = true;
    store.giveBuckets(slice, buckets);
    mustEnd = false;
  }

  /** Takes buckets, and opens those that this slice has and that are not open. */
  private void takeBuckets(long slice) {
    bucketsUncertain = true;
    BitSet open = state.buckets();
    List<Integer> buckets =
        store.takeBuckets(slice).stream().filter(bucket -> !open.get(bucket)).toList();
    if (!buckets.isEmpty()) {
      state.open(buckets, store.loadBuckets(buckets));
      knownWhenLoaded = state.knownCount();
    }
    bucketsUncertain = false;
  }

  /** Loads all buckets again: most of the clients that are known hold nothing any more. */
  private void forgetEnded() {
    bucketsUncertain = true;
    List<Integer> buckets = state.closeBuckets(ClientBuckets.COUNT);
    journal.record();
    state.open(buckets, store.loadBuckets(buckets));
    bucketsUncertain = false;
    knownWhenLoaded = state.knownCount();
  }

  /** The database failed: claims that wait for it fail; others are granted until the slice ends. */
  private void fail(RuntimeException e) {
    List<Waiting> waiting = new ArrayList<>(state.takeWaiting());
    waiting.addAll(parked);
    parked.clear();
    waiting.forEach(claim -> claim.answer().completeExceptionally(e));
    if (e.getCause() instanceof SQLException cause
        && PoolDatabase.UNIQUE_VIOLATION.equals(cause.getSQLState())) {
      journal.drop(e);
    }
  }

  private void abandon(Throwable e) {
    RuntimeException failure =
        e instanceof RuntimeException known
            ? known
            : new PoolUnavailableException("pool %s: %s".formatted(Quoted.of(context.name()), e));
    fail(failure);
    journal.drop(failure);
  }

  private static void pause(Duration length) {
    try {
      Thread.sleep(length.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Gives everything back. What the database does not take now flows back when the slice ends. */
  private void end() {
    RuntimeException closed = SlicedPool.closed(context);
    try {
      state.stop();
      finishIfStopped();
      pools.wakeOthers(context.id());
    } catch (RuntimeException e) {
      // The database does not answer: the slice ends with its lease.
    }
    fail(closed);
    journal.drop(closed);
  }
}
