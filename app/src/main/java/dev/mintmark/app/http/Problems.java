package dev.mintmark.app.http;

import dev.mintmark.MalformedIdException;
import dev.mintmark.MintException;
import dev.mintmark.Quoted;
import dev.mintmark.app.access.AccessUnavailableException;
import dev.mintmark.app.access.KeyCreatedException;
import dev.mintmark.app.log.LogKeys;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.UnknownPoolException;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.http.converter.HttpMessageNotWritableException;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.context.request.async.AsyncRequestTimeoutException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import org.springframework.web.util.DisconnectedClientHelper;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/**
 * Reports every error as {@code application/problem+json} (RFC 9457) with a {@link ProblemCode}.
 */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler implements ResponseBodyAdvice<Object> {
  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

  /** The SQLSTATE of a connection that could not be opened. */
  private static final String UNREACHABLE = "08001";

  private static final String INSUFFICIENT_PRIVILEGE = "42501";

  /** SQLSTATEs of a text that the encoding of the database lacks: untranslatable, not in it. */
  private static final Set<String> LACKED_CHARACTERS = Set.of("22P05", "22021");

  /**
   * SQLSTATEs of a database that is away or busy, which passes: connection exception, conflict of
   * transactions, insufficient resources other than a full disk, operator intervention, standby,
   * timeouts, lock not available.
   */
  private static final Pattern PASSING =
      Pattern.compile("(08|40|57).{3}|53(000|[234]00)|25006|25P0[34]|55P03");

  /** What messages of the parser say for programmers: places without numbers, names of methods. */
  private static final Pattern INTERNAL =
      Pattern.compile(" \\(start marker at [^)]*\\)+|, from `[^`]*`");

  /** Seconds after which a request that the database did not answer may be repeated. */
  static final long RETRY_UNAVAILABLE_SECONDS = 1;

  private static final String RETRY_SECONDS = Long.toString(RETRY_UNAVAILABLE_SECONDS);

  /** Seconds after which another client may have ended its watch. */
  private static final String RETRY_WATCH_SECONDS = "10";

  @Override
  public boolean supports(
      MethodParameter returned, Class<? extends HttpMessageConverter<?>> converter) {
    return true;
  }

  /** Gives every problem the id of its request. */
  @Override
  public @Nullable Object beforeBodyWrite(
      @Nullable Object body,
      MethodParameter returned,
      MediaType type,
      Class<? extends HttpMessageConverter<?>> converter,
      ServerHttpRequest request,
      ServerHttpResponse response) {
    if (body instanceof ProblemDetail problem
        && response instanceof ServletServerHttpResponse answer) {
      problem.setProperty(RequestId.KEY, RequestId.of(answer.getServletResponse()));
    }
    return body;
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> rejected(ProblemException e) {
    log(e);
    ResponseEntity.HeadersBuilder<?> answer = answer(e.problem());
    AccessFilter.challenge(e)
        .ifPresent(challenge -> answer.header(HttpHeaders.WWW_AUTHENTICATE, challenge));
    switch (e.code()) {
      case TIMEOUT, POOL_UNAVAILABLE -> answer.header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
      case TOO_MANY_WATCHES -> answer.header(HttpHeaders.RETRY_AFTER, RETRY_WATCH_SECONDS);
      default -> {}
    }
    return answer.build();
  }

  /** Logs that a key was rejected: somebody may be guessing, or has not heard of a new key. */
  static void log(ProblemException e) {
    if (e.code() == ProblemCode.KEY_REJECTED) {
      LOG.atWarn()
          .addKeyValue(LogKeys.CODE, e.code().code())
          .log("a request was rejected: {}", e.getMessage());
    }
  }

  private static void debug(ProblemCode code, @Nullable Exception e) {
    if (LOG.isDebugEnabled()) {
      LOG.atDebug().addKeyValue(LogKeys.CODE, code.code()).setCause(e).log("a request failed");
    }
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> accessUnavailable(AccessUnavailableException e) {
    debug(ProblemCode.ACCESS_UNAVAILABLE, e);
    Optional<ProblemException> lacked = lacked(failures(e));
    if (lacked.isPresent()) {
      return rejected(lacked.get());
    }
    return answer(AccessFilter.unavailable())
        .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
        .build();
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> malformed(IllegalArgumentException e) {
    ProblemCode code =
        e instanceof MalformedIdException
            ? ProblemCode.MALFORMED_IDENTIFIER
            : ProblemCode.INVALID_REQUEST;
    debug(code, null); // The message of the exception quotes what the client has sent.
    return answer(code.problem(String.valueOf(e.getMessage()))).build();
  }

  /** A query that Tomcat cannot decode, found when the parameters are read. */
  @ExceptionHandler
  ResponseEntity<ProblemDetail> malformedQuery(InvalidParameterException e) {
    return answer(
            ProblemCode.MALFORMED_REQUEST.problem(
                "the query cannot be read: expected at most 1,000 pairs name=value in UTF-8,"
                    + " percent-encoded"))
        .build();
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> keyCreated(KeyCreatedException e) {
    return answer(ProblemCode.KEY_CREATED.problem(String.valueOf(e.getMessage()))).build();
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> unknownPool(UnknownPoolException e) {
    return answer(ProblemCode.POOL_NOT_FOUND.problem(String.valueOf(e.getMessage()))).build();
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> unavailable(PoolUnavailableException e) {
    return rejected(problem(e));
  }

  /**
   * Returns why a pool is not available, as a client may know it, and logs what a person has to
   * mend.
   */
  static ProblemException problem(PoolUnavailableException e) {
    List<SQLException> failures = failures(e);
    Optional<ProblemException> lacked = lacked(failures);
    if (lacked.isPresent()) {
      return lacked.get();
    }
    Optional<SQLException> lasting =
        failures.stream().filter(one -> !PASSING.matcher(one.getSQLState()).matches()).findFirst();
    ProblemException problem =
        find(INSUFFICIENT_PRIVILEGE, failures)
            .map(Problems::denied)
            .orElseGet(
                () ->
                    new ProblemException(
                        ProblemCode.POOL_UNAVAILABLE,
                        e.getCause() == null
                            ? String.valueOf(e.getMessage())
                            : reason(failures, lasting.isPresent())));
    lasting.ifPresent(failure -> warn(problem.code(), failure));
    debug(problem.code(), e);
    return problem;
  }

  /** The problem of a text with a character that the encoding of the database lacks. */
  private static Optional<ProblemException> lacked(List<SQLException> failures) {
    return failures.stream()
        .filter(one -> LACKED_CHARACTERS.contains(one.getSQLState()))
        .findFirst()
        .map(
            one ->
                new ProblemException(
                    ProblemCode.INVALID_REQUEST,
                    "the database has no character for one of the request: " + firstLine(one)));
  }

  private static void warn(ProblemCode code, SQLException failure) {
    LOG.atWarn()
        .addKeyValue(LogKeys.CODE, code.code())
        .log(
            "the database reported an error (SQLSTATE {}): {}",
            failure.getSQLState(),
            firstLine(failure));
  }

  /** The failures of the database among the causes that have an SQLSTATE. */
  private static List<SQLException> failures(Throwable e) {
    return Stream.iterate(e, Objects::nonNull, Throwable::getCause)
        .filter(cause -> cause instanceof SQLException failed && failed.getSQLState() != null)
        .map(SQLException.class::cast)
        .toList();
  }

  private static Optional<SQLException> find(String state, List<SQLException> failures) {
    return failures.stream().filter(failure -> state.equals(failure.getSQLState())).findFirst();
  }

  /** Returns why the database failed, without what its messages contain. */
  private static String reason(List<SQLException> failures, boolean isLasting) {
    if (find(UNREACHABLE, failures).isPresent()) {
      return "the database cannot be reached";
    }
    return isLasting
        ? "the database reported an error: see the log"
        : "the database did not respond";
  }

  private static ProblemException denied(SQLException e) {
    return new ProblemException(
        ProblemCode.PERMISSION_DENIED, "the role of the server lacks a right: " + firstLine(e));
  }

  private static String firstLine(SQLException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  /** Only the search for rows lets it pass. */
  @ExceptionHandler
  ResponseEntity<ProblemDetail> databaseFailed(SQLException e) {
    debug(ProblemCode.DATABASE_UNAVAILABLE, e);
    return answer(
            ProblemCode.DATABASE_UNAVAILABLE.problem(
                "the database cannot be reached, or other searches keep its connections busy"))
        .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
        .build();
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> notMinted(MintException e) {
    return answer(ProblemCode.MINT_UNAVAILABLE.problem(String.valueOf(e.getMessage())))
        .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
        .build();
  }

  /** An error of the server: the details go to the log, not to the client. */
  @ExceptionHandler
  ResponseEntity<ProblemDetail> unexpected(Exception e) {
    LOG.atError()
        .addKeyValue(LogKeys.CODE, ProblemCode.INTERNAL_ERROR.code())
        .setCause(e)
        .log("a request failed");
    return answer(
            ProblemCode.INTERNAL_ERROR.problem(
                "the request failed because of an error in the server: see its log"))
        .build();
  }

  /** Reports which key of the body is wrong, if the parser knows. */
  @Override
  protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
      HttpMessageNotReadableException e,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    ProblemDetail problem = unreadable(e);
    return super.handleExceptionInternal(
        e, problem, headers, HttpStatusCode.valueOf(problem.getStatus()), request);
  }

  /** Reports nothing about an answer whose client has left: nobody can read it. */
  @Override
  protected @Nullable ResponseEntity<Object> handleHttpMessageNotWritable(
      HttpMessageNotWritableException e,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    if (DisconnectedClientHelper.isClientDisconnectedException(e)) {
      LOG.debug("a client has left before its answer", e);
      return null;
    }
    return super.handleHttpMessageNotWritable(e, headers, status, request);
  }

  /** Gives every problem that Spring reports a code. */
  @Override
  protected @Nullable ResponseEntity<Object> handleExceptionInternal(
      Exception e,
      @Nullable Object body,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    HttpHeaders own = HttpHeaders.copyOf(headers); // those of a timeout cannot be changed
    if (e instanceof AsyncRequestTimeoutException) {
      own.set(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
    }
    return super.handleExceptionInternal(e, ofSpring(e, body, status), own, status, request);
  }

  /** The content type of a problem does not depend on the Accept header, which may be malformed. */
  @Override
  protected ResponseEntity<Object> createResponseEntity(
      @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
    HttpHeaders typed = HttpHeaders.copyOf(headers);
    typed.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
    return super.createResponseEntity(body, typed, status, request);
  }

  private static ProblemDetail ofSpring(Exception e, @Nullable Object body, HttpStatusCode status) {
    if (e instanceof MissingServletRequestParameterException missing) {
      return ProblemCode.MISSING_PARAMETER.problem(
          "parameter %s is missing".formatted(Quoted.of(missing.getParameterName())));
    }
    if (e instanceof NoResourceFoundException) {
      return ProblemCode.PATH_NOT_FOUND.problem("the server has no such path");
    }
    if (e instanceof AsyncRequestTimeoutException) {
      return ProblemCode.TIMEOUT.problem("the request took too long");
    }
    ProblemDetail spring =
        body instanceof ProblemDetail problem
            ? problem
            : e instanceof ErrorResponse response ? response.getBody() : null;
    ProblemCode code = ProblemCode.ofStatus(status);
    String detail = spring == null ? null : spring.getDetail();
    return code.problem(status, detail == null ? code.title() : detail);
  }

  private static ProblemDetail unreadable(HttpMessageNotReadableException e) {
    if (e.getCause() instanceof UnrecognizedPropertyException unknown) {
      return ProblemCode.UNKNOWN_KEY.problem(
          "unknown key %s: known are %s"
              .formatted(Quoted.of(unknown.getPropertyName()), unknown.getKnownPropertyIds()));
    }
    if (e.getCause() instanceof DatabindException more
        && more.getPath().isEmpty()
        && more.getOriginalMessage().startsWith("Trailing token")) {
      return ProblemCode.MALFORMED_JSON.problem(
          "malformed JSON: there is more data after the end of the value");
    }
    if (e.getCause() instanceof DatabindException mismatch) {
      // The exception's own message contains names of classes.
      return ProblemCode.WRONG_TYPE.problem(
          "the value of %s has the wrong type".formatted(key(mismatch)));
    }
    if (e.getCause() instanceof InputCoercionException tooLarge) {
      return ProblemCode.WRONG_TYPE.problem(
          "the value of %s is too large: expected an integer of %s bits"
              .formatted(
                  key(tooLarge),
                  tooLarge.getTargetType() == long.class ? Long.SIZE : Integer.SIZE));
    }
    if (e.getCause() instanceof JacksonException malformed) {
      return ProblemCode.MALFORMED_JSON.problem(
          "malformed JSON: %s%s"
              .formatted(
                  place(malformed.getLocation()),
                  INTERNAL.matcher(malformed.getOriginalMessage()).replaceAll("")));
    }
    return ProblemCode.MISSING_BODY.problem("the request has no JSON body");
  }

  /** The parser does not say where something is that is too long. */
  private static String place(@Nullable TokenStreamLocation place) {
    return place == null
        ? ""
        : "line %s, column %s: ".formatted(place.getLineNr(), place.getColumnNr());
  }

  private static String key(JacksonException e) {
    return e.getPath().stream()
        .map(JacksonException.Reference::getPropertyName)
        .filter(Objects::nonNull)
        .map(Quoted::of)
        .collect(
            Collectors.collectingAndThen(
                Collectors.joining("."), s -> s.isEmpty() ? "the body" : s));
  }

  /**
   * Returns the response for a failed statement: what the role of the server may not do is a
   * problem of its own.
   */
  static ResponseEntity<ProblemDetail> answer(SQLException e) {
    if (INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
      return answer(denied(e).problem()).build();
    }
    debug(ProblemCode.DATABASE_UNAVAILABLE, e);
    return answer(
            ProblemCode.DATABASE_UNAVAILABLE.problem(
                UNREACHABLE.equals(e.getSQLState())
                    ? "the database cannot be reached"
                    : "the database did not respond"))
        .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
        .build();
  }

  /** Starts the response for a problem. Its content type does not depend on the Accept header. */
  static ResponseEntity.HeadersBuilder<?> answer(ProblemDetail problem) {
    return ResponseEntity.of(problem)
        .header(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_PROBLEM_JSON_VALUE);
  }
}
