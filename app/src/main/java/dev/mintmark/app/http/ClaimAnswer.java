package dev.mintmark.app.http;

import dev.mintmark.app.service.ClaimRefusal;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Contended;
import dev.mintmark.postgres.pool.ClaimResult.CutOff;
import dev.mintmark.postgres.pool.ClaimResult.Elsewhere;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.NotOpen;
import dev.mintmark.postgres.pool.ClaimResult.QuotaReached;
import dev.mintmark.postgres.pool.ClaimResult.Stopped;
import dev.mintmark.postgres.pool.ClaimResult.TooManyClaims;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;

/**
 * How the claim of one client is answered.
 *
 * @param status 201 if the client got the claims now, 200 if it held them before, otherwise that of
 *     the problem
 * @param claims in the order of their slots; empty if it was refused
 * @param refusal why it was refused
 */
record ClaimAnswer(HttpStatus status, List<Claim> claims, Optional<Refusal> refusal) {
  /** A person has to decide before a stopped pool grants values again. */
  private static final Duration RETRY_WHEN_STOPPED = Duration.ofSeconds(30);

  /**
   * Why a claim was refused.
   *
   * @param retrySeconds when another try can succeed: at least 1
   */
  record Refusal(ProblemCode code, String detail, Optional<Long> retrySeconds) {}

  /**
   * Answers with what a pool did.
   *
   * @throws ProblemException if the claims are those of another owner
   */
  static ClaimAnswer of(ClaimResult result, String pool, Caller caller) {
    if (result instanceof Granted granted) {
      return new ClaimAnswer(HttpStatus.CREATED, granted.claims(), Optional.empty());
    }
    if (result instanceof AlreadyHeld already) {
      caller.checkOwn(already.claims(), pool);
      return new ClaimAnswer(HttpStatus.OK, already.claims(), Optional.empty());
    }
    if (result instanceof Exhausted exhausted) {
      return refused(ProblemCode.POOL_EXHAUSTED, result, exhausted.retryAfter());
    }
    if (result instanceof Contended contended) {
      ProblemCode code =
          contended.owner().isPresent()
              ? ProblemCode.OWNER_CONTENDED
              : ProblemCode.VALUES_CONTENDED;
      return refused(code, result, contended.retryAfter());
    }
    if (result instanceof Stopped) {
      return refused(ProblemCode.DATABASE_SET_BACK, result, RETRY_WHEN_STOPPED);
    }
    if (result instanceof CutOff cutOff) {
      return refused(ProblemCode.BLOCKS_NOT_RENEWED, result, cutOff.retryAfter());
    }
    if (result instanceof TooManyClaims fast) {
      return refused(ProblemCode.RATE_LIMITED, result, fast.retryAfter());
    }
    return refused(code(result), ClaimRefusal.message(result), Optional.empty());
  }

  private static ClaimAnswer refused(ProblemCode code, ClaimResult result, Duration retryAfter) {
    long seconds = Math.max(1, (retryAfter.toMillis() + 999) / 1_000);
    return refused(code, ClaimRefusal.message(result), Optional.of(seconds));
  }

  /** The values that were granted now, with spaces between them; empty if none was. */
  String granted() {
    return status == HttpStatus.CREATED
        ? claims.stream().map(Claim::value).collect(Collectors.joining(" "))
        : "";
  }

  static ClaimAnswer refused(ProblemCode code, String detail, Optional<Long> retrySeconds) {
    return new ClaimAnswer(
        code.status(), List.of(), Optional.of(new Refusal(code, detail, retrySeconds)));
  }

  /** The code of what no other try at another time mends. */
  private static ProblemCode code(ClaimResult result) {
    if (result instanceof NotOpen) {
      return ProblemCode.NOT_OPEN;
    }
    if (result instanceof Elsewhere) {
      return ProblemCode.GRANTED_ELSEWHERE;
    }
    return result instanceof QuotaReached ? ProblemCode.QUOTA_REACHED : ProblemCode.VALUE_TAKEN;
  }
}
