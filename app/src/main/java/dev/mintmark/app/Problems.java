package dev.mintmark.app;

import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.UnknownPoolException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Every error as {@code application/problem+json} (RFC 9457), saying what was wrong with what. */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {
  @ExceptionHandler
  ResponseEntity<ProblemDetail> malformed(IllegalArgumentException e) {
    return problem(HttpStatus.BAD_REQUEST, e);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> unknownPool(UnknownPoolException e) {
    return problem(HttpStatus.NOT_FOUND, e);
  }

  @ExceptionHandler({PoolUnavailableException.class, IllegalStateException.class})
  ResponseEntity<ProblemDetail> unavailable(RuntimeException e) {
    ProblemDetail problem =
        ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, e.getMessage());
    return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
        .header(HttpHeaders.RETRY_AFTER, "1")
        .body(problem);
  }

  /** Says which key of the body is wrong, where the parser knows. */
  @Override
  protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
      HttpMessageNotReadableException e,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail(e));
    return handleExceptionInternal(e, problem, headers, status, request);
  }

  private static String detail(HttpMessageNotReadableException e) {
    if (e.getCause() instanceof UnrecognizedPropertyException unknown) {
      return "unknown key \"%s\": known are %s"
          .formatted(unknown.getPropertyName(), unknown.getKnownPropertyIds());
    }
    if (e.getCause() instanceof JacksonException malformed) {
      return "malformed JSON: " + malformed.getOriginalMessage();
    }
    return "the request has no JSON body";
  }

  private static ResponseEntity<ProblemDetail> problem(HttpStatus status, Exception e) {
    return ResponseEntity.of(ProblemDetail.forStatusAndDetail(status, e.getMessage())).build();
  }
}
