package dev.mintmark.app.http;

import dev.mintmark.MintException;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.UnknownPoolException;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Every error as {@code application/problem+json} (RFC 9457), saying what was wrong with what. */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

  @ExceptionHandler
  ResponseEntity<ProblemDetail> malformed(IllegalArgumentException e) {
    LOG.debug("400", e);
    return problem(HttpStatus.BAD_REQUEST, e);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> unknownPool(UnknownPoolException e) {
    return problem(HttpStatus.NOT_FOUND, e);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> unavailable(PoolUnavailableException e) {
    LOG.debug("503", e);
    String detail = e.getCause() == null ? e.getMessage() : "the database did not answer";
    ProblemDetail problem =
        ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, detail);
    return answer(problem).header(HttpHeaders.RETRY_AFTER, "1").build();
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> notMinted(MintException e) {
    ProblemDetail problem =
        ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, e.getMessage());
    return answer(problem).header(HttpHeaders.RETRY_AFTER, "1").build();
  }

  /** A fault of ours: told to the log, not to the client. */
  @ExceptionHandler
  ResponseEntity<ProblemDetail> unexpected(Exception e) {
    LOG.error("a request failed", e);
    ProblemDetail problem =
        ProblemDetail.forStatusAndDetail(
            HttpStatus.INTERNAL_SERVER_ERROR, "this should not have happened: the log says more");
    return answer(problem).build();
  }

  /** Says which key of the body is wrong, where the parser knows. */
  @Override
  protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
      HttpMessageNotReadableException e,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    HttpStatusCode told =
        e.getCause() instanceof StreamConstraintsException ? HttpStatus.CONTENT_TOO_LARGE : status;
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(told, detail(e));
    return handleExceptionInternal(e, problem, headers, told, request);
  }

  private static String detail(HttpMessageNotReadableException e) {
    if (e.getCause() instanceof UnrecognizedPropertyException unknown) {
      return "unknown key %s: known are %s"
          .formatted(Quoted.of(unknown.getPropertyName()), unknown.getKnownPropertyIds());
    }
    if (e.getCause() instanceof DatabindException mismatch) {
      // Its own words name our classes.
      return "the value of %s is not of the type it should be".formatted(key(mismatch));
    }
    if (e.getCause() instanceof JacksonException malformed) {
      return "malformed JSON: " + malformed.getOriginalMessage();
    }
    return "the request has no JSON body";
  }

  private static String key(DatabindException e) {
    return e.getPath().stream()
        .map(JacksonException.Reference::getPropertyName)
        .filter(Objects::nonNull)
        .map(Quoted::of)
        .collect(
            Collectors.collectingAndThen(
                Collectors.joining("."), s -> s.isEmpty() ? "the body" : s));
  }

  private static ResponseEntity<ProblemDetail> problem(HttpStatus status, Exception e) {
    return answer(ProblemDetail.forStatusAndDetail(status, e.getMessage())).build();
  }

  /** The answer that a problem is: whatever else the client would rather have read. */
  static ResponseEntity.HeadersBuilder<?> answer(ProblemDetail problem) {
    return ResponseEntity.of(problem)
        .header(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_PROBLEM_JSON_VALUE);
  }
}
