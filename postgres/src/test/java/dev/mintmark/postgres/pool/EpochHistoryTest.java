package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mintmark.postgres.pool.EpochHistory.Epoch;
import dev.mintmark.postgres.pool.EpochHistory.Row;
import dev.mintmark.postgres.pool.EpochHistory.Seen;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What follows from the epochs of a database, without a database. */
class EpochHistoryTest {
  private static final UUID FIRST = new UUID(0, 1);
  private static final UUID SECOND = new UUID(0, 2);
  private static final UUID THIRD = new UUID(0, 3);
  private static final UUID LOST = new UUID(0, 4);

  /** Tokens of the first epoch are those up to 100, of the second those up to 200. */
  private static final Epoch ONE = new Epoch(FIRST, "00000001", 7L, false, 0);

  private static final Epoch TWO = new Epoch(SECOND, "00000002", 7L, false, 100);
  private static final EpochHistory HISTORY =
      new EpochHistory(List.of(ONE, TWO), "00000002", 7L, 200);

  private static Seen seen(@Nullable Epoch epoch, long token, long other) {
    return new Seen(epoch, token, other);
  }

  /** Empty columns: the server does not say. */
  @ParameterizedTest
  @CsvSource({
    "00000002, 7, 00000002, 7, false, false",
    "00000002, 7, 00000003, 7, true, false",
    "00000002, 7, 00000001, 7, true, true",
    "00000002, 7, 00000002, 8, true, false",
    "00000002, 7, 00000001, 8, true, false",
    "00000002,  , 00000002, 7, false, false",
    "00000002, 7, 00000002,  , false, false",
    "00000002,  , 00000001, 8, true, true",
    "00000002, 7, 00000001,  , true, true",
    "        ,  ,         ,  , false, false",
    "        , 7, 00000002, 7, true, false",
    "00000002, 7,         , 7, true, false",
    "0000000F, 7, 00000010, 7, true, false",
  })
  void anEpochBeginsIfTheServerIsElsewhereAndATimelineThatIsEarlierWentBack(
      @Nullable String began,
      @Nullable Long beganSystem,
      @Nullable String timeline,
      @Nullable Long system,
      boolean needsEpoch,
      boolean wentBack) {
    Epoch latest = new Epoch(FIRST, began, beganSystem, false, 0);
    EpochHistory history = new EpochHistory(List.of(latest), timeline, system, 50);

    for (Seen seen : List.of(seen(null, 0, 0), seen(latest, 50, 50))) {
      assertThat(history.needsEpoch(seen, Set.of(FIRST))).isEqualTo(needsEpoch);
      assertThat(history.wentBack(seen, Set.of(FIRST))).isEqualTo(wentBack);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 100,   0, false",
    "1, 101,   0, true",
    "1, 100, 200, false",
    "1, 100, 201, true",
    "2, 101,   0, false",
    "2, 200, 200, false",
    "2, 201,   0, true",
    "2,   0, 201, true",
  })
  void aTokenIsMissingAfterTheEndOfItsEpoch(int known, long token, long other, boolean lost) {
    Seen seen = seen(known == 1 ? ONE : TWO, token, other);

    assertThat(HISTORY.needsEpoch(seen, Set.of(FIRST, SECOND))).isEqualTo(lost);
    assertThat(HISTORY.wentBack(seen, Set.of(FIRST, SECOND))).isEqualTo(lost);
  }

  @Test
  void anInstanceThatKnowsNoEpochMissesNothing() {
    assertThat(HISTORY.needsEpoch(seen(null, 1_000, 1_000), Set.of())).isFalse();
  }

  @Test
  void anEpochThatIsMissingIsLost() {
    Seen seen = seen(new Epoch(LOST, "00000002", 7L, false, 100), 0, 0);

    assertThat(HISTORY.needsEpoch(seen, Set.of(FIRST, LOST))).isTrue();
    assertThat(HISTORY.wentBack(seen, Set.of(FIRST, LOST))).isTrue();
  }

  /** The other instance has found the same loss: one epoch is enough. */
  @Test
  void whatAnotherInstanceHasBegunAnEpochForIsNotLostAgain() {
    Epoch settled = new Epoch(THIRD, "00000002", 7L, true, 200);
    EpochHistory history = new EpochHistory(List.of(ONE, TWO, settled), "00000002", 7L, 300);
    Seen lostToken = seen(TWO, 250, 0);
    Seen lostEpoch = seen(new Epoch(LOST, "00000002", 7L, false, 100), 0, 0);

    for (Seen seen : List.of(lostToken, lostEpoch)) {
      assertThat(history.needsEpoch(seen, Set.of(FIRST, SECOND))).isFalse();
      assertThat(history.needsEpoch(seen, Set.of(FIRST, SECOND, THIRD)))
          .as("that epoch began for an earlier loss")
          .isTrue();
      assertThat(HISTORY.needsEpoch(seen, Set.of(FIRST)))
          .as("the other epoch did not begin for a loss")
          .isTrue();
    }
  }

  @Test
  void tokensGoOnAfterAllThatMayHaveBeenDrawn() {
    Epoch lost = new Epoch(LOST, "00000002", 7L, false, 500);

    assertThat(HISTORY.greatestToken(seen(null, 0, 0))).isZero();
    assertThat(HISTORY.greatestToken(seen(TWO, 7, 5))).isEqualTo(7);
    assertThat(HISTORY.greatestToken(seen(TWO, 5, 7))).isEqualTo(7);
    assertThat(HISTORY.greatestToken(seen(lost, 5, 7))).isEqualTo(500 + PoolQuarantine.TOKEN_JUMP);
    long beyond = 501 + PoolQuarantine.TOKEN_JUMP;
    assertThat(HISTORY.greatestToken(seen(lost, beyond, 7))).isEqualTo(beyond);
  }

  @Test
  void anInstanceReportsTheEpochsBetweenWhichTheDatabaseChanged() {
    Failover failover =
        new Failover(Optional.of("00000001"), Optional.of("00000002"), TWO.wentBack());

    assertThat(HISTORY.failoverFrom(ONE, false)).contains(failover);
    assertThat(HISTORY.failoverFrom(TWO, false)).isEmpty();
    assertThat(HISTORY.failoverFrom(null, false)).as("it has just started").isEmpty();
    assertThat(HISTORY.failoverFrom(null, true)).as("and found it itself").contains(failover);
  }

  @Test
  void aFailoverSaysThatTheDatabaseWentBack() {
    Epoch back = new Epoch(THIRD, null, 7L, true, 200);
    EpochHistory history = new EpochHistory(List.of(ONE, TWO, back), null, 7L, 300);

    assertThat(history.failoverFrom(TWO, true))
        .contains(new Failover(Optional.of("00000002"), Optional.empty(), true));
    assertThat(history.failoverFrom(null, true))
        .contains(new Failover(Optional.of("00000002"), Optional.empty(), true));
  }

  @Test
  void aHistoryIsThatOfItsRows() {
    List<Row> rows = List.of(new Row(ONE, "00000002", 7L, 200), new Row(TWO, "00000002", 7L, 200));

    assertThat(EpochHistory.of(rows)).isEqualTo(HISTORY);
    assertThat(HISTORY.latest()).isEqualTo(TWO);
    assertThatExceptionOfType(PoolUnavailableException.class)
        .isThrownBy(() -> EpochHistory.of(List.of()))
        .withMessageStartingWith("all pools: mintmark.pool_epoch has no rows");
  }

  @Test
  void answersAreBelievedUntilTheEpochIsOver() {
    Fence.Known known = new Fence.Known(TWO, 5);

    assertThat(known.saw(7)).isTrue();
    assertThat(known.saw(6)).isTrue();
    assertThat(known.sawOther(9)).isTrue();
    assertThat(known.sawOther(8)).isTrue();

    assertThat(known.end()).isEqualTo(seen(TWO, 7, 9));
    assertThat(known.saw(10)).isFalse();
    assertThat(known.sawOther(10)).isFalse();
  }

  @Test
  void aStatementNamesTheEpochAndTheGreatestTokenThatWasSeen() {
    Fence.Known none = new Fence.Known(null, 0);
    Fence.Known two = new Fence.Known(TWO, 5);
    var unused = two.saw(7);
    unused = two.sawOther(9);

    assertThat(none.binds()).containsExactly(bind("epoch", null), bind("seen_token", 0L));
    assertThat(two.binds())
        .containsExactly(bind("epoch", SECOND.toString()), bind("seen_token", 7L));
  }
}
