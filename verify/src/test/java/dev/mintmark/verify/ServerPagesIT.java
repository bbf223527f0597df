package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.Patience;
import dev.mintmark.verify.Mintmark.Outcome;
import dev.mintmark.verify.Mintmark.Running;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The commands of docs/http.md and docs/access.md, against a server. */
@Tag("slow")
class ServerPagesIT {
  private static final List<ShownCommand> HTTP = ShownCommand.of(new Page("docs/http.md"));
  private static final List<ShownCommand> ACCESS = ShownCommand.of(new Page("docs/access.md"));

  private static final String POOL = "/v1/pools/public-ipv4";

  /** The most clients of a request. */
  private static final int CLIENTS_MAX = 1_024;

  /** What an example leaves out, and the time of an event. */
  private static final Pattern OMITTED = Pattern.compile(" ?\\.\\.\\. ?|(?<=\"at\":\")[^\"]*");

  private static final Pattern HELD = Pattern.compile("\"held\":(\\d+)");

  @TempDir Path directory;

  /** In this order: once there is a key, the requests of docs/http.md need one too. */
  @Test
  @Tag("long")
  void everyCommandDoesWhatThePageSays() {
    try (RunningServer server = RunningServer.start(mintmark(), directory.resolve(".mintmark"))) {
      assertThat(HTTP).hasSize(4);
      claimForClients(server, HTTP.get(0));
      watch(server, HTTP.get(1));
      // GeneratedClientTest runs the others, with versions of its own.
      assertThat(HTTP.subList(2, 4)).allMatch(command -> command.line().matches("np[mx] .*"));

      assertThat(ACCESS).hasSize(6);
      String key = createFirstKey(ACCESS.get(0));
      sendKey(server, ACCESS.get(1), key);
      // Other tests run a server with a provider; PageBlocksTest parses these options.
      assertThat(ACCESS.get(2).line()).startsWith("\"$0\" serve --oidc-issuer ");
      for (ShownCommand audit : ACCESS.subList(3, 6)) {
        assertDone(mintmark(), audit.line());
      }
      assertThat(directory.resolve("audit.csv")).content().contains(",key create,");
    }
  }

  private void claimForClients(RunningServer server, ShownCommand shown) {
    JsonNode outcomes = assertDone(mintmark(), here(server, shown)).json().path("outcomes");

    assertThat(outcomes.valueStream().map(each -> each.path("client").asString()))
        .containsExactly("vm-1", "vm-2");
    assertThat(outcomes.valueStream().map(each -> each.path("status").asInt())).containsOnly(201);
  }

  /** Brings the pool to the counts of the page while it is watched. */
  private void watch(RunningServer server, ShownCommand shown) {
    List<Integer> held =
        HELD.matcher(shown.output())
            .results()
            .map(count -> Integer.parseInt(count.group(1)))
            .toList();
    assertThat(server.http().patch(POOL, "{\"thresholds\": [80]}").status()).isEqualTo(200);
    claimUntil(server, held.get(0));
    Running watch = mintmark().startShell("exec " + here(server, shown));
    try {
      Patience.await("the pool", () -> watch.outSoFar().contains("\"held\""));
      claimInOneTransactionUntil(server, held.get(1));
      Patience.await("the threshold", () -> watch.outSoFar().contains("\"direction\""));
    } finally {
      watch.process().destroy();
    }

    Iterator<String> received = watch.outSoFar().lines().iterator();
    for (String line : shown.output().lines().toList()) {
      Pattern pattern =
          Pattern.compile(
              OMITTED.splitAsStream(line).map(Pattern::quote).collect(Collectors.joining(".*")));
      boolean isReceived = false;
      while (!isReceived && received.hasNext()) {
        isReceived = pattern.matcher(received.next()).matches();
      }
      assertThat(isReceived).as("%s in%n%s", line, watch.outSoFar()).isTrue();
    }
  }

  private static void claimUntil(RunningServer server, int held) {
    int first = server.get(POOL).json().path("held").asInt();
    while (first < held) {
      int end = Math.min(first + CLIENTS_MAX, held);
      String clients =
          IntStream.range(first, end)
              .mapToObj(client -> "\"host-%d\"".formatted(client))
              .collect(Collectors.joining(", "));
      assertThat(server.http().post(POOL + "/claims", "{\"clients\": [" + clients + "]}").status())
          .isEqualTo(200);
      first = end;
    }
  }

  /** The server may take the clients of a request apart, and the pool is watched in between. */
  private static void claimInOneTransactionUntil(RunningServer server, int held) {
    int first = server.get(POOL).json().path("held").asInt();
    try (Connection connection = DriverManager.getConnection(server.databaseUrl());
        PreparedStatement claims =
            connection.prepareStatement(
                """
                select outcome
                from pg_catalog.generate_series(?, ? - 1) client,
                  mintmark.claim_value('public-ipv4', 'host-' || client)
                """)) {
      claims.setInt(1, first);
      claims.setInt(2, held);
      List<String> outcomes = new ArrayList<>();
      try (ResultSet rows = claims.executeQuery()) {
        while (rows.next()) {
          outcomes.add(rows.getString("outcome"));
        }
      }
      assertThat(outcomes).hasSize(held - first).containsOnly("granted");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private String createFirstKey(ShownCommand shown) {
    String key = assertDone(mintmark(), shown.line()).out().strip();

    assertThat(key).matches(shown.output().strip().replace("...", "\\w+"));
    return key;
  }

  /** The server reads the keys every 2 seconds. */
  private void sendKey(RunningServer server, ShownCommand shown, String key) {
    Patience.await("accounts", () -> server.get(POOL).status() == 401);

    Outcome pools = assertDone(mintmark().with("MINTMARK_KEY", key), here(server, shown));

    assertThat(pools.json().path("pools").path(0).path("name").asString()).isEqualTo("public-ipv4");
  }

  private static Outcome assertDone(Mintmark mintmark, String line) {
    Outcome outcome = mintmark.shell(line);
    assertThat(outcome.status()).as("%s%n%s", line, outcome.err()).isZero();
    return outcome;
  }

  /** On a page, the server listens on the default port. */
  private static String here(RunningServer server, ShownCommand shown) {
    return shown.line().replace(":7300/", ":" + server.port() + "/");
  }

  private Mintmark mintmark() {
    return Mintmark.in(directory);
  }
}
