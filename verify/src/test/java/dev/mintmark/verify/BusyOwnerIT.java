package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.verify.HttpApi.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One account that starts many machines at once, through several servers: its claims are counted
 * one after the other, and none of them is rejected while the pool has free values.
 */
@Tag("matrix")
class BusyOwnerIT {
  private static final int SERVERS = 3;
  private static final int CLIENTS = 32;
  private static final Duration RUN_MIN = Duration.ofSeconds(15);

  /** Two processors need far less than {@link #RUN_MIN} for them, unless claims wait in vain. */
  private static final int GRANTS_MIN = 300;

  @Test
  void everyClaimOfABusyOwnerIsGrantedWhileValuesAreFree(@TempDir Path directory) {
    Mintmark mintmark = Mintmark.in(directory);
    List<RunningServer> servers = new ArrayList<>();
    try (EmbeddedDatabase database = EmbeddedDatabase.startTemporary()) {
      try {
        for (int i = 0; i < SERVERS; i++) {
          servers.add(
              RunningServer.startAsLaunched(
                  mintmark, "--port", "0", "--database-url", database.jdbcUrl()));
        }
        String pool =
            "{\"name\": \"busy\", \"range\": \"1..100000\", \"per_owner\": 100000, \"quarantine\": \"0s\"}";
        assertThat(servers.get(0).http().post("/v1/pools", pool).status()).isEqualTo(201);

        Map<String, Integer> answers = claimForOneOwner(servers);

        int granted = answers.getOrDefault("201", 0);

        assertThat(answers).containsExactly(Map.entry("201", granted));
        assertThat(granted).isGreaterThanOrEqualTo(GRANTS_MIN);
        assertThat(servers.get(1).get("/v1/pools/busy").get("held"))
            .isEqualTo(Integer.toString(granted));
      } finally {
        servers.forEach(RunningServer::close);
      }
    }
  }

  /**
   * Claims for new clients for some time, and until enough were granted. Returns how often each
   * answer came.
   */
  private static Map<String, Integer> claimForOneOwner(List<RunningServer> servers) {
    Map<String, Integer> answers = new ConcurrentHashMap<>();
    long start = System.nanoTime();
    List<CompletableFuture<Void>> clients =
        IntStream.range(0, CLIENTS)
            .mapToObj(
                client ->
                    CompletableFuture.runAsync(
                        () -> {
                          HttpApi http = servers.get(client % SERVERS).http();
                          for (int i = 0; isToGoOn(start, answers); i++) {
                            answers.merge(claim(http, client + "-" + i), 1, Integer::sum);
                          }
                        },
                        ThreadPerTask.EXECUTOR))
            .toList();
    clients.forEach(CompletableFuture::join);
    return answers;
  }

  private static boolean isToGoOn(long startNanos, Map<String, Integer> answers) {
    long nanos = System.nanoTime() - startNanos;
    boolean isEnough = nanos >= RUN_MIN.toNanos() && answers.getOrDefault("201", 0) >= GRANTS_MIN;
    return !isEnough && nanos < Patience.MAX.toNanos();
  }

  /** Returns the status, and the reason unless the claim was granted. */
  private static String claim(HttpApi http, String client) {
    Answer answer =
        http.post(
            "/v1/pools/busy/claims",
            "{\"client\": \"vm-%s\", \"owner\": \"acme\"}".formatted(client));
    return answer.status() == 201 ? "201" : answer.status() + " " + answer.get("detail");
  }
}
