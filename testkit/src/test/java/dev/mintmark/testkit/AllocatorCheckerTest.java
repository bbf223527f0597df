package dev.mintmark.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.testkit.AllocatorChecker.Finding;
import dev.mintmark.testkit.AllocatorChecker.Kind;
import dev.mintmark.testkit.AllocatorChecker.Rules;
import dev.mintmark.testkit.Operation.Answer;
import dev.mintmark.testkit.Operation.Call;
import dev.mintmark.testkit.Operation.Held;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Histories written by hand, and those of an allocator that is right. */
class AllocatorCheckerTest {
  private static final Rules TWO_VALUES = Rules.of(Set.of("v1", "v2"), Duration.ZERO);
  private static final Held A1 = new Held("v1", "a", 0, 1);
  private static final Held B1 = new Held("v1", "b", 0, 2);
  private static final Held A2 = new Held("v2", "a", 0, 3);

  private final List<Operation> log = new ArrayList<>();

  @Test
  void aValueSurelyHeldByTwoAtOnceIsDoubled() {
    granted(A1, 0, 10);
    granted(B1, 5, 20);

    assertThat(judge(TWO_VALUES))
        .containsExactly(
            new Finding(
                Kind.DOUBLED,
                "value v1: held by \"a\" (token 1) from +0.010 s, and at the same time by \"b\""
                    + " (token 2)"));
  }

  @Test
  void aValueThatMayHaveBeenGivenBackInTimeIsNotDoubled() {
    granted(A1, 0, 10);
    add(new Call.Release(A1), 15, 100, new Answer.Unknown("cut off"));
    granted(B1, 12, 20);

    assertThat(judge(TWO_VALUES)).isEmpty();
  }

  @Test
  void aClaimWithoutAnAnswerAccusesNobodyUntilItIsToldOf() {
    add(Call.Claim.of("a"), 0, 10, new Answer.Unknown("cut off"));
    granted(B1, 20, 30);
    assertThat(judge(TWO_VALUES)).isEmpty();

    add(Call.Claim.of("a"), 40, 50, new Answer.AlreadyHeld(List.of(A1)));
    assertThat(kinds(TWO_VALUES)).containsExactly(Kind.DOUBLED);
  }

  @Test
  void aLeaseThatMayHaveEndedHoldsNothingAndARenewalInTimeDoes() {
    Call.Claim forASecond = Call.Claim.of("a").withLease(Duration.ofSeconds(1));
    add(forASecond, 0, 10, new Answer.Granted(List.of(A1)));
    granted(B1, 980, 991);
    assertThat(judge(TWO_VALUES)).isEmpty();

    add(new Call.Renew(A1, Duration.ofSeconds(1)), 500, 510, new Answer.Renewed());
    assertThat(kinds(TWO_VALUES)).containsExactly(Kind.DOUBLED);
  }

  @Test
  void aRenewalThatMayHaveBeenOvertakenByAShorterOneCountsForTheShorter() {
    Call.Claim forASecond = Call.Claim.of("a").withLease(Duration.ofSeconds(1));
    add(forASecond, 0, 10, new Answer.Granted(List.of(A1)));
    add(new Call.Renew(A1, Duration.ofSeconds(9)), 500, 520, new Answer.Renewed());
    add(new Call.Renew(A1, Duration.ofSeconds(2)), 510, 530, new Answer.Renewed());
    granted(B1, 3_000, 3_010);

    assertThat(judge(TWO_VALUES)).isEmpty();
  }

  @Test
  void twoValuesInOneSlotAreTooMany() {
    granted(A1, 0, 10);
    granted(A2, 20, 30);

    assertThat(judge(TWO_VALUES))
        .containsExactly(
            new Finding(
                Kind.TOO_MANY,
                "client \"a\" held two values in slot 0 at the same time: v1 (token 1) since +0.010 s"
                    + " and v2 (token 3) since +0.030 s"));
  }

  @Test
  void twoSlotsMayHaveAValueEach() {
    granted(A1, 0, 10);
    Held second = new Held("v2", "a", 1, 3);
    add(Call.Claim.of("a").withSlots(1, 1), 20, 30, new Answer.Granted(List.of(second)));

    assertThat(judge(TWO_VALUES)).isEmpty();
  }

  @Test
  void moreThanAskedForIsTooMany() {
    add(Call.Claim.of("a"), 0, 10, new Answer.Granted(List.of(A1, new Held("v2", "a", 0, 1))));

    assertThat(kinds(TWO_VALUES)).contains(Kind.TOO_MANY);
  }

  @Test
  void aReleaseByATokenThatWasSupersededIsStaleWhereItIsObeyed() {
    Call.Claim forASecond = Call.Claim.of("a").withLease(Duration.ofSeconds(1));
    add(forASecond, 0, 10, new Answer.Granted(List.of(A1)));
    granted(B1, 2_000, 2_010);
    add(new Call.Release(A1), 3_000, 3_010, new Answer.Refused());
    assertThat(judge(TWO_VALUES)).isEmpty();

    add(new Call.Release(A1), 4_000, 4_010, new Answer.Released());
    assertThat(judge(TWO_VALUES))
        .containsExactly(
            new Finding(
                Kind.STALE_TOKEN,
                "value v1: held by \"a\" (token 1) from +0.010 s, was taken back by that token at"
                    + " +4.000 s, though given to \"b\" (token 2) before"));
  }

  @Test
  void aReleaseObeyedTwiceIsStaleAndSoIsARenewalAfterIt() {
    granted(A1, 0, 10);
    add(new Call.Release(A1), 20, 30, new Answer.Released());
    add(new Call.Renew(A1, Duration.ofSeconds(1)), 40, 50, new Answer.Renewed());
    assertThat(kinds(TWO_VALUES)).containsExactly(Kind.STALE_TOKEN);

    log.remove(2);
    add(new Call.Release(A1), 40, 50, new Answer.Released());
    assertThat(kinds(TWO_VALUES)).containsExactly(Kind.STALE_TOKEN);
  }

  @Test
  void tokensOfAValueMustAscend() {
    granted(B1, 0, 10);
    add(new Call.Release(B1), 20, 30, new Answer.Released());
    granted(A1, 40, 50);

    assertThat(kinds(TWO_VALUES)).containsExactly(Kind.STALE_TOKEN);
  }

  @Test
  void anAcknowledgedClaimThatIsNotThereHasVanished() {
    granted(A1, 0, 10);
    add(new Call.ListHeld(), 20, 30, new Answer.Listed(List.of()));
    assertThat(kinds(TWO_VALUES)).containsExactly(Kind.VANISHED);

    log.remove(1);
    add(new Call.Release(A1), 20, 30, new Answer.Refused());
    assertThat(kinds(TWO_VALUES)).containsExactly(Kind.VANISHED);

    log.remove(1);
    add(new Call.Renew(A1, Duration.ofSeconds(1)), 20, 30, new Answer.Refused());
    assertThat(kinds(TWO_VALUES)).containsExactly(Kind.VANISHED);
  }

  @Test
  void aRefusalWhileAnotherReleaseIsUnderWayIsNoLoss() {
    granted(A1, 0, 10);
    add(new Call.Release(A1), 20, 30, new Answer.Refused());
    add(new Call.Release(A1), 25, 40, new Answer.Released());

    assertThat(judge(TWO_VALUES)).isEmpty();
  }

  @Test
  void aValueThatIsNotToBeHadInTheEndIsLost() {
    granted(A1, 0, 10);
    add(Call.Claim.of("c"), 5, 15, new Answer.Unknown("cut off"));
    add(Call.Claim.of("d"), 1_020, 1_030, new Answer.Exhausted());
    add(new Call.ListHeld(), 1_040, 1_050, new Answer.Listed(List.of(A1)));

    Finding lost =
        new Finding(
            Kind.LOST,
            "value v2: no client holds it, and no claim is granted it; it was never handed out;"
                + " claims without an answer were those of \"c\"");
    assertThat(judge(Rules.of(TWO_VALUES.values(), Duration.ofSeconds(1)))).containsExactly(lost);
    assertThat(judge(Rules.of(TWO_VALUES.values(), Duration.ofSeconds(2)))).isEmpty();
  }

  @Test
  void countsMustAddUpAndCoverWhatIsSurelyHeld() {
    granted(A1, 0, 10);
    add(new Call.Count(), 20, 30, new Answer.Counted(new PoolCounts(2, 1, 0, 1, 0, 0, 0)));
    assertThat(judge(TWO_VALUES)).isEmpty();

    add(new Call.Count(), 40, 50, new Answer.Counted(new PoolCounts(2, 0, 0, 1, 0, 0, 0)));
    add(new Call.Count(), 40, 50, new Answer.Counted(new PoolCounts(2, 2, 0, 0, 0, 0, 0)));
    add(new Call.Count(), 40, 50, new Answer.Counted(new PoolCounts(3, 2, 0, 1, 0, 0, 0)));
    assertThat(kinds(TWO_VALUES))
        .containsExactly(Kind.MISCOUNTED, Kind.MISCOUNTED, Kind.MISCOUNTED);
  }

  @Test
  void anOwnerMayHoldAsMuchAsTheQuotaSays() {
    add(Call.Claim.of("a").withOwner("o"), 0, 10, new Answer.Granted(List.of(A1)));
    Held second = new Held("v2", "b", 0, 2);
    add(Call.Claim.of("b").withOwner("o"), 0, 10, new Answer.Granted(List.of(second)));

    assertThat(judge(TWO_VALUES.withPerOwner(2))).isEmpty();
    assertThat(kinds(TWO_VALUES.withPerOwner(1))).containsExactly(Kind.QUOTA_EXCEEDED);
  }

  @Test
  void aValueHandedOutBeforeItsQuarantineIsOverIsEarly() {
    granted(A1, 0, 10);
    add(new Call.Release(A1), 20, 30, new Answer.Released());
    granted(B1, 100, 110);

    assertThat(judge(TWO_VALUES.withQuarantine(Duration.ofMillis(90)))).isEmpty();
    assertThat(kinds(TWO_VALUES.withQuarantine(Duration.ofMillis(100))))
        .containsExactly(Kind.EARLY);
  }

  /** Until the release is committed, a list reports the value as held. */
  @Test
  void aQuarantineMayCountFromTheBeginningOfARelease() {
    granted(A1, 0, 10);
    add(new Call.Release(A1), 20, 70, new Answer.Released());
    add(new Call.ListHeld(), 60, 65, new Answer.Listed(List.of(A1)));
    granted(B1, 100, 115);

    assertThat(judge(TWO_VALUES.withQuarantine(Duration.ofMillis(95)))).isEmpty();
    assertThat(kinds(TWO_VALUES.withQuarantine(Duration.ofMillis(97)))).containsExactly(Kind.EARLY);
  }

  @Test
  void rulesAddUp() {
    Duration length = Duration.ofSeconds(1);

    Rules rules =
        TWO_VALUES.withWithheld(3).withQuarantine(length).withRemembered(length).withPerOwner(1);

    assertThat(rules)
        .isEqualTo(
            TWO_VALUES
                .withPerOwner(1)
                .withRemembered(length)
                .withQuarantine(length)
                .withWithheld(3))
        .isEqualTo(
            new Rules(TWO_VALUES.values(), OptionalInt.of(1), length, length, Duration.ZERO, 3));
  }

  @Test
  void aHolderIsTurnedAwayOnlyWithinWhatMayBeRemembered() {
    granted(A1, 0, 10);
    granted(new Held("v2", "b", 0, 2), 0, 10);
    add(Call.Claim.of("a"), 100, 110, new Answer.Exhausted());

    assertThat(judge(TWO_VALUES.withRemembered(Duration.ofMillis(100)))).isEmpty();
    assertThat(kinds(TWO_VALUES)).containsExactly(Kind.TURNED_AWAY);
  }

  @Test
  void answersThatDoNotGoWithTheQuestionAreTold() {
    add(Call.Claim.of("a").withValue("v2"), 0, 10, new Answer.Granted(List.of(A1)));
    assertThat(kinds(TWO_VALUES)).containsExactly(Kind.WRONG_ANSWER);

    log.clear();
    granted(new Held("v9", "a", 0, 1), 0, 10);
    assertThat(kinds(TWO_VALUES)).containsExactly(Kind.WRONG_ANSWER);

    log.clear();
    add(new Call.ListHeld(), 0, 10, new Answer.Listed(List.of(A1)));
    assertThat(kinds(TWO_VALUES)).containsExactly(Kind.WRONG_ANSWER);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void noHistoryOfAnAllocatorThatIsRightHasAFinding(long seed) {
    SimulatedAllocator allocator = new SimulatedAllocator(seed, 0);

    assertThat(AllocatorChecker.judge(allocator.run(), allocator.rules()))
        .as("seed %d", seed)
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void historiesOfAnAllocatorThatForgetsEveryFiftiethClaimHaveFindings(long seed) {
    SimulatedAllocator allocator = new SimulatedAllocator(seed, 50);

    assertThat(AllocatorChecker.judge(allocator.run(), allocator.rules()))
        .as("seed %d", seed)
        .extracting(Finding::kind)
        .contains(Kind.DOUBLED, Kind.VANISHED);
  }

  @Test
  void aLogOfAProcessThatWasKilledIsReadAsFarAsItGoes(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("log");
    List<Operation> written = new SimulatedAllocator(1, 0).run();
    try (OperationLog log = OperationLog.writing(file)) {
      written.forEach(one -> log.record(one.instance(), one.call(), one::answer));
    }
    Files.writeString(file, "answered\t99999", StandardOpenOption.APPEND);

    assertThat(OperationLog.read(file).stream().map(AllocatorCheckerTest::withoutTimes))
        .containsExactlyInAnyOrderElementsOf(
            written.stream().map(AllocatorCheckerTest::withoutTimes).toList());
  }

  @Test
  void exhaustedIsWrongWhileEnoughValuesAreCertainlyFree() {
    granted(A1, 0, 10);
    add(Call.Claim.of("b"), 100, 110, new Answer.Exhausted());

    assertThat(judge(TWO_VALUES))
        .containsExactly(
            new Finding(
                Kind.WRONGLY_EXHAUSTED,
                "client \"b\" asked for 1 and was told at +0.110 s that the pool is exhausted: 1"
                    + " values were free"));
    assertThat(judge(TWO_VALUES.withWithheld(1))).isEmpty();

    add(Call.Claim.of("c"), 105, 107, new Answer.Unknown("cut off"));
    assertThat(judge(TWO_VALUES)).as("c may have got it").isEmpty();
  }

  @Test
  void exhaustedIsRightIfTooFewValuesWereFreeAtSomeMoment() {
    granted(A1, 0, 10);
    add(Call.Claim.of("b").withSlots(0, 2), 100, 110, new Answer.Exhausted());
    add(new Call.Release(A1), 105, 108, new Answer.Released());
    assertThat(judge(TWO_VALUES)).isEmpty();

    add(Call.Claim.of("b").withSlots(0, 2), 200, 210, new Answer.Exhausted());
    assertThat(judge(TWO_VALUES.withRemembered(Duration.ofMillis(95)))).isEmpty();
    assertThat(kinds(TWO_VALUES)).containsExactly(Kind.WRONGLY_EXHAUSTED);
  }

  private static List<Object> withoutTimes(Operation operation) {
    Object answer = operation.isAnswered() ? operation.answer() : "unknown";
    return List.of(operation.instance(), operation.call(), answer);
  }

  private void granted(Held held, long fromMillis, long toMillis) {
    add(Call.Claim.of(held.client()), fromMillis, toMillis, new Answer.Granted(List.of(held)));
  }

  private void add(Call call, long fromMillis, long toMillis, Answer answer) {
    log.add(
        Operation.sent("one", call, fromMillis * 1_000_000).answered(toMillis * 1_000_000, answer));
  }

  private List<Finding> judge(Rules rules) {
    return AllocatorChecker.judge(log, rules);
  }

  private List<Kind> kinds(Rules rules) {
    return judge(rules).stream().map(Finding::kind).toList();
  }
}
