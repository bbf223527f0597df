package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.Catalog;
import dev.mintmark.PoolSpec;
import dev.mintmark.app.http.WatchedEvents.Event;
import dev.mintmark.fixtures.BreakableDataSource;
import dev.mintmark.fixtures.HttpContract;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Pools that are watched over HTTP, on a real PostgreSQL. */
@Tag("long")
class WatchTest {
  private static final Catalog CATALOG = new Catalog("watched", List.of(), List.of());
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final HttpContract CONTRACT = HttpContract.of(ContractTest.document());
  private static final Duration WAIT_MAX = Patience.MAX;

  private HikariDataSource connections;
  private BreakableDataSource breakable;
  private Pools pools;
  private Server server;

  @BeforeEach
  void start() {
    connections = TestDatabase.create().connectionPool(8);
    breakable = new BreakableDataSource(connections);
    pools = Pools.over(breakable.dataSource());
    server = Server.start(ServerOptions.onLoopback(0), Served.of(CATALOG, pools));
  }

  @AfterEach
  void stop() {
    server.close();
    connections.close();
  }

  @Test
  void thePoolIsSentAtOnceAndAfterEachChange() throws Exception {
    Pool pool = pool("1..10");

    try (WatchedEvents events = watch()) {
      Event first = events.next();
      String got = get("/v1/pools/p").body();
      Claim claim = claim(pool, "a");
      events.nextHeld(1);
      pool.release(claim.value(), claim.token());
      events.nextHeld(0);

      assertThat(events.header("Content-Type")).startsWith("text/event-stream");
      assertThat(events.header("Cache-Control")).isEqualTo("no-store");
      assertThat(first).isEqualTo(new Event("pool", got));
    }
  }

  @Test
  void theStreamBeginsWithTheTimeToRetry() throws IOException {
    pool("1..10");

    try (Socket socket = rawWatch(0)) {
      InputStream in = socket.getInputStream();
      StringBuilder begun = new StringBuilder();
      while (!begun.toString().contains("event:")) {
        begun.append((char) in.read());
      }
      assertThat(begun.toString()).startsWith("HTTP/1.1 200").contains("retry: 2000\n\n");
    }
  }

  @Test
  void thresholdsAreSentWhenTheyArePassed() throws Exception {
    Pool pool = pool("1..10");
    List<Claim> claims = new ArrayList<>();

    try (WatchedEvents events = watch()) {
      events.nextHeld(0);
      for (int i = 0; i < 9; i++) {
        claims.add(claim(pool, "c" + i));
      }
      Event above = events.next("threshold");
      claims.subList(0, 2).forEach(claim -> pool.release(claim.value(), claim.token()));
      Event below = events.next("threshold");

      assertThat(above.json().get("threshold").asInt()).isEqualTo(80);
      assertThat(above.json().get("direction").asString()).isEqualTo("above");
      assertThat(above.json().get("used_percent").asDouble()).isBetween(80.0, 90.0);
      assertThat(below.json().get("direction").asString()).isEqualTo("below");
      assertThat(CONTRACT.differences(schema("PoolThreshold"), above.json())).isEmpty();
    }
  }

  /** The whole answer is compared with the contract, because it has ended. */
  @Test
  void aPoolThatIsDeletedEndsTheStream() throws Exception {
    pool("1..10");
    var response =
        CLIENT.sendAsync(
            HttpRequest.newBuilder(uri("/v1/pools/p/watch")).build(), BodyHandlers.ofString());
    // The second reading begins after the first was sent.
    await(() -> sample("mintmark_pool_watch_readings_total") >= 2);

    pools.delete("p");

    HttpResponse<String> ended = response.get(WAIT_MAX.toSeconds(), TimeUnit.SECONDS);
    CONTRACT.check(ended, null);
    assertThat(ended.body()).contains("event: pool\n").contains("event: deleted\ndata: {\"at\":");
    assertThat(get("/v1/pools/p/watch").statusCode()).isEqualTo(404);
    await(() -> sample("mintmark_pool_watches") == 0);
  }

  @Test
  void allWhoWatchAPoolShareOneReader() throws Exception {
    Pool pool = pool("1..10");
    List<WatchedEvents> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.add(watch());
    }
    long begun = System.nanoTime();
    long before = sample("mintmark_pool_watch_readings_total");

    claim(pool, "a");
    for (WatchedEvents events : all) {
      events.nextHeld(1);
    }
    claim(pool, "b");
    for (WatchedEvents events : all) {
      events.nextHeld(2);
    }

    long after = sample("mintmark_pool_watch_readings_total");
    long seconds = (System.nanoTime() - begun) / 1_000_000_000 + 1;
    assertThat(after - before).isBetween(1L, seconds + 1);
    assertThat(sample("mintmark_pool_watches")).isEqualTo(8);
    all.forEach(WatchedEvents::close);
  }

  @Test
  void aPoolThatNobodyWatchesIsNotRead() throws Exception {
    Pool pool = pool("1..100000");
    assertThat(sample("mintmark_pool_watch_readings_total")).isZero();
    WatchedEvents events = watch();
    events.nextHeld(0);
    events.close();

    // A client that is gone is noticed when something is sent: the heartbeat, or sooner a change.
    AtomicInteger changes = new AtomicInteger();
    await(
        () -> {
          claim(pool, "b" + changes.incrementAndGet());
          return sample("mintmark_pool_watches") == 0;
        });
    Thread.sleep(1_500);
    long before = sample("mintmark_pool_watch_readings_total");
    claim(pool, "a");
    Thread.sleep(3_000);

    assertThat(sample("mintmark_pool_watch_readings_total")).isEqualTo(before);
  }

  /** A pool of many blocks has large events, which fill the buffers of a connection. */
  @Test
  void aClientThatDoesNotReadHoldsUpNoOtherAndIsDropped() throws Exception {
    pools.create(
        PoolSpec.of(
                "p",
                IntStream.range(0, PoolSpec.BLOCKS_MAX)
                    .mapToObj(i -> 100_000_000_000_000_000L + i * 10L)
                    .map(from -> Block.parse(from + ".." + (from + 9)))
                    .toList())
            .withQuarantine(Duration.ZERO));
    Pool pool = pools.open("p");

    try (Socket slow = rawWatch(2_048);
        WatchedEvents events = watch()) {
      await(() -> sample("mintmark_pool_watches") == 2);
      int held = 0;
      while (sample("mintmark_pool_watches") == 2) {
        claim(pool, "c" + held);
        held++;
        events.nextHeld(held);
      }

      assertThat(sample("mintmark_pool_watches")).isEqualTo(1);
      claim(pool, "c" + held);
      events.nextHeld(held + 1);
      assertThat(slow.isClosed()).isFalse();
    }
  }

  @Test
  void aServerHasAMostOfWatches() throws Exception {
    pool("1..10");
    List<WatchedEvents> all = new ArrayList<>();
    for (int i = 0; i < PoolWatches.WATCHES_MAX; i++) {
      all.add(watch());
    }

    HttpResponse<String> refused = get("/v1/pools/p/watch");
    all.get(0).close();

    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.body()).contains("\"code\":\"too-many-watches\"");
    assertThat(refused.headers().firstValue("Retry-After")).contains("10");
    await(() -> sample("mintmark_pool_watches") < PoolWatches.WATCHES_MAX);
    all.add(watch());
    all.forEach(WatchedEvents::close);
  }

  @Test
  void aLostDatabaseLeavesTheStreamOpen() throws Exception {
    Pool pool = pool("1..10");

    try (WatchedEvents events = watch()) {
      events.nextHeld(0);
      breakable.cut();
      Event lost = events.next();
      breakable.mend();
      Event back = events.next();
      claim(pool, "a");
      events.nextHeld(1);

      assertThat(lost.type()).isEqualTo("unavailable");
      assertThat(CONTRACT.differences(schema("PoolOutage"), lost.json())).isEmpty();
      assertThat(back.type()).isEqualTo("pool");
    }
  }

  /** The response is complete: the graceful shutdown did not wait for it and then cut it. */
  @Test
  void aServerThatStopsEndsTheStreams() throws Exception {
    pool("1..10");
    WatchedEvents events = watch();
    events.nextHeld(0);

    server.close();

    events.awaitEnd();
  }

  @Test
  void aHeadIsAnsweredWithoutAStream() throws Exception {
    pool("1..10");

    HttpResponse<String> head = send("HEAD", "/v1/pools/p/watch");

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/event-stream");
    assertThat(sample("mintmark_pool_watches")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE"})
  void otherMethodsAreNotAllowed(String method) throws Exception {
    pool("1..10");

    HttpResponse<String> refused = send(method, "/v1/pools/p/watch");

    assertThat(refused.statusCode()).isEqualTo(405);
    assertThat(refused.body()).contains("\"code\":\"method-not-allowed\"");
  }

  @Test
  void aProblemIsJsonWhateverTheClientAccepts() throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri("/v1/pools/nothing/watch"))
            .header("Accept", "text/event-stream");

    HttpResponse<String> unknown = CLIENT.send(request.build(), BodyHandlers.ofString());
    HttpResponse<String> wrong =
        CLIENT.send(
            request.uri(uri("/v1/pools/nothing/watch?since=1")).build(), BodyHandlers.ofString());

    CONTRACT.check(unknown, null);
    assertThat(unknown.body()).contains("\"code\":\"pool-not-found\"");
    CONTRACT.check(wrong, null);
    assertThat(wrong.body()).contains("\"code\":\"unknown-parameter\"");
  }

  private static JsonNode schema(String name) {
    return ContractTest.document().at("/components/schemas").path(name);
  }

  private Pool pool(String block) {
    pools.create(PoolSpec.of("p", List.of(Block.parse(block))).withQuarantine(Duration.ZERO));
    return pools.open("p");
  }

  private static Claim claim(Pool pool, String client) {
    return ((Granted) pool.claim(ClaimRequest.of(client))).claim();
  }

  private WatchedEvents watch() {
    return WatchedEvents.of(server.port(), "p");
  }

  /**
   * Sends a request and reads no response.
   *
   * @param receiveBuffer in bytes; 0 is the usual size
   */
  private Socket rawWatch(int receiveBuffer) throws IOException {
    Socket socket = new Socket();
    if (receiveBuffer > 0) {
      socket.setReceiveBufferSize(receiveBuffer);
    }
    socket.setSoTimeout(Math.toIntExact(WAIT_MAX.toMillis()));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    OutputStream out = socket.getOutputStream();
    out.write(
        "GET /v1/pools/p/watch HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII));
    out.flush();
    return socket;
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  private HttpResponse<String> get(String path) throws Exception {
    HttpResponse<String> response = send("GET", path);
    CONTRACT.check(response, null);
    return response;
  }

  private HttpResponse<String> send(String method, String path) throws Exception {
    return CLIENT.send(
        HttpRequest.newBuilder(uri(path)).method(method, BodyPublishers.noBody()).build(),
        BodyHandlers.ofString());
  }

  private long sample(String name) throws Exception {
    Matcher sample =
        Pattern.compile("(?m)^" + name + " ([0-9.E+-]+)$").matcher(get("/metrics").body());
    return Optional.of(sample)
        .filter(Matcher::find)
        .map(found -> Double.valueOf(found.group(1)).longValue())
        .orElseThrow(() -> new AssertionError("no metric " + name));
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    long begun = System.nanoTime();
    while (!condition.call()) {
      assertThat(System.nanoTime() - begun).isLessThan(WAIT_MAX.toNanos());
      Thread.sleep(50);
    }
  }
}
