package dev.mintmark.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mintmark.fixtures.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** A server that gives prepared answers, one after the other; the last one again and again. */
final class ScriptedServer implements AutoCloseable {
  static final String CLAIM =
      """
      {"pool": "codes", "value": "7", "client": "vm-1", "slot": 0, "owner": null, "token": "12",
       "claimed_at": "2026-11-22T12:00:00Z", "expires_at": "2026-11-22T12:00:30.5Z",
       "previous_end": null, "ipv6": null, "note": null, "added_later": [{"a": 1.5}]}
      """;

  /** What to do with a request. */
  @FunctionalInterface
  interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  /** What was asked. */
  record Asked(String method, String uri, String body, List<String> keys, String ifMatch) {}

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Answer> answers = new CopyOnWriteArrayList<>();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  ScriptedServer(Answer... answers) {
    this.answers.addAll(List.of(answers));
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      Asked request =
          new Asked(
              exchange.getRequestMethod(),
              exchange.getRequestURI().toString(),
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
              exchange.getRequestHeaders().getOrDefault("Authorization", List.of()),
              String.valueOf(exchange.getRequestHeaders().getFirst("If-Match")));
      Answer answer;
      synchronized (this) {
        asked.add(request);
        answer = answers.size() > 1 ? answers.remove(0) : answers.get(0);
      }
      answer.to(exchange);
    }
  }

  /**
   * Interrupts the thread that waits for the answer, and sends none until the server is stopped.
   */
  static Answer interrupting(Thread caller) {
    return exchange -> {
      caller.interrupt();
      LockSupport.park();
    };
  }

  static Answer json(int status, String body) {
    return answer(status, "application/json", body);
  }

  static Answer problem(int status, String code, String... headers) {
    return answer(
        status,
        "application/problem+json",
        """
        {"type": "urn:mintmark:problem:%s", "title": "T", "status": %d, "detail": "it is so",
         "code": "%s"}
        """
            .formatted(code, status, code),
        headers);
  }

  /** An answer with further headers, name and value in turn. */
  static Answer answer(int status, String contentType, String body, String... headers) {
    return exchange -> {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", contentType);
      for (int i = 0; i < headers.length; i += 2) {
        exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
      }
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    };
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** A pool of the server for a client with another clock, which repeats a request at once. */
  Pool pool(Ticker ticker) {
    return pool(ticker, () -> "mmk_test");
  }

  /** The same with keys of a supplier. */
  Pool pool(Ticker ticker, Supplier<String> keys) {
    return pool(ticker, keys, uri());
  }

  /** A pool of several servers. */
  static Pool pool(Ticker ticker, Supplier<String> keys, URI... servers) {
    return MintmarkClient.builder(servers)
        .apiKey(keys)
        .connectTimeout(Patience.MAX)
        .answerTimeout(Patience.MAX)
        .build(
            new Backoff(Duration.ofMillis(1), Duration.ofMillis(1), ThreadLocalRandom::current),
            ticker,
            InstantSource.system())
        .pool("codes");
  }

  /** Keys of a program whose next one fails if that is set. */
  static Supplier<String> keysThatFail(AtomicBoolean next) {
    return () -> {
      if (next.getAndSet(false)) {
        throw new NoClassDefFoundError("of the program");
      }
      return "mmk_test";
    };
  }

  List<Asked> asked() {
    return new ArrayList<>(asked);
  }

  void next(Answer answer) {
    answers(answer);
  }

  /** From now on these, one after the other; the last one again and again. */
  synchronized void answers(Answer... next) {
    answers.clear();
    answers.addAll(List.of(next));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
