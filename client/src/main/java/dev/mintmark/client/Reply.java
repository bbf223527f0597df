package dev.mintmark.client;

import dev.mintmark.Quoted;
import dev.mintmark.client.JsonObject.UnreadableException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a server answered. Immutable, as long as nobody writes to its body. */
final class Reply {
  static final int TOO_MANY_REQUESTS = 429;

  private static final int STATUS_NO_CONTENT = 204;
  private static final int STATUS_REDIRECT = 300;
  private static final int STATUS_ERROR = 400;

  private final URI uri;
  private final int status;
  private final HttpHeaders headers;
  private final byte[] body;
  private final Optional<Duration> retryAfter;
  private final long sentNanos;

  /**
   * @param uri what was asked for
   * @param retryAfter how long the server says to wait
   * @param sentNanos the monotonic clock before this attempt was sent: the request took effect
   *     later
   */
  Reply(
      URI uri,
      int status,
      HttpHeaders headers,
      byte[] body,
      Optional<Duration> retryAfter,
      long sentNanos) {
    this.uri = uri;
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.retryAfter = retryAfter;
    this.sentNanos = sentNanos;
  }

  int status() {
    return status;
  }

  Optional<Duration> retryAfter() {
    return retryAfter;
  }

  long sentNanos() {
    return sentNanos;
  }

  /** Whether the server did not do what it was asked. A redirect is no success either. */
  boolean isError() {
    return status < 200 || status >= STATUS_REDIRECT;
  }

  /** Whether another attempt, later or at another server, can have another answer. */
  boolean isRetryable() {
    return status == TOO_MANY_REQUESTS || status == 502 || status == 503 || status == 504;
  }

  /** Whether a server of Mintmark gave it, and not another program, such as an ingress. */
  boolean isOfApi() {
    return isError()
        ? problem().isPresent()
        : status == STATUS_NO_CONTENT || mediaType().equals("application/json");
  }

  /**
   * Reads the body of an answer that is not an error.
   *
   * @throws AnswerException if it is not what the HTTP API returns
   */
  <T> T read(Function<JsonObject, T> reader) {
    try {
      return reader.apply(JsonObject.parse(body));
    } catch (UnreadableException e) {
      throw unreadable(e.getMessage(), e);
    }
  }

  /** The problem of an error; empty if it is not one of the HTTP API. */
  Optional<Problem> problem() {
    if (!isError() || !mediaType().equals("application/problem+json")) {
      return Optional.empty();
    }
    try {
      JsonObject json = JsonObject.parse(body);
      return Optional.of(
          new Problem(
              json.text("code"), status, json.optionalText("detail").orElse(""), retryAfter));
    } catch (UnreadableException e) {
      return Optional.empty();
    }
  }

  /** The exception for an answer that no result represents. */
  MintmarkException failure() {
    return problem()
        .<MintmarkException>map(ProblemException::new)
        .orElseGet(() -> unreadable(reason(), null));
  }

  private String reason() {
    if (status >= STATUS_REDIRECT && status < STATUS_ERROR) {
      return "redirects are not followed: give the client the address that they lead to";
    }
    return isError() ? "not a problem of the HTTP API" : "not an answer of the HTTP API";
  }

  private AnswerException unreadable(@Nullable String reason, @Nullable Throwable cause) {
    String beginning =
        new String(
            Arrays.copyOf(body, Math.min(body.length, 2 * Quoted.LENGTH_MAX)),
            StandardCharsets.UTF_8);
    return new AnswerException(
        status,
        "%s://%s answered with status %s, %s, %s: %s"
            .formatted(
                uri.getScheme(),
                uri.getAuthority(),
                status,
                mediaType().isEmpty() ? "no content type" : mediaType(),
                Quoted.of(beginning),
                reason),
        cause);
  }

  private String mediaType() {
    return headers
        .firstValue("Content-Type")
        .map(type -> type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT))
        .orElse("");
  }
}
