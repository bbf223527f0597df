package dev.mintmark.client;

import dev.mintmark.client.LimitedBody.TooLargeException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Sends requests that may be sent again, until one is answered or the deadline has passed. Safe for
 * use by many threads.
 *
 * <p>An attempt that failed is followed by one at the next server, at once. When all servers have
 * failed, the next round waits for the backoff, or for what {@code Retry-After} says if that is
 * longer. There is no next round if a later attempt is hopeless at each of them.
 */
final class Transport {
  /** A page of claims with the longest notes has 18 MB. */
  static final int ANSWER_BYTES_MAX = 32 * 1024 * 1024;

  private static final String PERSON_DECIDES = "database-set-back";

  private final HttpClient http;
  private final Servers servers;
  private final Optional<Supplier<String>> apiKey;
  private final Duration answerTimeout;
  private final Duration deadline;
  private final Backoff backoff;
  private final Ticker ticker;
  private final InstantSource clock;

  /**
   * A request.
   *
   * @param path with the query, both encoded
   * @param token for {@code If-Match}
   * @param body JSON
   */
  record Request(String method, String path, OptionalLong token, Optional<byte[]> body) {
    static Request get(String path) {
      return new Request("GET", path, OptionalLong.empty(), Optional.empty());
    }

    static Request post(String path, byte[] body) {
      return new Request("POST", path, OptionalLong.empty(), Optional.of(body));
    }

    Request withToken(long token) {
      return new Request(method, path, OptionalLong.of(token), body);
    }
  }

  Transport(
      HttpClient http,
      Servers servers,
      Optional<Supplier<String>> apiKey,
      Duration answerTimeout,
      Duration deadline,
      Backoff backoff,
      Ticker ticker,
      InstantSource clock) {
    this.http = http;
    this.servers = servers;
    this.apiKey = apiKey;
    this.answerTimeout = answerTimeout;
    this.deadline = deadline;
    this.backoff = backoff;
    this.ticker = ticker;
    this.clock = clock;
  }

  Ticker ticker() {
    return ticker;
  }

  /** Sends a request within the deadline of the client. */
  Reply send(Request request) {
    return send(request, endNanos());
  }

  /** The deadline of a request that begins now, by the monotonic clock. */
  long endNanos() {
    return ticker.nanos() + deadline.toNanos();
  }

  /**
   * Sends a request, at least once.
   *
   * @param endNanos the deadline, by the monotonic clock
   * @return the answer; after the deadline, the last one, which may say to try again
   * @throws UnavailableException if there was no answer in the last attempt
   * @throws InterruptedCallException if the thread is interrupted
   */
  Reply send(Request request, long endNanos) {
    int server = servers.first();
    int hopeless = 0;
    for (int attempts = 1; ; attempts++) {
      Attempt made = attempt(server, request, endNanos);
      if (made.isOver()) {
        servers.answered(server);
        return made.result();
      }
      hopeless = made.isHopeless() ? hopeless + 1 : 0;
      server = servers.after(server);
      boolean isRoundOver = attempts % servers.size() == 0 || made.isTooFast();
      Duration pause =
          isRoundOver ? made.pause(backoff.before((attempts - 1) / servers.size())) : Duration.ZERO;
      long left = endNanos - ticker.nanos();
      if (left <= pause.toNanos() || hopeless == servers.size()) {
        return made.result();
      }
      pause(pause);
    }
  }

  /** An attempt has an answer or has failed. */
  private record Attempt(Optional<Reply> reply, Optional<IOException> failure) {
    /** Whether no other attempt, later or at another server, would have another answer. */
    boolean isOver() {
      return reply
          .filter(each -> each.isRetryable() ? isForAPerson(each) : each.isOfApi())
          .isPresent();
    }

    private static boolean isForAPerson(Reply reply) {
      return reply.problem().filter(problem -> problem.code().equals(PERSON_DECIDES)).isPresent();
    }

    /** Whether an attempt at another server would come too early as well. */
    boolean isTooFast() {
      return reply.filter(each -> each.status() == Reply.TOO_MANY_REQUESTS).isPresent();
    }

    /**
     * Whether a later attempt at the same server would have the same answer: its certificate is not
     * trusted, or another program answers at its address.
     */
    boolean isHopeless() {
      if (reply.isPresent()) {
        return !reply.get().isRetryable() && !reply.get().isOfApi();
      }
      for (Throwable cause = failure.orElse(null); cause != null; cause = cause.getCause()) {
        if (cause instanceof CertificateException || cause instanceof CertPathValidatorException) {
          return true;
        }
      }
      return false;
    }

    /** How long to wait: the backoff, or what the server says if that is longer. */
    Duration pause(Duration backoff) {
      return reply
          .flatMap(Reply::retryAfter)
          .filter(asked -> asked.compareTo(backoff) > 0)
          .orElse(backoff);
    }

    Reply result() {
      return reply.orElseThrow(
          () -> {
            IOException cause = failure.orElseThrow();
            return new UnavailableException("no answer: " + cause, cause);
          });
    }
  }

  private void pause(Duration length) {
    try {
      if (!length.isZero()) {
        ticker.sleep(length);
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static InterruptedCallException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new InterruptedCallException(e);
  }

  private Attempt attempt(int server, Request request, long endNanos) {
    try {
      return new Attempt(Optional.of(exchange(server, request, endNanos)), Optional.empty());
    } catch (IOException e) {
      return new Attempt(Optional.empty(), Optional.of(e));
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private Reply exchange(int server, Request request, long endNanos)
      throws IOException, InterruptedException {
    URI uri = servers.resolve(server, request.path());
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(uri)
            .version(HttpClient.Version.HTTP_1_1)
            .header("Accept", "application/json, application/problem+json");
    request.body().ifPresent(body -> builder.header("Content-Type", "application/json"));
    request.token().ifPresent(token -> builder.header("If-Match", "\"" + token + "\""));
    apiKey.ifPresent(key -> builder.header("Authorization", "Bearer " + checked(key.get())));
    builder.method(
        request.method(),
        request
            .body()
            .<HttpRequest.BodyPublisher>map(BodyPublishers::ofByteArray)
            .orElseGet(BodyPublishers::noBody));

    long sentNanos = ticker.nanos();
    long nanosMax = Math.max(1_000_000, Math.min(answerTimeout.toNanos(), endNanos - sentNanos));
    long startNanos = System.nanoTime();
    HttpResponse<LimitedBody> response =
        http.send(
            builder.timeout(Duration.ofNanos(nanosMax)).build(),
            info -> new LimitedBody(ANSWER_BYTES_MAX));
    try {
      byte[] body = response.body().await(nanosMax - (System.nanoTime() - startNanos));
      return new Reply(
          uri,
          response.statusCode(),
          response.headers(),
          body,
          RetryAfter.of(response.headers(), clock),
          sentNanos);
    } catch (TooLargeException e) {
      throw new AnswerException(
          response.statusCode(),
          "%s://%s: %s".formatted(uri.getScheme(), uri.getAuthority(), e.getMessage()),
          e);
    } catch (TimeoutException e) {
      HttpTimeoutException timeout = new HttpTimeoutException("the answer did not end in time");
      timeout.initCause(e);
      throw timeout;
    }
  }

  /** A key that the JDK would reject with a message that has the key. */
  private static String checked(String key) {
    if (key.isEmpty() || !key.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new IllegalArgumentException(
          "the API key is malformed: expected visible ASCII characters, got %s characters"
              .formatted(key.length()));
    }
    return key;
  }
}
