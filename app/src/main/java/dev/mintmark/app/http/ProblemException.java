package dev.mintmark.app.http;

import org.springframework.http.ProblemDetail;

/** A request that is answered with a problem. */
final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ProblemCode code;

  ProblemException(ProblemCode code, String detail) {
    super(detail, null, false, false);
    this.code = code;
  }

  ProblemCode code() {
    return code;
  }

  ProblemDetail problem() {
    return code.problem(String.valueOf(getMessage()));
  }
}
