package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.mintmark.Catalog;
import dev.mintmark.embedded.StartupException;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.Pools;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that starts before its database is open. */
@Tag("slow")
class StartingServerTest {
  private static final Catalog CATALOG = new Catalog("shop", List.of(), List.of());

  private final TestDatabase database = TestDatabase.create();

  @Test
  void itWaitsForWhatItServesAndThenListens() throws Exception {
    try (StartingServer starting = StartingServer.begin(ServerOptions.onLoopback(0));
        Server server = starting.complete(served());
        InputStream answer =
            URI.create("http://127.0.0.1:%d/livez".formatted(server.port())).toURL().openStream()) {
      assertThat(new String(answer.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("ok\n");
    }
  }

  @Test
  void aStartThatIsClosedLogsNothing() throws Exception {
    try (LogEvents log = LogEvents.of("org.springframework.boot")) {
      log.setLevel(Level.WARN);
      StartingServer starting = StartingServer.begin(ServerOptions.onLoopback(0));
      assertThat(threads()).contains("mintmark-start");
      starting.close();
      starting.close();

      awaitEnd();
      assertThat(log.rest()).isEmpty();
    }
  }

  @Test
  void aPortThatWasTakenMeanwhileIsReportedOnce() throws Exception {
    try (LogEvents log = LogEvents.of("org.springframework.boot");
        ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        StartingServer starting =
            StartingServer.begin(ServerOptions.onLoopback(taken.getLocalPort()));
        Pools pools = Pools.over(database.connectionPool(1))) {
      log.setLevel(Level.WARN);
      assertThatThrownBy(() -> starting.complete(Served.of(CATALOG, pools)))
          .isInstanceOf(StartupException.class)
          .hasMessage("port %d on 127.0.0.1 is taken".formatted(taken.getLocalPort()));

      awaitEnd();
      assertThat(log.rest()).isEmpty();
    }
  }

  @Test
  void whatItOffersMustBeServed() {
    try (StartingServer starting =
            StartingServer.begin(ServerOptions.onLoopback(0).withMaintains(true));
        Pools pools = Pools.over(database.connectionPool(1))) {
      assertThatThrownBy(() -> starting.complete(Served.of(CATALOG, pools)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the server offers maintenance, and none is served");
    }
  }

  private Served served() {
    return Served.of(CATALOG, Pools.over(database.connectionPool(1)));
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
  }

  private static void awaitEnd() throws InterruptedException {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("mintmark-start")) {
        thread.join(Patience.MAX.toMillis());
        assertThat(thread.isAlive()).isFalse();
      }
    }
  }
}
