package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.ClaimAttempt.Slot;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.PoolLayout.Place;
import dev.mintmark.postgres.pool.SliceState.Entry;
import dev.mintmark.postgres.pool.SliceState.Step;
import dev.mintmark.postgres.pool.SliceState.Waiting;
import dev.mintmark.postgres.pool.SliceStore.HeldSlot;
import dev.mintmark.postgres.pool.SliceStore.Value;
import dev.mintmark.postgres.pool.SliceTerm.Now;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one instance decides of its slice, without a database. */
@Timeout(600)
class SliceStateTest {
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
  private static final Now START = new Now(0, 0);
  private static final Now OVER = at(Duration.ofHours(1));
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration LENGTH = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(1);
  private static final SliceTerm TERM = new SliceTerm(AT, START, LENGTH);
  private static final Exhausted NOTHING_FREE = new Exhausted("p", AT, LEASE);

  private final SliceState state = new SliceState("p", false);

  private static Now at(Duration time) {
    return new Now(time.toNanos(), time.toMillis());
  }

  private static Waiting claim(String client, int count) {
    return claim(client, count, LEASE, START);
  }

  private static Waiting claim(String client, int count, Duration lease, Now since) {
    return new Waiting(
        ClaimRequest.of(client).withOwner("o").withCount(count),
        lease,
        ClientBuckets.of(client),
        since,
        new CompletableFuture<>());
  }

  /** A slice with the buckets of some clients, none of which holds anything, and without values. */
  private static void begin(SliceState state, String... clients) {
    state.begin(7, TERM);
    state.open(Arrays.stream(clients).map(ClientBuckets::of).toList(), Map.of());
  }

  private static void open(SliceState state, String client, Slot... loaded) {
    int bucket = ClientBuckets.of(client);
    state.open(List.of(bucket), Map.of(bucket, new HashSet<>(List.of(loaded))));
  }

  /** Values whose places are their tokens. */
  private static List<Value> values(long... tokens) {
    return LongStream.of(tokens)
        .mapToObj(token -> new Value(new Place(1, token), token, Optional.empty()))
        .toList();
  }

  private static ClaimRow row(String client, int slot, long token) {
    return row(client, slot, token, AT);
  }

  private static ClaimRow row(String client, int slot, long token, Instant claimedAt) {
    return new ClaimRow(
        new Place(1, token),
        client,
        slot,
        Optional.of("o"),
        token,
        claimedAt,
        Optional.of(claimedAt.plus(LEASE)),
        Optional.empty());
  }

  private static Map<Slot, HeldSlot> held(ClaimRow... rows) {
    Map<Slot, HeldSlot> held = new HashMap<>();
    for (ClaimRow row : rows) {
      held.put(new Slot(row.client(), row.slot()), new HeldSlot(row, false));
    }
    return held;
  }

  private static Entry answered(Step step) {
    assertThat(step).isInstanceOf(Step.Answer.class);
    return ((Step.Answer) step).entry();
  }

  private static void assertWaits(Step step) {
    assertThat(step).isInstanceOf(Step.Wait.class);
  }

  private static List<Long> tokens(Entry entry) {
    return entry.rows(Map.of()).stream().map(ClaimRow::token).toList();
  }

  @Test
  void aClientThatHoldsNothingIsAnsweredFromMemory() {
    begin(state, "a");
    state.add(values(1, 2, 3));

    Entry entry = answered(state.claim(claim("a", 2), at(Duration.ofSeconds(1))));

    assertThat(entry.isAnswered()).isTrue();
    assertThat(entry.rows(Map.of()))
        .containsExactly(row("a", 0, 1, AT.plusSeconds(1)), row("a", 1, 2, AT.plusSeconds(1)));
    assertThat(state.toRecord(9)).containsExactly(entry);
    assertThat(state.unusedCount()).isOne();
    assertThat(state.valueCount()).isEqualTo(3);
    assertThat(state.knownCount()).isEqualTo(2);
    assertThat(state.usage(START)).isEqualTo(new SlicedPool.Usage(1, 1, 2, 2, true));
    assertThat(state.usage(OVER)).isEqualTo(new SlicedPool.Usage(1, 1, 2, 2, false));
  }

  @Test
  void theDatabaseIsAskedWithoutASliceOrAfterIt() {
    Waiting before = claim("a", 1);
    Waiting after = claim("a", 1);
    Waiting elsewhere = claim("b", 1);

    assertWaits(state.claim(before, START));
    begin(state, "a");
    state.add(values(1));
    assertWaits(state.claim(after, OVER));
    assertWaits(state.claim(elsewhere, START));

    assertThat(state.toAsk(2)).containsExactly(before, after);
    assertThat(state.toAsk(2)).containsExactly(elsewhere);
    assertThat(state.toAsk(2)).isEmpty();
  }

  @Test
  void theDatabaseIsAskedForASlotThatMayHoldSomething() {
    begin(state);
    open(state, "a", new Slot("a", 1));
    state.add(values(1, 2, 3));
    Waiting both = claim("a", 2);

    assertWaits(state.claim(both, START));
    assertThat(state.toAsk(1)).containsExactly(both);
    assertThat(tokens(answered(state.claim(claim("a", 1), START)))).containsExactly(1L);
    assertWaits(state.claim(claim("a", 1), START));
  }

  @Test
  void whatTheDatabaseHasIsAnsweredAndTheRestGranted() {
    begin(state);
    open(state, "a", new Slot("a", 0), new Slot("a", 1), new Slot("a", 2));
    state.add(values(1, 2, 3));

    Entry entry =
        answered(state.answer(claim("a", 3), held(row("a", 1, 900)), START).orElseThrow());

    assertThat(tokens(entry)).containsExactly(1L, 900L, 2L);
    assertThat(entry.grants()).hasSize(2);
    assertThat(state.knownCount()).isEqualTo(3);
    assertThat(state.unusedCount()).isOne();
  }

  @Test
  void aClientThatHoldsAllNeedsNoValue() {
    begin(state);
    open(state, "a", new Slot("a", 0));

    Entry entry =
        answered(state.answer(claim("a", 1), held(row("a", 0, 900)), START).orElseThrow());

    assertThat(tokens(entry)).containsExactly(900L);
    assertThat(state.knownCount()).isOne();
  }

  @Test
  void aSlotThatHoldsNothingIsForgottenEvenIfNoValueIsThere() {
    begin(state);
    open(state, "a", new Slot("a", 0), new Slot("a", 1));

    assertWaits(state.answer(claim("a", 1), Map.of(), START).orElseThrow());

    assertThat(state.knownCount()).isOne();
  }

  @Test
  void theDatabaseIsAskedAgainIfItsAnswerMayBeOld() {
    begin(state, "a");
    state.add(values(1));
    answered(state.claim(claim("a", 1), START));
    Waiting unrecorded = claim("a", 1);
    Waiting late = claim("a", 1);

    assertWaits(state.answer(unrecorded, Map.of(), START).orElseThrow());
    assertThat(state.toAsk(9)).containsExactly(unrecorded);
    state.recorded(state.toRecord(1));
    assertWaits(state.answer(late, Map.of(), OVER).orElseThrow());
    assertThat(state.toAsk(9)).containsExactly(late);
    assertThat(state.answer(claim("b", 1), Map.of(), START)).isEmpty();
    state.askAgain(List.of(late));
    assertThat(state.toAsk(9)).containsExactly(late);
  }

  @Test
  void aGrantWithoutACertainEndIsAnsweredAfterItsRecord() {
    begin(state, "a");
    state.add(values(1));
    Waiting waiting = claim("a", 1, LENGTH, START);
    assertWaits(state.claim(waiting, START));

    Entry entry = state.toRecord(1).get(0);
    Instant end = AT.plusSeconds(99);

    assertThat(entry.isAnswered()).isFalse();
    assertThat(entry.grants().get(0).expiresAt()).isEmpty();
    assertThat(entry.rows(Map.of(1L, end)).get(0).expiresAt()).contains(end);
  }

  @Test
  void everyGrantIsRecordedFirstIfThatIsWanted() {
    SliceState careful = new SliceState("p", true);
    begin(careful, "a");
    careful.add(values(1));

    assertWaits(careful.claim(claim("a", 1), START));

    Entry entry = careful.toRecord(1).get(0);
    assertThat(entry.isAnswered()).isFalse();
    assertThat(entry.grants().get(0).expiresAt()).contains(AT.plus(LEASE));
  }

  @Test
  void aClaimThatLacksValuesIsTriedAgainWithNewOnes() {
    begin(state, "a", "b", "c");
    Waiting two = claim("a", 2);
    Waiting one = claim("b", 1);
    assertThat(state.lacked()).isZero();
    state.add(values(1));

    assertWaits(state.claim(two, START));
    assertThat(state.lacked()).isOne();
    answered(state.claim(one, START));
    assertThat(state.lacked()).isEqualTo(2);
    assertThat(state.add(values(2, 3))).containsExactly(two);
    assertThat(state.add(List.of())).isEmpty();
    assertThat(state.lacked()).isZero();
    assertThat(tokens(answered(state.claim(two, START)))).containsExactly(2L, 3L);
  }

  @Test
  void anEmptyPoolIsRememberedForAWhile() {
    begin(state, "a", "b");
    Waiting waiting = claim("a", 1);
    assertWaits(state.claim(waiting, START));

    Duration since = Duration.ofSeconds(5);
    assertThat(state.exhaust(NOTHING_FREE, at(since))).containsExactly(waiting);
    assertThat(state.lacked()).isZero();
    Now last = at(since.plus(Pool.REMEMBERED_FOR).minusNanos(1));
    assertThat(state.claim(claim("b", 1), last)).isEqualTo(new Step.Reject(NOTHING_FREE));
    assertWaits(state.claim(claim("b", 1), at(since.plus(Pool.REMEMBERED_FOR))));
  }

  @Test
  void nothingIsRememberedAfterAReleaseOrWithValues() {
    begin(state, "a", "b");
    state.exhaust(NOTHING_FREE, START);
    state.forgetExhausted();
    assertWaits(state.claim(claim("a", 1), START));

    state.exhaust(NOTHING_FREE, START);
    state.add(List.of());
    assertThat(state.claim(claim("b", 2), START)).isInstanceOf(Step.Reject.class);
    state.add(values(1));
    assertWaits(state.claim(claim("b", 2), START));
    state.exhaust(NOTHING_FREE, START);
    assertWaits(state.claim(claim("b", 2), START));
  }

  @Test
  void claimsThatLackValuesForLongAreTakenOut() {
    begin(state, "a", "b");
    Waiting old = claim("a", 1, LEASE, at(Duration.ofSeconds(1)));
    Waiting young = claim("b", 1, LEASE, at(Duration.ofSeconds(2)));
    state.claim(old, START);
    state.claim(young, START);

    assertThat(state.takeLackingSince(999_999_999)).isEmpty();
    assertThat(state.takeLackingSince(1_000_000_000)).containsExactly(old);
    assertThat(state.takeLackingSince(1_000_000_000)).isEmpty();
    assertThat(state.takeWaiting()).containsExactly(young);
  }

  @Test
  void aTermIsRenewedBeforeItsEndOnly() {
    SliceTerm next = new SliceTerm(AT.plusSeconds(30), at(Duration.ofSeconds(30)), LENGTH);
    assertThat(state.renew(next, START)).as("no slice").isFalse();
    begin(state);
    assertThat(state.slice(START)).contains(7L);
    assertThat(state.isFresh(Duration.ofSeconds(30), at(Duration.ofSeconds(30)))).isFalse();

    assertThat(state.renew(next, at(Duration.ofSeconds(31)))).isTrue();

    assertThat(state.isFresh(Duration.ofSeconds(30), at(Duration.ofSeconds(59)))).isTrue();
    assertThat(state.slice(at(Duration.ofSeconds(80)))).contains(7L);
    assertThat(state.slice(OVER)).isEmpty();
    assertThat(state.renew(TERM, OVER)).isFalse();
    assertThat(state.isFresh(LENGTH, at(Duration.ofSeconds(80)))).isTrue();
  }

  @Test
  void withoutASliceNothingIsFresh() {
    assertThat(state.isFresh(LENGTH, START)).isFalse();
    assertThat(state.slice(START)).isEmpty();
  }

  @Test
  void aDroppedSliceHasNeitherValuesNorBuckets() {
    begin(state, "a");
    state.add(values(1, 2));
    answered(state.claim(claim("a", 1), START));
    state.foundNothing();

    assertThat(state.drop(new IllegalStateException("lost"))).isOne();

    assertThat(state.usage(START)).isEqualTo(new SlicedPool.Usage(0, 0, 0, 1, false));
    assertThat(state.knownCount()).isZero();
    assertThat(state.valueCount()).isZero();
    assertThat(state.toRecord(9)).isEmpty();
    assertThat(state.isLow()).isTrue();
    begin(state);
    open(state, "a", new Slot("a", 0));
    state.add(values(3));
    answered(state.answer(claim("a", 1), Map.of(), START).orElseThrow());
    state.recorded(state.toRecord(9));
    assertThat(state.drop(new IllegalStateException("lost"))).as("all was recorded").isZero();
  }

  @Test
  void claimsThatWaitForARecordFailWithTheSlice() {
    begin(state, "a");
    state.add(values(1));
    Waiting waiting = claim("a", 1, LENGTH, START);
    assertWaits(state.claim(waiting, START));
    IllegalStateException lost = new IllegalStateException("lost");

    assertThat(state.drop(lost)).as("nothing was answered").isZero();

    assertThat(waiting.answer()).isCompletedExceptionally();
    assertThat(waiting.answer().handle((result, failure) -> failure)).isCompletedWithValue(lost);
  }

  @Test
  void anAnsweredClaimDoesNotFailWithTheSlice() {
    begin(state, "a");
    state.add(values(1));
    Waiting claim = claim("a", 1);
    answered(state.claim(claim, START));

    assertThat(state.drop(new IllegalStateException("lost"))).isOne();

    assertThat(claim.answer()).isNotDone();
  }

  @Test
  void valuesThatAreNotKnownHereAreFound() {
    begin(state, "a");
    state.add(values(1, 2));
    answered(state.claim(claim("a", 1), START));

    assertThat(state.reconcile(values(1, 2, 3))).isEqualTo(values(3));
    state.recorded(state.toRecord(1));
    assertThat(state.reconcile(values(1, 2, 3))).isEqualTo(values(1, 3));
  }

  @Test
  void valuesThatAreNotInTheSliceAreForgotten() {
    state.add(values(1, 2, 3));

    assertThat(state.reconcile(values(2))).isEmpty();

    assertThat(state.unusedCount()).isOne();
    assertThat(state.remove(9)).containsExactly(2L);
  }

  @Test
  void aValueThatWasSentBackIsNotUsedAgain() {
    state.add(values(1, 2, 3));
    assertThat(state.remove(1)).containsExactly(3L);

    assertThat(state.reconcile(values(1, 2, 3))).isEmpty();

    assertThat(state.valueCount()).isEqualTo(2);
    assertThat(state.remove(0)).as("to be given back again").containsExactly(3L);
    assertThat(state.remove(1)).containsExactly(3L, 2L);
    state.returned(List.of(3L, 2L));
    assertThat(state.remove(0)).isEmpty();
    state.drop(new IllegalStateException("lost"));
    assertThat(state.remove(0)).isEmpty();
  }

  @Test
  void aStoppedSliceGrantsNothingAndKeepsItsGrants() throws InterruptedException {
    begin(state, "a");
    state.add(values(1, 2));
    Entry entry = answered(state.claim(claim("a", 1), START));
    assertThat(state.stoppedSlice(START)).isEmpty();

    state.stop();

    assertWaits(state.claim(claim("a", 1), START));
    assertThat(state.usage(START)).isEqualTo(new SlicedPool.Usage(1, 1, 1, 1, false));
    assertThat(state.slice(START)).isEmpty();
    assertThat(state.stoppedSlice(START)).contains(7L);
    assertThat(state.stoppedSlice(OVER)).isEmpty();
    assertThat(state.toRecord(9)).containsExactly(entry);
    assertThat(state.awaitWork(SHORT)).isTrue();
    state.drop(new IllegalStateException("lost"));
    assertThat(state.stoppedSlice(START)).isEmpty();
    begin(state, "a");
    assertThat(state.slice(START)).contains(7L);
  }

  @Test
  void valuesThatWereNotGrantedAreTakenOut() {
    state.add(values(1, 2, 3, 4, 5));

    assertThat(state.remove(2)).containsExactly(5L, 4L);
    state.returned(List.of(5L, 4L));
    assertThat(state.remove(Set.of(2L, 4L))).containsExactly(2L);
    state.returned(List.of(2L));
    assertThat(state.remove(0)).isEmpty();
    assertThat(state.remove(9)).containsExactly(3L, 1L);
    state.returned(List.of(3L, 1L));
    assertThat(state.remove(1)).isEmpty();
  }

  @Test
  void bucketsAreOpenedAndClosedWithTheirSlots() {
    begin(state, "a");
    open(state, "b", new Slot("b", 0), new Slot("b", 1));
    assertThat(state.knownCount()).isEqualTo(2);
    assertThat(state.bucketCount()).isEqualTo(2);
    assertThat(state.buckets().stream())
        .containsExactlyInAnyOrder(ClientBuckets.of("a"), ClientBuckets.of("b"));

    List<Integer> closed = state.closeBuckets(1);

    assertThat(closed).hasSize(1);
    assertThat(state.bucketCount()).isOne();
    assertThat(state.closeBuckets(5)).hasSize(1);
    assertThat(state.knownCount()).isZero();
    assertWaits(state.claim(claim("a", 1), START));
    assertThat(state.toAsk(1)).hasSize(1);
  }

  @Test
  void grantsAreRecordedInTheirOrder() throws InterruptedException {
    begin(state, "a", "b");
    state.add(values(1, 2));
    Entry first = answered(state.claim(claim("a", 1), START));
    Entry second = answered(state.claim(claim("b", 1), START));
    assertThat(state.toRecord(1)).containsExactly(first);
    assertThat(state.awaitRecord(1, SHORT)).isFalse();

    state.recorded(List.of(first));

    assertThat(state.toRecord(9)).containsExactly(second);
    assertThat(state.awaitRecord(1, SHORT)).isTrue();
    assertThat(state.awaitRecord(2, SHORT)).isFalse();
    assertThat(state.awaitRecord(99, SHORT)).as("not known here").isTrue();
  }

  @Test
  void theRecordOfAGrantWakesThoseThatWaitForIt() {
    begin(state, "a");
    state.add(values(1));
    answered(state.claim(claim("a", 1), START));
    CompletableFuture<Boolean> recorded = started(() -> state.awaitRecord(1, Patience.MAX));

    state.recorded(state.toRecord(1));

    assertThat(recorded.join()).isTrue();
  }

  @Test
  void theWorkerIsWokenByAClaim() {
    begin(state, "a");
    state.add(values(1));
    CompletableFuture<Boolean> granted = started(() -> state.awaitWork(Patience.MAX));
    answered(state.claim(claim("a", 1), START));
    assertThat(granted.join()).isTrue();
    state.recorded(state.toRecord(1));
    state.setLow(0);

    CompletableFuture<Boolean> asked = started(() -> state.awaitWork(Patience.MAX));
    state.claim(claim("a", 1), START);
    assertThat(asked.join()).isTrue();
    state.takeWaiting();
  }

  @Test
  void theWorkerIsWokenByAClaimThatLacksValues() {
    begin(state, "a");
    state.setLow(0);
    CompletableFuture<Boolean> lacked = started(() -> state.awaitWork(Patience.MAX));

    assertWaits(state.claim(claim("a", 1), START));

    assertThat(lacked.join()).isTrue();
  }

  @Test
  void thereIsNothingToDoWithEnoughValues() throws InterruptedException {
    assertThat(state.awaitWork(SHORT)).as("no slice").isFalse();
    begin(state, "a");
    assertThat(state.awaitWork(SHORT)).as("no value").isTrue();
    state.setLow(2);
    state.add(values(1, 2));
    assertThat(state.awaitWork(SHORT)).isFalse();
    state.remove(1);
    assertThat(state.awaitWork(SHORT)).isTrue();
  }

  @Test
  void noValueIsTakenAheadOfNeedFromAnEmptyPool() {
    begin(state);
    state.foundNothing();
    assertThat(state.isLow()).isFalse();
    state.forgetExhausted();
    assertThat(state.isLow()).isTrue();
    state.exhaust(NOTHING_FREE, START);
    assertThat(state.isLow()).isFalse();
    state.setLow(9);
    state.add(values(1));
    assertThat(state.isLow()).isTrue();
    state.foundNothing();
    state.add(values(2));
    assertThat(state.isLow()).isTrue();
  }

  @Test
  void aClosedInstanceAcceptsNoClaim() {
    CompletableFuture<Boolean> woken = started(() -> state.awaitWork(Patience.MAX));
    assertThat(state.isClosed()).isFalse();

    state.close();

    assertThat(woken.join()).isTrue();
    assertThat(state.isClosed()).isTrue();
    begin(state, "a");
    state.add(values(1));
    assertThat(state.claim(claim("a", 1), START)).isInstanceOf(Step.Closed.class);
  }

  @Test
  void allThatWaitAreTakenOut() {
    Waiting asking = claim("b", 1);
    Waiting lacking = claim("a", 1);
    begin(state, "a");
    state.claim(lacking, START);
    state.claim(asking, START);

    assertThat(state.takeWaiting()).containsExactly(asking, lacking);
    assertThat(state.takeWaiting()).isEmpty();
  }

  private interface Question {
    boolean ask() throws InterruptedException;
  }

  /** Asks in another thread, which waits when this returns. */
  private static CompletableFuture<Boolean> started(Question question) {
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    CompletableFuture<Boolean> answer =
        CompletableFuture.supplyAsync(
            () -> {
              thread.complete(Thread.currentThread());
              try {
                return question.ask();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            ThreadPerTask.EXECUTOR);
    Patience.await(
        "a thread that waits",
        () -> thread.join().getState() == Thread.State.TIMED_WAITING || answer.isDone());
    return answer;
  }
}
