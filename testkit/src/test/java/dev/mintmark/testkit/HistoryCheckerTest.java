package dev.mintmark.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.postgres.pool.PastClaim;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HistoryCheckerTest {
  private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

  @Test
  void claimsThatFollowOneAnotherDoNotOverlap() {
    assertThat(HistoryChecker.judge(List.of(claim("b", 2, 10, 20), claim("a", 1, 0, 10))))
        .isEmpty();
  }

  @Test
  void twoHoldersAtOneInstantAreNamed() {
    assertThat(HistoryChecker.judge(List.of(claim("a", 1, 0, 10), claim("b", 2, 9, 20))))
        .containsExactly(
            "value v: the history names \"a\" (token 1) until 2026-11-22T12:00:10Z and \"b\" (token"
                + " 2) from 2026-11-22T12:00:09Z");
  }

  @Test
  void aClaimThatIsHeldOverlapsEveryLaterOne() {
    PastClaim held =
        new PastClaim(
            "p", "v", "a", 0, Optional.empty(), 1, NOON, Optional.empty(), Optional.empty());

    assertThat(HistoryChecker.judge(List.of(held, claim("b", 2, 50, 60)))).hasSize(1);
  }

  private static PastClaim claim(String client, long token, int from, int to) {
    return new PastClaim(
        "p",
        "v",
        client,
        0,
        Optional.empty(),
        token,
        NOON.plusSeconds(from),
        Optional.of(NOON.plusSeconds(to)),
        Optional.of(PastClaim.Ending.RELEASED));
  }
}
