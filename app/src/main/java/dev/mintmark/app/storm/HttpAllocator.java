package dev.mintmark.app.storm;

import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.http.KeptConnection;
import dev.mintmark.app.view.Json;
import dev.mintmark.testkit.StartGate;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Mintmark or a rival in a storm, with a server process for each instance. The clients are HTTP
 * requests; the requests in flight are limited by the connections of a server. For one thread.
 */
final class HttpAllocator implements Storm.Allocator {
  /** The most requests in flight to one server: each uses a connection. */
  private static final int IN_FLIGHT_MAX = 64;

  private static final int CREATED = 201;
  private static final int HELD = 200;
  private static final int CONFLICT = 409;
  private static final int UNAVAILABLE = 503;

  /** The code of an answer after which a client claims again, and the time that it is told. */
  private static final String CONTENDED = "\"values-contended\"";

  private static final long CONTENDED_MILLIS = 1_000;

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

  /** Each request in flight has a thread and a connection, and waits for its answer. */
  @Override
  public void run(AnswerLog log, LongConsumer progress) throws InterruptedException {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    int instances = storm.busyInstances();
    List<AtomicInteger> next =
        IntStream.range(0, instances).mapToObj(first -> new AtomicInteger(first)).toList();
    StartGate gate =
        StartGate.of(
            IN_FLIGHT_MAX * instances,
            "storm-client",
            thread ->
                claim(claims.get(thread % instances), next.get(thread % instances), log, failure));
    log.start();
    gate.go();
    gate.await(() -> progress.accept(log.answered()));
    log.end();
    Throwable failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException("a claim over HTTP failed: " + failed, failed);
    }
  }

  /** Sends the claims of one client of an instance after another. */
  private void claim(
      URI target, AtomicInteger next, AnswerLog log, AtomicReference<@Nullable Throwable> failure) {
    try (KeptConnection connection = KeptConnection.to(target)) {
      int client = next.getAndAdd(storm.busyInstances());
      while (client < storm.clients() && failure.get() == null) {
        KeptConnection.Answer answer = connection.send(request(target, client));
        while (answer.status() == UNAVAILABLE && answer.body().contains(CONTENDED)) {
          Thread.sleep(CONTENDED_MILLIS);
          answer = connection.send(request(target, client));
        }
        record(log, client, answer);
        client = next.getAndAdd(storm.busyInstances());
      }
    } catch (IOException | RuntimeException e) {
      failure.set(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure.set(e);
    }
  }

  private static byte[] request(URI target, int client) {
    return KeptConnection.post(
        target.getAuthority(),
        target.getPath(),
        "{\"client\":\"" + Storm.clientName(client) + "\"}");
  }

  private static void record(AnswerLog log, int client, KeptConnection.Answer answer) {
    switch (answer.status()) {
      case CREATED, HELD ->
          log.granted(client, Json.MAPPER.readTree(answer.body()).path("value").stringValue());
      case CONFLICT -> log.rejected(client);
      default -> throw new IllegalStateException(answer.status() + " " + answer.body());
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
