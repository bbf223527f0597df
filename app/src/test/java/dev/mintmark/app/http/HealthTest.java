package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Block;
import dev.mintmark.Catalog;
import dev.mintmark.PoolSpec;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.OwnDatabases;
import dev.mintmark.app.view.Json;
import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.fixtures.HttpContract;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Probes and metrics, on a real PostgreSQL that is stopped. */
@Tag("slow")
class HealthTest {
  private static final Catalog CATALOG = new Catalog("gates", List.of(), List.of());
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final HttpContract CONTRACT = HttpContract.of(ContractTest.document());
  private static final Pattern SAMPLE = Pattern.compile("(?m)^(mintmark_[^ ]*) ([0-9.E+-]+)$");

  @Test
  @Tag("long")
  void theProbesAndTheMetricsFollowTheDatabase() throws Exception {
    EmbeddedDatabase embedded = EmbeddedDatabase.startTemporary();
    try (Database database = Database.over(embedded)) {
      Pools pools = Pools.over(database.servingConnections("test", 4));
      Server server = Server.start(ServerOptions.onLoopback(0), Served.of(CATALOG, pools));
      try {
        pools.create(PoolSpec.of("gates", List.of(Block.parse("1..3"))));
        Pool gates = pools.open("gates");
        for (String client : new String[] {"a", "b", "c", "a", "d"}) {
          gates.claim(ClaimRequest.of(client));
        }

        assertThat(get(server, "/livez").body()).isEqualTo("ok\n");
        assertThat(get(server, "/readyz").body()).isEqualTo("ok\n");
        assertThat(samples(server))
            .containsEntry("mintmark_ready", 1.0)
            .containsEntry("mintmark_notifications_arriving", 0.0)
            .containsEntry("mintmark_pool_values{pool=\"gates\",state=\"held\"}", 3.0)
            .containsEntry("mintmark_pool_values{pool=\"gates\",state=\"free\"}", 0.0)
            .containsEntry("mintmark_pool_thresholds_passed{pool=\"gates\"}", 2.0)
            .containsEntry(
                "mintmark_pool_block_values{block=\"1..3\",pool=\"gates\",state=\"held\"}", 3.0)
            .containsEntry(claims("granted"), 3.0)
            .containsEntry(claims("already-held"), 1.0)
            .containsEntry(claims("exhausted"), 1.0);

        embedded.close();
        await(server, 503);

        HttpResponse<String> notReady = get(server, "/readyz");
        assertThat(Json.MAPPER.readTree(notReady.body()).get("code").asString())
            .isEqualTo("not-ready");
        assertThat(get(server, "/livez").statusCode()).isEqualTo(200);
        assertThat(samples(server)).containsEntry("mintmark_ready", 0.0);
      } finally {
        server.close();
      }
    }
  }

  @Test
  void aServerThatDrainsSaysThatItStopsAndAnswers() throws Exception {
    try (Database database = OwnDatabases.open()) {
      Pools pools = Pools.over(database.servingConnections("test", 4));
      Server server = Server.start(ServerOptions.onLoopback(0), Served.of(CATALOG, pools));
      Thread stopping = new Thread(() -> server.drain(Duration.ofHours(1)));
      try {
        assertThat(get(server, "/readyz").statusCode()).isEqualTo(200);
        stopping.start();
        await(server, 503);

        JsonNode notReady = Json.MAPPER.readTree(get(server, "/readyz").body());
        assertThat(notReady.get("code").asString()).isEqualTo("not-ready");
        assertThat(notReady.get("detail").asString()).isEqualTo("the server is stopping");
        assertThat(get(server, "/livez").statusCode()).isEqualTo(200);
        assertThat(get(server, "/v1/pools").statusCode()).isEqualTo(200);
      } finally {
        stopping.interrupt();
        stopping.join();
        server.close();
      }
    }
  }

  @Test
  void aDatabaseThatHangsIsNotReady() {
    AtomicLong clock = new AtomicLong();
    Readiness readiness = new Readiness(clock::get);
    assertThat(readiness.isReady()).isTrue();

    clock.addAndGet(Readiness.PATIENCE.toNanos() - 1);
    assertThat(readiness.isReady()).isTrue();
    clock.addAndGet(1);
    assertThat(readiness.isReady()).isFalse();
    readiness.answered();
    assertThat(readiness.isReady()).isTrue();
    readiness.failed();
    assertThat(readiness.isReady()).isFalse();
  }

  private static String claims(String outcome) {
    return "mintmark_pool_claim_seconds_count{outcome=\"%s\",pool=\"gates\"}".formatted(outcome);
  }

  private static Map<String, Double> samples(Server server) throws Exception {
    Map<String, Double> samples = new TreeMap<>();
    Matcher sample = SAMPLE.matcher(get(server, "/metrics").body());
    while (sample.find()) {
      samples.put(sample.group(1), Double.valueOf(sample.group(2)));
    }
    return samples;
  }

  private static void await(Server server, int status) throws Exception {
    while (get(server, "/readyz").statusCode() != status) {
      Thread.sleep(50);
    }
  }

  private static HttpResponse<String> get(Server server, String path)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path)).build();
    HttpResponse<String> response = CLIENT.send(request, BodyHandlers.ofString());
    CONTRACT.check(response, null);
    return response;
  }
}
