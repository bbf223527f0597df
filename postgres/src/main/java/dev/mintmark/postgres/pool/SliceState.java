package dev.mintmark.postgres.pool;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.ClaimAttempt.Slot;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.SliceStore.HeldSlot;
import dev.mintmark.postgres.pool.SliceStore.Value;
import dev.mintmark.postgres.pool.SliceTerm.Now;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one instance knows of its slice: until when it may be used, the values that are not granted
 * yet, the buckets with the slots of their clients, the grants that are not recorded yet, and the
 * claims that wait for the database. Safe for use by many threads: every method takes a short time
 * in the monitor of this.
 *
 * <p>A slot of a bucket is either known or not. A slot that is not known holds nothing: it was not
 * in the database when the bucket was taken, and nobody else grants to it. A slot that is known may
 * hold something, and the database is asked. So the slots that are known are all that were loaded
 * with the bucket, and all that were granted since.
 */
final class SliceState {
  private final String pool;
  private final boolean recordsFirst;

  private @Nullable SliceTerm term;
  private long slice;
  private boolean stopped;
  private final ArrayDeque<Value> unused = new ArrayDeque<>();

  /** Values that were sent back to the database, which has not confirmed that. */
  private final Set<Long> sentBack = new LinkedHashSet<>();

  private final Map<Integer, Set<Slot>> known = new HashMap<>();
  private long knownCount;

  private final ArrayDeque<Entry> unrecorded = new ArrayDeque<>();
  private final Map<Long, Slot> unrecordedTokens = new HashMap<>();
  private final Set<Slot> unrecordedSlots = new HashSet<>();

  private final ArrayDeque<Waiting> asking = new ArrayDeque<>();
  private final ArrayDeque<Waiting> lacking = new ArrayDeque<>();

  private @Nullable Exhausted exhausted;
  private long exhaustedNanos;
  private boolean nothingFound;
  private long granted;
  private boolean closed;
  private int low = 1;

  /**
   * @param recordsFirst whether a claim is answered after its grant was recorded
   */
  SliceState(String pool, boolean recordsFirst) {
    this.pool = pool;
    this.recordsFirst = recordsFirst;
  }

  /** A claim that has no answer yet. */
  record Waiting(
      ClaimRequest request,
      Duration lease,
      int bucket,
      Now since,
      CompletableFuture<ClaimResult> answer) {
    Stream<Slot> slots() {
      return IntStream.range(request.slot(), request.slot() + request.count())
          .mapToObj(number -> new Slot(request.client(), number));
    }
  }

  /**
   * Grants for one claim, to be recorded.
   *
   * @param held what its client holds beside them
   * @param isAnswered whether the claim was answered; otherwise it is when they are recorded
   */
  record Entry(Waiting claim, List<SliceGrant> grants, List<ClaimRow> held, boolean isAnswered) {
    /** The claims, in the order of their slots; {@code ends} has the ends that the database set. */
    List<ClaimRow> rows(Map<Long, Instant> ends) {
      List<ClaimRow> rows = new ArrayList<>(held);
      for (SliceGrant grant : grants) {
        Instant end = ends.get(grant.value().token());
        rows.add(grant.row(end == null ? grant.expiresAt().orElseThrow() : end));
      }
      rows.sort((one, other) -> Integer.compare(one.slot(), other.slot()));
      return rows;
    }
  }

  /** What became of a claim here. */
  sealed interface Step {
    /** The grants are certain: the claim is answered now. */
    record Answer(Entry entry) implements Step {}

    /** No value is free, or was a moment ago. */
    record Reject(Exhausted exhausted) implements Step {}

    /** The claim waits: for the database, for values, or until its grant is recorded. */
    record Wait() implements Step {}

    /** This instance is closed. */
    record Closed() implements Step {}
  }

  /** A claim arrives: it is answered here if its client holds nothing and a value is there. */
  synchronized Step claim(Waiting claim, Now now) {
    if (closed) {
      return new Step.Closed();
    }
    Set<Slot> slots = known.get(claim.bucket);
    if (slots == null || isOver(now) || claim.slots().anyMatch(slots::contains)) {
      asking.add(claim);
      notifyAll();
      return new Step.Wait();
    }
    return grant(claim, List.of(), now);
  }

  /**
   * A claim is answered for which the database was asked, after every grant was recorded.
   *
   * @param held what the database has for its slots; none of it has ended
   * @return empty if the bucket of its client is not here
   */
  synchronized Optional<Step> answer(Waiting claim, Map<Slot, HeldSlot> held, Now now) {
    Set<Slot> slots = known.get(claim.bucket);
    if (slots == null) {
      return Optional.empty();
    }
    if (isOver(now) || claim.slots().anyMatch(unrecordedSlots::contains)) {
      asking.add(claim);
      return Optional.of(new Step.Wait());
    }
    claim.slots().filter(slot -> !held.containsKey(slot)).forEach(slot -> forget(slots, slot));
    return Optional.of(
        grant(
            claim,
            claim.slots().map(held::get).filter(one -> one != null).map(HeldSlot::row).toList(),
            now));
  }

  private void forget(Set<Slot> slots, Slot slot) {
    if (slots.remove(slot)) {
      knownCount--;
    }
  }

  private Step grant(Waiting claim, List<ClaimRow> held, Now now) {
    int needed = claim.request.count() - held.size();
    if (unused.size() < needed) {
      Exhausted remembered = exhausted;
      if (remembered != null
          && now.nanos() - exhaustedNanos < Pool.REMEMBERED_FOR.toNanos()
          && unused.isEmpty()) {
        return new Step.Reject(remembered);
      }
      lacking.add(claim);
      notifyAll();
      return new Step.Wait();
    }
    SliceTerm present = requireTerm();
    Optional<Instant> end = present.end(now, claim.lease);
    Instant time = present.time(now);
    List<SliceGrant> grants = new ArrayList<>(needed);
    Set<Integer> heldSlots = new HashSet<>();
    held.forEach(row -> heldSlots.add(row.slot()));
    claim
        .slots()
        .filter(slot -> !heldSlots.contains(slot.number()))
        .forEach(
            slot ->
                grants.add(
                    new SliceGrant(
                        unused.remove(), slot, claim.request.owner(), time, claim.lease, end)));
    boolean answers = end.isPresent() && !recordsFirst;
    Entry entry = new Entry(claim, grants, held, answers);
    grants.forEach(this::remember);
    unrecorded.add(entry);
    granted += grants.size();
    notifyAll();
    return answers ? new Step.Answer(entry) : new Step.Wait();
  }

  private void remember(SliceGrant grant) {
    unrecordedTokens.put(grant.value().token(), grant.slot());
    unrecordedSlots.add(grant.slot());
    Set<Slot> slots = known.get(ClientBuckets.of(grant.slot().client()));
    if (slots != null && slots.add(grant.slot())) {
      knownCount++;
    }
  }

  private boolean isOver(Now now) {
    SliceTerm present = term;
    return stopped || present == null || present.isOver(now);
  }

  private SliceTerm requireTerm() {
    SliceTerm present = term;
    if (present == null) {
      throw new IllegalStateException("pool " + Quoted.of(pool) + ": no slice");
    }
    return present;
  }

  /** The slice in use, if it may still be used. */
  synchronized Optional<Long> slice(Now now) {
    return isOver(now) ? Optional.empty() : Optional.of(slice);
  }

  /** Nothing is granted from the slice any more. What was granted is to be recorded still. */
  synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  /** The slice that was stopped, if it may be in force in the database. */
  synchronized Optional<Long> stoppedSlice(Now now) {
    SliceTerm present = term;
    return stopped && present != null && !present.isOver(now)
        ? Optional.of(slice)
        : Optional.empty();
  }

  /** Whether the slice was renewed less than so long ago. */
  synchronized boolean isFresh(Duration age, Now now) {
    SliceTerm present = term;
    return present != null && !present.isOlderThan(age, now);
  }

  /** A slice begins, without values and buckets. */
  synchronized void begin(long id, SliceTerm first) {
    slice = id;
    term = first;
    stopped = false;
  }

  /**
   * The slice is renewed.
   *
   * @return false if the answer came after the end of the term before: then another slice may have
   *     taken the buckets meanwhile
   */
  synchronized boolean renew(SliceTerm next, Now now) {
    if (isOver(now)) {
      return false;
    }
    term = next;
    return true;
  }

  /**
   * Forgets the slice. Claims that wait for a record fail, as {@code lost} says.
   *
   * @return how many grants were answered and are not recorded
   */
  synchronized long drop(RuntimeException lost) {
    long dropped =
        unrecorded.stream().filter(Entry::isAnswered).mapToLong(one -> one.grants.size()).sum();
    unrecorded.stream()
        .filter(entry -> !entry.isAnswered)
        .forEach(entry -> entry.claim.answer.completeExceptionally(lost));
    unrecorded.clear();
    unrecordedTokens.clear();
    unrecordedSlots.clear();
    unused.clear();
    sentBack.clear();
    known.clear();
    knownCount = 0;
    term = null;
    stopped = false;
    nothingFound = false;
    notifyAll();
    return dropped;
  }

  /** Values were taken. Claims that lacked some are tried again. */
  synchronized List<Waiting> add(Collection<Value> values) {
    unused.addAll(values);
    if (!values.isEmpty()) {
      exhausted = null;
      nothingFound = false;
    }
    List<Waiting> again = List.copyOf(lacking);
    lacking.clear();
    return again;
  }

  /**
   * Compares the values that are not granted with those in the slice: forgets those that are not
   * there.
   *
   * @return those in the slice of which this does not know
   */
  synchronized List<Value> reconcile(List<Value> values) {
    Set<Long> listed = values.stream().map(Value::token).collect(Collectors.toSet());
    unused.removeIf(value -> !listed.contains(value.token()));
    Set<Long> tokens = new HashSet<>(unrecordedTokens.keySet());
    tokens.addAll(sentBack);
    unused.forEach(value -> tokens.add(value.token()));
    return values.stream().filter(value -> !tokens.contains(value.token())).toList();
  }

  /** No value is free: rejects the claims that lack some, and those that follow for a while. */
  synchronized List<Waiting> exhaust(Exhausted answer, Now now) {
    exhausted = answer;
    exhaustedNanos = now.nanos();
    List<Waiting> rejected = List.copyOf(lacking);
    lacking.clear();
    return rejected;
  }

  /** Takes the claims out that have lacked values since a time, or longer. */
  synchronized List<Waiting> takeLackingSince(long nanos) {
    List<Waiting> old = lacking.stream().filter(one -> one.since.nanos() - nanos <= 0).toList();
    lacking.removeAll(old);
    return old;
  }

  /** A value was released here, or time has passed: claims are sent to the database again. */
  synchronized void forgetExhausted() {
    exhausted = null;
    nothingFound = false;
  }

  /** How many values the claims lack that wait. */
  synchronized int lacked() {
    int lacked = lacking.stream().mapToInt(claim -> claim.request.count()).sum();
    return lacked == 0 ? 0 : lacked - unused.size();
  }

  synchronized int unusedCount() {
    return unused.size();
  }

  /** How many values of the slice are known here: those not granted, and those not recorded. */
  synchronized long valueCount() {
    return (long) unused.size() + unrecordedTokens.size();
  }

  /**
   * Takes values out that were not granted.
   *
   * @return all that are to be given back: those, and the ones before that were not {@link
   *     #returned}
   */
  synchronized List<Long> remove(int count) {
    for (int i = 0; i < count && !unused.isEmpty(); i++) {
      sentBack.add(unused.removeLast().token());
    }
    return List.copyOf(sentBack);
  }

  /** As {@link #remove(int)}, those of some values that were not granted. */
  synchronized List<Long> remove(Set<Long> tokens) {
    for (Iterator<Value> values = unused.iterator(); values.hasNext(); ) {
      long token = values.next().token();
      if (tokens.contains(token)) {
        values.remove();
        sentBack.add(token);
      }
    }
    return List.copyOf(sentBack);
  }

  /** The database has taken values back, or did not have them in the slice any more. */
  synchronized void returned(List<Long> tokens) {
    tokens.forEach(sentBack::remove);
  }

  synchronized BitSet buckets() {
    BitSet buckets = new BitSet(ClientBuckets.COUNT);
    known.keySet().forEach(buckets::set);
    return buckets;
  }

  synchronized int bucketCount() {
    return known.size();
  }

  /** Opens buckets with the slots of their clients that may hold a value. */
  synchronized void open(Collection<Integer> buckets, Map<Integer, Set<Slot>> loaded) {
    for (int bucket : buckets) {
      Set<Slot> slots = loaded.getOrDefault(bucket, new HashSet<>());
      known.put(bucket, slots);
      knownCount += slots.size();
    }
  }

  /** Closes some buckets: from now on nothing is granted to their clients here. */
  synchronized List<Integer> closeBuckets(int count) {
    List<Integer> buckets = known.keySet().stream().limit(count).toList();
    for (int bucket : buckets) {
      Set<Slot> slots = known.remove(bucket);
      knownCount -= slots == null ? 0 : slots.size();
    }
    return buckets;
  }

  /** How many slots are known. */
  synchronized long knownCount() {
    return knownCount;
  }

  synchronized boolean hasUnrecorded() {
    return !unrecorded.isEmpty();
  }

  /** The first grants to record; they stay here until {@link #recorded}. */
  synchronized List<Entry> toRecord(int max) {
    return unrecorded.stream().limit(max).toList();
  }

  /** Grants were recorded, or have ended with the slice. */
  synchronized void recorded(List<Entry> entries) {
    for (Entry entry : entries) {
      unrecorded.remove();
      entry.grants.forEach(
          grant -> {
            unrecordedTokens.remove(grant.value().token());
            unrecordedSlots.remove(grant.slot());
          });
    }
    notifyAll();
  }

  /** Waits until a grant is recorded, or not known here. False after {@code patience}. */
  synchronized boolean awaitRecord(long token, Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (unrecordedTokens.containsKey(token)) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      wait(Math.max(1, left / 1_000_000));
    }
    return true;
  }

  /** The next claims for which the database is asked. */
  synchronized List<Waiting> toAsk(int max) {
    List<Waiting> next = new ArrayList<>();
    while (next.size() < max && !asking.isEmpty()) {
      next.add(asking.remove());
    }
    return next;
  }

  /** Puts claims back for which the database was asked too early. */
  synchronized void askAgain(Collection<Waiting> claims) {
    asking.addAll(claims);
  }

  /** All claims that wait for the database or for values. */
  synchronized List<Waiting> takeWaiting() {
    List<Waiting> all = new ArrayList<>(asking);
    all.addAll(lacking);
    asking.clear();
    lacking.clear();
    return all;
  }

  /** Values are taken when fewer than so many are left. */
  synchronized void setLow(int values) {
    low = values;
  }

  /**
   * Waits for something to do, up to a time.
   *
   * @return whether there is something
   */
  synchronized boolean awaitWork(Duration max) throws InterruptedException {
    long deadline = System.nanoTime() + max.toNanos();
    while (!hasWork()) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      wait(Math.max(1, left / 1_000_000));
    }
    return true;
  }

  private boolean hasWork() {
    return closed
        || stopped
        || !asking.isEmpty()
        || !unrecorded.isEmpty()
        || !lacking.isEmpty()
        || (term != null && isLow());
  }

  /** Whether values should be taken before claims lack some. */
  synchronized boolean isLow() {
    return unused.size() < low && exhausted == null && !nothingFound;
  }

  /** No value could be taken: none is taken ahead of need until {@link #forgetExhausted}. */
  synchronized void foundNothing() {
    nothingFound = true;
  }

  /** Ends the work: no further claim is accepted. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  synchronized SlicedPool.Usage usage(Now now) {
    return new SlicedPool.Usage(
        unused.size(), known.size(), unrecordedTokens.size(), granted, !isOver(now));
  }
}
