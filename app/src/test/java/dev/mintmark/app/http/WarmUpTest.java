package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.mintmark.app.log.LogKeys;
import dev.mintmark.fixtures.Patience;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The requests of a server to itself after its start. */
@Tag("slow")
final class WarmUpTest {
  private static AccessServer plain;

  private final Logger warmUp = (Logger) LoggerFactory.getLogger(WarmUp.class);
  private final Logger access = (Logger) LoggerFactory.getLogger(LogKeys.ACCESS_LOGGER);
  private final BlockingQueue<ILoggingEvent> ended = new LinkedBlockingQueue<>();
  private final BlockingQueue<ILoggingEvent> requests = new LinkedBlockingQueue<>();
  private final AppenderBase<ILoggingEvent> ofWarmUp = appender(ended);
  private final AppenderBase<ILoggingEvent> ofRequests = appender(requests);

  private static AppenderBase<ILoggingEvent> appender(BlockingQueue<ILoggingEvent> events) {
    return new AppenderBase<>() {
      @Override
      protected void append(ILoggingEvent event) {
        events.add(event);
      }
    };
  }

  @BeforeAll
  static void startDatabase() {
    plain = AccessServer.start();
  }

  @AfterAll
  static void stopDatabase() {
    plain.close();
  }

  @BeforeEach
  void listen() {
    ofWarmUp.start();
    ofRequests.start();
    warmUp.addAppender(ofWarmUp);
    warmUp.setLevel(Level.INFO);
    access.addAppender(ofRequests);
    access.setLevel(Level.INFO);
  }

  @AfterEach
  void leave() {
    warmUp.setLevel(null);
    warmUp.detachAppender(ofWarmUp);
    access.setLevel(Level.OFF);
    access.detachAppender(ofRequests);
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
  void itsRequestsAreNotLoggedAndEndWithIt() throws InterruptedException {
    ServerOptions options = ServerOptions.onLoopback(0).withWarmUp(Duration.ofMillis(500));
    try (AccessServer server = plain.another(options)) {
      assertThat(end()).matches("warmed up \\(requests=[1-9][0-9]*, time=500ms\\)");

      server.get(null, "/readyz").assertStatus(200);
      ILoggingEvent line = requests.poll(Patience.MAX.toSeconds(), TimeUnit.SECONDS);
      assertThat(line).isNotNull();
      assertThat(line.getKeyValuePairs()).anyMatch(pair -> "/readyz".equals(pair.value));
      assertThat(requests).isEmpty();
      assertThat(ended).isEmpty();
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
    TlsFiles files = SelfSigned.write(directory, "warm.example");
    InetAddress loopback = InetAddress.getLoopbackAddress();
    ServerOptions options =
        ServerOptions.at(new Listening(loopback, 0, Optional.of(files), Optional.empty()))
            .withWarmUp(Duration.ofMillis(500));
    try (AccessServer server = plain.another(options)) {
      assertThat(server.port()).isPositive();
      assertThat(end()).matches("warmed up \\(requests=[1-9][0-9]*, time=500ms\\)");
    }
  }

  private String end() throws InterruptedException {
    ILoggingEvent event = ended.poll(Patience.MAX.toSeconds(), TimeUnit.SECONDS);
    assertThat(event).isNotNull();
    return event.getFormattedMessage();
  }
}
