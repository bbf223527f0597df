package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.view.Json;
import dev.mintmark.fixtures.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A client that watches a pool, with a thread that reads the events. */
final class WatchedEvents implements AutoCloseable {
  /** How long a test waits for an event that must come. */
  private static final long WAIT_SECONDS = Patience.MAX.toSeconds();

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final HttpResponse<InputStream> response;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

  /**
   * What was received.
   *
   * @param type empty for the end of the stream, or of the connection
   */
  record Event(String type, String data) {
    /** The response is complete. */
    static final Event END = new Event("", "");

    /** The connection was closed within the response. */
    static final Event CUT = new Event("", "cut");

    JsonNode json() {
      return Json.MAPPER.readTree(data);
    }
  }

  private WatchedEvents(HttpResponse<InputStream> response) {
    this.response = response;
    Thread reader = new Thread(this::read, "watched-events");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Watches a pool.
   *
   * @param headers names and values
   */
  static WatchedEvents of(int port, String pool, String... headers) {
    HttpResponse<InputStream> response = request(port, pool, headers);
    assertThat(response.statusCode()).isEqualTo(200);
    return new WatchedEvents(response);
  }

  static HttpResponse<InputStream> request(int port, String pool, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + port + "/v1/pools/" + pool + "/watch"));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return CLIENT.send(request.build(), BodyHandlers.ofInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  String header(String name) {
    return response.headers().firstValue(name).orElse("");
  }

  /** Waits for the next event. */
  Event next() throws InterruptedException {
    return Optional.ofNullable(events.poll(WAIT_SECONDS, TimeUnit.SECONDS))
        .orElseThrow(() -> new AssertionError("no event in " + WAIT_SECONDS + " s"));
  }

  /** Waits for an event of a type, and skips others. */
  Event next(String type) throws InterruptedException {
    return next(event -> event.type.equals(type));
  }

  /** Waits for the event of a pool of which so many values are held, and skips others. */
  Event nextHeld(int held) throws InterruptedException {
    return next(event -> event.type.equals("pool") && event.json().get("held").asInt() == held);
  }

  private Event next(Predicate<Event> wanted) throws InterruptedException {
    Event event = next();
    while (!wanted.test(event)) {
      assertThat(event.type).as("the stream ended").isNotEmpty();
      event = next();
    }
    return event;
  }

  /** Waits for the end of the response, and skips events. */
  void awaitEnd() throws InterruptedException {
    Event event = next();
    while (!event.type.isEmpty()) {
      event = next();
    }
    assertThat(event).isEqualTo(Event.END);
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      String type = "";
      for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("event: ")) {
          type = line.substring("event: ".length());
        } else if (line.startsWith("data: ")) {
          events.add(new Event(type, line.substring("data: ".length())));
        }
      }
      events.add(Event.END);
    } catch (IOException e) {
      events.add(Event.CUT);
    }
  }

  @Override
  public void close() {
    try {
      response.body().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
