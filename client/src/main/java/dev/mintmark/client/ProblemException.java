package dev.mintmark.client;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The server rejected a request: the key, the pool, the request itself, or its database failed. */
public final class ProblemException extends MintmarkException {
  private static final long serialVersionUID = 1L;

  private final String code;
  private final int status;
  private final String detail;
  private final @Nullable Duration retryAfter;

  ProblemException(Problem problem) {
    super(problem.detail() + " [" + problem.code() + "]", null);
    code = problem.code();
    status = problem.status();
    detail = problem.detail();
    retryAfter = problem.retryAfter().orElse(null);
  }

  /** The problem that the server reported. */
  public Problem problem() {
    return new Problem(code, status, detail, retryAfter());
  }

  /** The code of the problem, such as {@code pool-not-found}, which is stable. */
  public String code() {
    return code;
  }

  /** The status of the response, from 400. */
  public int status() {
    return status;
  }

  /** What is wrong, for people. */
  public String detail() {
    return detail;
  }

  /** When another request can succeed, if the server said so. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
