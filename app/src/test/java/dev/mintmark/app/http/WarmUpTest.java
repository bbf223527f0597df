package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.log.LogKeys;
import dev.mintmark.fixtures.SelfSigned;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The requests of a server to itself after its start. */
@Tag("slow")
final class WarmUpTest {
  private static AccessServer plain;

  private final LogEvents ended = LogEvents.of(WarmUp.class.getName());
  private final LogEvents requests = LogEvents.of(LogKeys.ACCESS_LOGGER);

  @BeforeAll
  static void startDatabase() {
    plain = AccessServer.start();
  }

  @AfterAll
  static void stopDatabase() {
    plain.close();
  }

  @AfterEach
  void leave() {
    ended.close();
    requests.close();
  }

  @Test
  void aServerAnswersButIsNotReadyWhileItWarmsUp() {
    ServerOptions options = ServerOptions.onLoopback(0).withWarmUp(Duration.ofHours(1));
    try (AccessServer server = plain.another(options)) {
      AccessServer.Answer notReady = server.get(null, "/readyz");

      notReady.assertProblem(503, "not-ready");
      assertThat(notReady.json().path("detail").asString()).isEqualTo("the server is warming up");
      server.get(null, "/livez").assertStatus(200);
      server.get(null, "/v1/pools").assertStatus(200);
    }
  }

  @Test
  void itsRequestsAreNotLoggedAndEndWithIt() {
    ServerOptions options = ServerOptions.onLoopback(0).withWarmUp(Duration.ofMillis(500));
    try (AccessServer server = plain.another(options)) {
      assertThat(end()).matches("warmed up \\(requests=[1-9][0-9]*, time=500ms\\)");

      server.get(null, "/readyz").assertStatus(200);
      assertThat(requests.next().getKeyValuePairs()).anyMatch(pair -> "/readyz".equals(pair.value));
      assertThat(requests.rest()).isEmpty();
      assertThat(ended.rest()).isEmpty();
    }
  }

  @Test
  void nobodyElseIsAnsweredSo() {
    ServerOptions options = ServerOptions.onLoopback(0).withWarmUp(Duration.ofHours(1));
    try (AccessServer server = plain.another(options)) {
      server
          .post(null, "/warm-up/" + "0".repeat(32), "{\"client\": \"warm-up\"}")
          .assertProblem(404, "path-not-found");
    }
  }

  @Test
  void itGoesThroughTlsToAServerWithAnotherName(@TempDir Path directory) throws Exception {
    SelfSigned written = SelfSigned.write(directory, "warm.example");
    TlsFiles files = new TlsFiles(written.certificate(), written.key());
    InetAddress loopback = InetAddress.getLoopbackAddress();
    ServerOptions options =
        ServerOptions.at(new Listening(loopback, 0, Optional.of(files), Optional.empty()))
            .withWarmUp(Duration.ofMillis(500));
    try (AccessServer server = plain.another(options)) {
      assertThat(server.port()).isPositive();
      assertThat(end()).matches("warmed up \\(requests=[1-9][0-9]*, time=500ms\\)");
    }
  }

  private String end() {
    return ended.next().getFormattedMessage();
  }
}
