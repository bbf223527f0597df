package dev.mintmark.app.http;

import dev.mintmark.app.service.ClaimRefusal;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Contended;
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
    return refused(
        code(result),
        ClaimRefusal.message(result),
        retryAfter(result).map(time -> Math.max(1, (time.toMillis() + 999) / 1_000)));
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

  private static ProblemCode code(ClaimResult result) {
    if (result instanceof Exhausted) {
      return ProblemCode.POOL_EXHAUSTED;
    }
    if (result instanceof Contended contended) {
      return contended.owner().isPresent()
          ? ProblemCode.OWNER_CONTENDED
          : ProblemCode.VALUES_CONTENDED;
    }
    if (result instanceof Stopped) {
      return ProblemCode.DATABASE_SET_BACK;
    }
    if (result instanceof TooManyClaims) {
      return ProblemCode.RATE_LIMITED;
    }
    if (result instanceof NotOpen) {
      return ProblemCode.NOT_OPEN;
    }
    if (result instanceof Elsewhere) {
      return ProblemCode.GRANTED_ELSEWHERE;
    }
    return result instanceof QuotaReached ? ProblemCode.QUOTA_REACHED : ProblemCode.VALUE_TAKEN;
  }

  private static Optional<Duration> retryAfter(ClaimResult result) {
    if (result instanceof Exhausted exhausted) {
      return Optional.of(exhausted.retryAfter());
    }
    if (result instanceof Contended contended) {
      return Optional.of(contended.retryAfter());
    }
    if (result instanceof TooManyClaims fast) {
      return Optional.of(fast.retryAfter());
    }
    return result instanceof Stopped ? Optional.of(RETRY_WHEN_STOPPED) : Optional.empty();
  }
}
