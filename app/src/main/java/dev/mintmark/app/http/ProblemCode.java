package dev.mintmark.app.http;

import java.net.URI;
import java.util.Locale;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;

/**
 * The types of problems (RFC 9457) that the HTTP API reports. Codes are part of the contract: a
 * code is never renamed or used for something else. docs/errors.md describes each code.
 */
enum ProblemCode {
  INVALID_REQUEST(HttpStatus.BAD_REQUEST, "Invalid request"),
  MALFORMED_REQUEST(HttpStatus.BAD_REQUEST, "Malformed request"),
  MALFORMED_JSON(HttpStatus.BAD_REQUEST, "Malformed JSON"),
  MISSING_BODY(HttpStatus.BAD_REQUEST, "Missing body"),
  WRONG_TYPE(HttpStatus.BAD_REQUEST, "Wrong type"),
  UNKNOWN_KEY(HttpStatus.BAD_REQUEST, "Unknown key"),
  MISSING_PARAMETER(HttpStatus.BAD_REQUEST, "Missing parameter"),
  UNKNOWN_PARAMETER(HttpStatus.BAD_REQUEST, "Unknown parameter"),
  REPEATED_PARAMETER(HttpStatus.BAD_REQUEST, "Repeated parameter"),
  MALFORMED_IDENTIFIER(HttpStatus.BAD_REQUEST, "Malformed identifier"),
  KEY_IN_URL(HttpStatus.BAD_REQUEST, "Key in the URL"),
  KEY_REQUIRED(HttpStatus.UNAUTHORIZED, "Key required"),
  KEY_REJECTED(HttpStatus.UNAUTHORIZED, "Key rejected"),
  LOOPBACK_ONLY(HttpStatus.FORBIDDEN, "Loopback only"),
  NOT_THROUGH_PROXY(HttpStatus.FORBIDDEN, "Not through the proxy"),
  ACCOUNTS_OFF(HttpStatus.FORBIDDEN, "Accounts are off"),
  INSUFFICIENT_SCOPE(HttpStatus.FORBIDDEN, "Insufficient scope"),
  FOREIGN_OWNER(HttpStatus.FORBIDDEN, "Foreign owner"),
  FOREIGN_CLIENT(HttpStatus.FORBIDDEN, "Foreign client"),
  CROSS_SITE_REQUEST(HttpStatus.FORBIDDEN, "Cross-site request"),
  NOT_OPEN(HttpStatus.FORBIDDEN, "Not open"),
  FIND_OFF(HttpStatus.FORBIDDEN, "Find off"),
  PERMISSION_DENIED(HttpStatus.FORBIDDEN, "Permission denied"),
  PATH_NOT_FOUND(HttpStatus.NOT_FOUND, "Path not found"),
  POOL_NOT_FOUND(HttpStatus.NOT_FOUND, "Pool not found"),
  BLOCK_NOT_FOUND(HttpStatus.NOT_FOUND, "Block not found"),
  KEY_NOT_FOUND(HttpStatus.NOT_FOUND, "Key not found"),
  CLAIM_NOT_FOUND(HttpStatus.NOT_FOUND, "Claim not found"),
  MIGRATION_NOT_FOUND(HttpStatus.NOT_FOUND, "Migration not found"),
  METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "Method not allowed"),
  NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE, "Not acceptable"),
  REQUEST_TIMEOUT(HttpStatus.REQUEST_TIMEOUT, "Request timeout"),
  POOL_EXISTS(HttpStatus.CONFLICT, "Pool exists"),
  POOL_DELETED(HttpStatus.CONFLICT, "Pool deleted"),
  POOL_IN_USE(HttpStatus.CONFLICT, "Pool in use"),
  BLOCK_IN_USE(HttpStatus.CONFLICT, "Block in use"),
  POOL_EXHAUSTED(HttpStatus.CONFLICT, "Exhausted"),
  QUOTA_REACHED(HttpStatus.CONFLICT, "Quota reached"),
  VALUE_TAKEN(HttpStatus.CONFLICT, "Value taken"),
  GRANTED_ELSEWHERE(HttpStatus.CONFLICT, "Granted elsewhere"),
  MIGRATION_CONFLICT(HttpStatus.CONFLICT, "Migration conflict"),
  TABLE_NOT_CONFIRMED(HttpStatus.CONFLICT, "Table not confirmed"),
  NO_CATALOG(HttpStatus.CONFLICT, "No catalog"),
  KEY_CREATED(HttpStatus.CONFLICT, "Key created"),
  TOKEN_SUPERSEDED(HttpStatus.PRECONDITION_FAILED, "Token superseded"),
  BODY_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "Body too large"),
  UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "Unsupported media type"),
  MISDIRECTED_REQUEST(HttpStatus.MISDIRECTED_REQUEST, "Misdirected request"),
  PRECONDITION_REQUIRED(HttpStatus.PRECONDITION_REQUIRED, "Precondition required"),
  RATE_LIMITED(HttpStatus.TOO_MANY_REQUESTS, "Rate limited"),
  TOO_MANY_REQUESTS(HttpStatus.TOO_MANY_REQUESTS, "Too many requests"),
  TOO_MANY_WATCHES(HttpStatus.TOO_MANY_REQUESTS, "Too many watches"),
  INTERNAL_ERROR(HttpStatus.INTERNAL_SERVER_ERROR, "Internal error"),
  OWNER_CONTENDED(HttpStatus.SERVICE_UNAVAILABLE, "Owner contended"),
  VALUES_CONTENDED(HttpStatus.SERVICE_UNAVAILABLE, "Values contended"),
  DATABASE_SET_BACK(HttpStatus.SERVICE_UNAVAILABLE, "Database set back"),
  BLOCKS_NOT_RENEWED(HttpStatus.SERVICE_UNAVAILABLE, "Blocks not renewed"),
  POOL_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "Pool unavailable"),
  DATABASE_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "Database unavailable"),
  ACCESS_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "Access unavailable"),
  NOT_READY(HttpStatus.SERVICE_UNAVAILABLE, "Not ready"),
  MINT_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "Mint unavailable"),
  TIMEOUT(HttpStatus.SERVICE_UNAVAILABLE, "Timeout");

  private static final String TYPE_PREFIX = "urn:mintmark:problem:";

  private final HttpStatus status;
  private final String title;
  private final String code;
  private final URI type;

  ProblemCode(HttpStatus status, String title) {
    this.status = status;
    this.title = title;
    this.code = name().toLowerCase(Locale.ROOT).replace('_', '-');
    this.type = URI.create(TYPE_PREFIX + code);
  }

  /** The code for programs: {@code pool-exhausted}. */
  String code() {
    return code;
  }

  /** The type for RFC 9457: a URN, which is the same on every server. */
  URI type() {
    return type;
  }

  HttpStatus status() {
    return status;
  }

  String title() {
    return title;
  }

  /** Returns a problem of this type. */
  ProblemDetail problem(String detail) {
    return problem(status, detail);
  }

  /** Returns a problem of this type with another status than the usual one. */
  ProblemDetail problem(HttpStatusCode status, String detail) {
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
    problem.setType(type);
    problem.setTitle(title);
    problem.setProperty("code", code);
    return problem;
  }

  /** The type of a problem of which only the status is known. */
  static ProblemCode ofStatus(HttpStatusCode status) {
    return switch (status.value()) {
      case 404 -> PATH_NOT_FOUND;
      case 405 -> METHOD_NOT_ALLOWED;
      case 406 -> NOT_ACCEPTABLE;
      case 408 -> REQUEST_TIMEOUT;
      case 413 -> BODY_TOO_LARGE;
      case 415 -> UNSUPPORTED_MEDIA_TYPE;
      case 501, 505 -> MALFORMED_REQUEST;
      default -> status.is4xxClientError() ? MALFORMED_REQUEST : INTERNAL_ERROR;
    };
  }
}
