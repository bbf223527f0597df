package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.postgres.pool.ClaimAttempt.Answer;
import dev.mintmark.postgres.pool.ClaimAttempt.Found;
import dev.mintmark.postgres.pool.ClaimAttempt.Outcome;
import dev.mintmark.postgres.pool.ClaimAttempt.Slot;
import dev.mintmark.postgres.pool.ClaimAttempt.SlotRequest;
import dev.mintmark.postgres.pool.ClaimResult.Quota;
import dev.mintmark.postgres.pool.ClaimResult.QuotaReached;
import dev.mintmark.postgres.pool.PoolLayout.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the answers for slots are for the requests, without a database. */
class ClaimAttemptTest {
  private static final Set<Outcome> WITH_CLAIM =
      EnumSet.of(Outcome.GRANTED, Outcome.ROUSED, Outcome.HELD, Outcome.ENDED);

  /** Outcomes with which a slot has its value. */
  private static final Set<Outcome> FILLED =
      EnumSet.of(Outcome.GRANTED, Outcome.ROUSED, Outcome.HELD);

  private static final ClaimRequest ONE = ClaimRequest.of("a").withSlot(3);

  private static Answer answer(Slot slot, Outcome outcome) {
    return new Answer(
        slot,
        outcome,
        WITH_CLAIM.contains(outcome) ? Optional.of(row(slot, 1)) : Optional.empty(),
        true);
  }

  private static ClaimRow row(Slot slot, long token) {
    return new ClaimRow(
        new Place(1, slot.number()),
        slot.client(),
        slot.number(),
        Optional.empty(),
        token,
        Instant.EPOCH,
        Optional.empty(),
        Optional.empty());
  }

  private static ClaimAttempt attempt(ClaimRequest request, Answer... answers) {
    Map<Slot, Answer> bySlot = new HashMap<>();
    for (Answer answer : answers) {
      bySlot.put(answer.slot(), answer);
    }
    return ClaimAttempt.of(List.of(request), bySlot);
  }

  /** All of an attempt, to compare it as a whole. */
  private static List<Object> all(ClaimAttempt attempt) {
    return List.of(
        attempt.refused,
        attempt.found,
        attempt.unknownOwners,
        attempt.contended,
        attempt.full,
        attempt.stopped,
        attempt.cutOff,
        attempt.sliced,
        attempt.missing,
        attempt.ended,
        attempt.withdraws,
        attempt.fenced,
        attempt.locked,
        attempt.undone);
  }

  @ParameterizedTest
  @EnumSource(Outcome.class)
  void anOutcomeForOneSlotIsThatOfTheRequest(Outcome outcome) {
    Answer answer = answer(new Slot("a", 3), outcome);
    ClaimAttempt expected = new ClaimAttempt();
    switch (outcome) {
      case GRANTED, ROUSED -> expected.found.add(new Found(ONE, List.of(answer), true));
      case HELD -> expected.found.add(new Found(ONE, List.of(answer), false));
      case ENDED, DUE -> expected.ended = true;
      case FULL -> expected.full.add(ONE.subject());
      case CONTENDED -> expected.contended.add(ONE.subject());
      case WITHDRAW -> expected.withdraws = true;
      case FENCED -> expected.fenced = true;
      case STOPPED -> expected.stopped.add(ONE.subject());
      case CUT_OFF -> expected.cutOff.add(ONE.subject());
      case SLICED -> expected.sliced.add(ONE.subject());
      case LAST -> {} // reclaim.sql has answered, and claim.sql again.
    }

    assertThat(all(attempt(ONE, answer))).isEqualTo(all(expected));
  }

  @Test
  void aSlotWithoutAnAnswerLacksAValue() {
    ClaimAttempt expected = new ClaimAttempt();
    expected.missing = 1;

    assertThat(all(attempt(ONE, answer(new Slot("a", 2), Outcome.HELD)))).isEqualTo(all(expected));
  }

  /** Every pair of outcomes, and of an outcome and no answer. */
  @Test
  void allSlotsOfARequestAreFilledOrNone() {
    ClaimRequest request = ONE.withCount(2);
    List<@Nullable Outcome> outcomes = new ArrayList<>(List.of(Outcome.values()));
    outcomes.add(null);
    for (Outcome first : outcomes) {
      for (Outcome second : outcomes) {
        List<Answer> answers = new ArrayList<>();
        if (first != null) {
          answers.add(answer(new Slot("a", 3), first));
        }
        if (second != null) {
          answers.add(answer(new Slot("a", 4), second));
        }
        ClaimAttempt attempt = attempt(request, answers.toArray(Answer[]::new));

        long filled = answers.stream().filter(one -> FILLED.contains(one.outcome())).count();
        long lacking = 2L - answers.size();
        long taken = answers.stream().filter(one -> one.outcome() == Outcome.GRANTED).count();
        boolean isGranted =
            answers.stream()
                .anyMatch(
                    one -> EnumSet.of(Outcome.GRANTED, Outcome.ROUSED).contains(one.outcome()));
        assertThat(attempt.found)
            .as("%s and %s", first, second)
            .isEqualTo(filled < 2 ? List.of() : List.of(new Found(request, answers, isGranted)));
        assertThat(attempt.undone).as("%s and %s", first, second).isEqualTo(filled < 2);
        assertThat(attempt.missing)
            .as("%s and %s: what was taken is rolled back", first, second)
            .isEqualTo(lacking == 0 ? 0 : lacking + taken);
      }
    }
  }

  @Test
  void theRequestThatLacksMostSaysHowManyAreMissing() {
    List<ClaimRequest> requests =
        List.of(ONE, ClaimRequest.of("b").withCount(3), ClaimRequest.of("c").withCount(2));

    assertThat(ClaimAttempt.of(requests, Map.of()).missing).isEqualTo(3);
  }

  /** Answers to the parts of a batch, combined, are those to the batch. */
  @Test
  void resultsOfStatementsThatFollowAreAdded() {
    long seed = 41;
    Random random = new Random(seed);
    Outcome[] outcomes = Outcome.values();
    for (int round = 0; round < 500; round++) {
      List<ClaimRequest> requests =
          IntStream.range(0, 1 + random.nextInt(4))
              .mapToObj(i -> ClaimRequest.of("c" + i).withCount(1 + random.nextInt(3)))
              .toList();
      Map<Slot, Answer> answers = new HashMap<>();
      requests.stream()
          .flatMap(ClaimAttempt::slotsOf)
          .filter(one -> random.nextInt(4) > 0)
          .forEach(
              one ->
                  answers.put(
                      one.slot(), answer(one.slot(), outcomes[random.nextInt(outcomes.length)])));
      int at = random.nextInt(requests.size() + 1);

      ClaimAttempt parts =
          ClaimAttempt.of(requests.subList(0, at), answers)
              .with(ClaimAttempt.of(requests.subList(at, requests.size()), answers));

      assertThat(all(parts))
          .as("seed %d, round %d", seed, round)
          .isEqualTo(all(ClaimAttempt.of(requests, answers)));
    }
  }

  @Test
  void refusalsAndUnknownOwnersAreAddedToo() {
    QuotaReached refusal = new QuotaReached("p", Quota.OWNER, "o", 1);
    ClaimAttempt then = new ClaimAttempt();
    then.refused.put(ONE.subject(), refusal);
    then.unknownOwners.add("o");

    ClaimAttempt both = new ClaimAttempt().with(then);

    assertThat(both.refused).isEqualTo(Map.of(ONE.subject(), refusal));
    assertThat(both.unknownOwners).containsExactly("o");
  }

  @Test
  void aLockIsOfAllRequestsOrOfOneOrMore() {
    ClaimAttempt locked = new ClaimAttempt();
    locked.locked = true;
    ClaimAttempt contended = new ClaimAttempt();
    contended.contended.addAll(List.of(ONE.subject(), ClaimRequest.of("b").subject()));

    assertThat(all(ClaimAttempt.ofLocked())).isEqualTo(all(locked));
    assertThat(all(ClaimAttempt.ofContended(List.of(ONE, ClaimRequest.of("b")))))
        .isEqualTo(all(contended));
    assertThat(Answer.contended(new Slot("a", 3)))
        .isEqualTo(new Answer(new Slot("a", 3), Outcome.CONTENDED, Optional.empty(), false));
  }

  @Test
  void theSlotsOfARequestAreTheParametersOfStatements() {
    ClaimRequest several = ONE.withCount(2).withOwner("o").withLease(Duration.ofSeconds(90));
    List<SlotRequest> slots = ClaimAttempt.slotsOf(several).toList();

    assertThat(slots)
        .containsExactly(
            new SlotRequest(new Slot("a", 3), several), new SlotRequest(new Slot("a", 4), several));
    assertThat(ClaimAttempt.clients(slots)).containsExactly("a", "a");
    assertThat(ClaimAttempt.numbers(slots)).containsExactly(3, 4);
    assertThat(ClaimAttempt.ownerOrNull(several)).isEqualTo("o");
    assertThat(ClaimAttempt.leaseOrNull(several)).isEqualTo(90_000);
    assertThat(ClaimAttempt.ownerOrNull(ONE)).isNull();
    assertThat(ClaimAttempt.leaseOrNull(ONE)).isNull();
  }

  @Test
  void tokensAreRememberedByTheEpochInWhichTheyWereRead() {
    Fence.Known known = new Fence.Known(null, 0);
    Answer inEpoch = new Answer(new Slot("a", 0), Outcome.HELD, token(0, 5), true);
    Answer elsewhere = new Answer(new Slot("a", 1), Outcome.HELD, token(1, 9), false);
    Found found = new Found(ClaimRequest.of("a").withCount(2), List.of(inEpoch, elsewhere), false);

    assertThat(found.isBelieved(known)).isTrue();
    assertThat(found.rows()).extracting(ClaimRow::token).containsExactly(5L, 9L);

    assertThat(known.end()).isEqualTo(new EpochHistory.Seen(null, 5, 9));
    for (List<Answer> answers :
        List.of(List.of(inEpoch, elsewhere), List.of(inEpoch), List.of(elsewhere))) {
      assertThat(new Found(ONE, answers, false).isBelieved(known))
          .as("the epoch is over")
          .isFalse();
    }
    assertThat(new Found(ONE, Collections.emptyList(), false).isBelieved(known)).isTrue();
  }

  private static Optional<ClaimRow> token(int slot, long token) {
    return Optional.of(row(new Slot("a", slot), token));
  }
}
