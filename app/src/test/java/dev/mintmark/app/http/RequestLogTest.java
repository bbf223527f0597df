package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.mintmark.app.access.KeyText;
import dev.mintmark.app.log.LogKeys;
import dev.mintmark.app.log.ServerLog;
import dev.mintmark.app.view.Json;
import dev.mintmark.fixtures.Patience;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The access log, and the log lines of requests, of a real server. */
@Tag("slow")
class RequestLogTest {
  private static final String LOCAL = "Host: 127.0.0.1\r\n";
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  private static AccessServer server;
  private static KeyText admin;

  private final LogEvents events = LogEvents.of(LogKeys.ACCESS_LOGGER);

  @BeforeAll
  static void startServer() {
    server = AccessServer.start();
    admin = server.key("admin");
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @AfterEach
  void leave() {
    events.close();
  }

  private Map<String, Object> line() {
    return events.next().getKeyValuePairs().stream()
        .filter(pair -> pair.value != null)
        .collect(Collectors.toMap(pair -> pair.key, pair -> pair.value));
  }

  @Test
  void aRequestIsALine() {
    server.send(
        admin,
        "GET",
        "/v1/pools?name_prefix=customer",
        null,
        "X-Request-Id",
        "r-1",
        "traceparent",
        "00-" + TRACE + "-00f067aa0ba902b7-01");

    Map<String, Object> line = line();
    assertThat(line)
        .containsOnlyKeys(
            "method", "path", "status", "duration_us", "request_id", "trace_id", "key", "address")
        .containsEntry("method", "GET")
        .containsEntry("path", "/v1/pools")
        .containsEntry("request_id", "r-1")
        .containsEntry("trace_id", TRACE)
        .containsEntry("key", admin.id())
        .containsEntry("address", "127.0.0.1");
    assertThat(String.valueOf(line.get("duration_us"))).matches("[0-9]+");
  }

  @Test
  void aClaimIsLoggedWhenItIsAnswered() {
    server.createPool(admin, "{\"name\": \"logged\", \"range\": \"1..1\"}");
    assertThat(line()).containsEntry("status", 201);

    server.post(admin, "/v1/pools/logged/claims", "{\"client\": \"secret-client\"}");
    assertThat(line())
        .containsEntry("path", "/v1/pools/{pool}/claims")
        .containsEntry("status", 201)
        .containsEntry("key", admin.id());
    server.get(admin, "/v1/pools/logged/claims/1");
    assertThat(line()).containsEntry("path", "/v1/pools/{pool}/claims/{value}");
    assertThat(events.rest()).isEmpty();
  }

  @Test
  void requestsThatAreRejectedAreLoggedWithoutTheirValues() throws IOException {
    for (String[] each :
        List.of(
            new String[] {"GET /v1/pools/secret-pool", "/v1/pools/{pool}", "401"},
            new String[] {
              "GET /v1/pools/p/claims/secret", "/v1/pools/{pool}/claims/{value}", "401"
            },
            new String[] {"BREW /v1/pools/secret-pool", "/v1/pools/{pool}", "401"},
            new String[] {"GET /secret", "/**", "404"},
            new String[] {"GET /livez?secret=1", "/livez", "400"},
            new String[] {"GET /secret|x", "-", "400"},
            new String[] {"GET /%zzsecret", "-", "400"},
            new String[] {"g(secret /v1/pools", "-", "400"})) {
      server.raw(each[0] + " HTTP/1.1\r\n" + LOCAL);

      Map<String, Object> line = line();
      assertThat(line)
          .as(each[0])
          .containsEntry("path", each[1])
          .containsEntry("status", Integer.valueOf(each[2]))
          .containsEntry("address", "127.0.0.1")
          .containsKey("request_id")
          .doesNotContainKey("key");
      assertThat(line.values().toString()).doesNotContain("secret");
    }
  }

  @Test
  void hostileHeadersAreNotLogged() throws IOException {
    server.raw(
        "GET /v1/pools/a%0d%0a12:00:00%20ERROR HTTP/1.1\r\n"
            + LOCAL
            + "X-Request-Id: a\u001b[2J\r\ntraceparent: 00-\u0085\r\n"
            + "X-Forwarded-For: evil\r\nUser-Agent: \u0007evil\r\nAuthorization: Bearer "
            + admin.text()
            + "\r\n");

    assertThat(line().values().toString())
        .doesNotContain("evil", "ERROR", "\u001b", "\u0085", admin.text());
  }

  @Test
  void theAddressIsThatBehindTheProxy() throws IOException {
    Listening listening =
        new Listening(
            InetAddress.getLoopbackAddress(),
            0,
            Optional.empty(),
            Optional.of(TrustedProxy.parse("127.0.0.0/8")));
    try (AccessServer behind = server.another(listening)) {
      behind.raw("GET /livez HTTP/1.1\r\n" + LOCAL + "X-Forwarded-For: 1.2.3.4, 10.9.8.7\r\n");
      assertThat(line()).containsEntry("address", "10.9.8.7");
      behind.raw(
          "GET /v1/pools?x=" + admin.text() + " HTTP/1.1\r\n" + LOCAL + "X-Forwarded-For: ::7\r\n");
      assertThat(line()).containsEntry("status", 400).containsEntry("address", "0:0:0:0:0:0:0:7");
    }
  }

  @Test
  void aWatchIsLoggedWhenItEndsWithTheStatusThatWasSent() throws IOException {
    server.createPool(admin, "{\"name\": \"seen\", \"range\": \"1..1\"}");
    assertThat(line()).containsEntry("status", 201);
    try (AccessServer other = server.another(Listening.onLoopback(0))) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), other.port())) {
        String head =
            "GET /v1/pools/seen/watch HTTP/1.1\r\n%sAuthorization: Bearer %s\r\n\r\n"
                .formatted(LOCAL, admin.text());
        socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        assertThat(lines.readLine()).startsWith("HTTP/1.1 200");
        // The watch would end, and be logged, if its first event could not be sent.
        assertThat(lines.lines().anyMatch(line -> line.startsWith("data: "))).isTrue();
      }
      assertThat(events.rest()).isEmpty();
    }

    assertThat(line())
        .containsEntry("path", "/v1/pools/{pool}/watch")
        .containsEntry("status", 200)
        .containsEntry("key", admin.id());
  }

  @Test
  void nothingIsLoggedUnlessItIsOn() throws IOException {
    events.setLevel(Level.OFF);
    // It is read to the end of the connection, which comes after the log.
    assertThat(server.raw("GET /v1/pools HTTP/1.1\r\n" + LOCAL)).contains(" 401 ");
    events.setLevel(Level.INFO);
    server.get(admin, "/v1/keys");

    assertThat(line()).containsEntry("path", "/v1/keys");
    assertThat(events.rest()).isEmpty();
  }

  @Test
  void rejectedKeysAreLinesOfJsonWithTheirRequest() {
    PrintStream stderr = System.err;
    ByteArrayOutputStream captured = new ByteArrayOutputStream();
    System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
    try (ServerLog log = ServerLog.start(ServerLog.Format.JSON, ServerLog.Severity.INFO, true)) {
      assertThat(log).isNotNull();
      for (int i = 0; i < 14; i++) {
        server
            .send(
                null,
                "GET",
                "/v1/pools",
                null,
                "Authorization",
                "Bearer mmk_0000000000_nonsense",
                "X-Request-Id",
                "r-" + i,
                "traceparent",
                i < 5 ? "00-" + TRACE + "-00f067aa0ba902b7-01" : "none")
            .assertProblem(401, "key-rejected");
        assertThat(line()).containsEntry("status", 401);
      }
      // The line is here before it is on the standard error.
      Patience.await("14 lines", () -> accessLines(lines(captured)) == 14);
    } finally {
      System.setErr(stderr);
    }

    List<JsonNode> lines = lines(captured);
    List<JsonNode> rejected =
        lines.stream()
            .filter(line -> line.path("code").asString("").equals("key-rejected"))
            .toList();
    assertThat(rejected).hasSize(10);
    assertThat(rejected.get(3).path("request_id").asString()).isEqualTo("r-3");
    assertThat(rejected)
        .extracting(line -> line.path("trace_id").asString("none"))
        .as("a thread forgets the trace of the request before")
        .containsExactly(TRACE, TRACE, TRACE, TRACE, TRACE, "none", "none", "none", "none", "none");
    assertThat(rejected.get(3).path("caller").asString()).isEqualTo("127.0.0.1");
    assertThat(accessLines(lines)).isEqualTo(14);
    assertThat(lines.get(lines.size() - 1).path("left_out").asInt()).isEqualTo(4);
  }

  private static List<JsonNode> lines(ByteArrayOutputStream captured) {
    return captured
        .toString(StandardCharsets.UTF_8)
        .lines()
        .map(line -> Json.MAPPER.readTree(line))
        .toList();
  }

  private static long accessLines(List<JsonNode> lines) {
    return lines.stream()
        .filter(line -> line.path("logger").asString().equals(LogKeys.ACCESS_LOGGER))
        .count();
  }
}
