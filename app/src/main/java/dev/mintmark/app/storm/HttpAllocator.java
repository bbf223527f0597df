package dev.mintmark.app.storm;

import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.view.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Mintmark or a rival in a storm, with a server process for each instance. The clients are HTTP
 * requests; the requests in flight are limited by the connections of a server. For one thread.
 */
final class HttpAllocator implements Storm.Allocator {
  /** The most requests in flight to one server: each uses a connection. */
  private static final int IN_FLIGHT_MAX = 64;

  private static final int PROGRESS_EVERY = 1_000;

  private static final int CREATED = 201;
  private static final int HELD = 200;
  private static final int CONFLICT = 409;

  private final Storm storm;
  private final StormServers servers;
  private final CloseAtExit.Resource addresses;
  private final List<URI> claims;

  /**
   * @param path the path of a claim
   * @param addresses what the servers grant: set up for the storm, and removed at the end
   */
  HttpAllocator(Storm storm, StormServers servers, String path, CloseAtExit.Resource addresses) {
    this.storm = storm;
    this.servers = servers;
    this.addresses = addresses;
    this.claims = servers.addresses().stream().map(server -> server.resolve(path)).toList();
    servers.begin(storm);
  }

  @Override
  public void run(AnswerLog log, LongConsumer progress) throws InterruptedException {
    ExecutorService executor =
        Executors.newFixedThreadPool(
            Runtime.getRuntime().availableProcessors(),
            task -> {
              Thread thread = new Thread(task, "storm-http");
              thread.setDaemon(true);
              return thread;
            });
    HttpClient http =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).executor(executor).build();
    int room = IN_FLIGHT_MAX * storm.busyInstances();
    Semaphore inFlight = new Semaphore(room);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    log.start();
    for (int i = 0; i < storm.clients() && failure.get() == null; i++) {
      int client = i;
      inFlight.acquire();
      var unused =
          http.sendAsync(request(client), BodyHandlers.ofString())
              .whenComplete(
                  (answer, e) -> {
                    try {
                      if (e == null) {
                        record(log, client, answer);
                      } else {
                        failure.set(e);
                      }
                    } catch (RuntimeException wrong) {
                      failure.set(wrong);
                    }
                    inFlight.release();
                  });
      if (client % PROGRESS_EVERY == 0) {
        progress.accept(log.answered());
      }
    }
    inFlight.acquire(room);
    log.end();
    executor.shutdown();
    Throwable failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException("a claim over HTTP failed: " + failed, failed);
    }
  }

  private HttpRequest request(int client) {
    return HttpRequest.newBuilder(claims.get(storm.instanceOf(client)))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString("{\"client\":\"" + Storm.clientName(client) + "\"}"))
        .build();
  }

  private static void record(AnswerLog log, int client, HttpResponse<String> answer) {
    switch (answer.statusCode()) {
      case CREATED, HELD ->
          log.granted(client, Json.MAPPER.readTree(answer.body()).path("value").stringValue());
      case CONFLICT -> log.rejected(client);
      default -> throw new IllegalStateException(answer.statusCode() + " " + answer.body());
    }
  }

  @Override
  public Storm.Effort effort() {
    return servers.effort();
  }

  @Override
  public void close() {
    addresses.close();
  }
}
