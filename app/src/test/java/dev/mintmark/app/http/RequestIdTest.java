package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Catalog;
import dev.mintmark.Ulid;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.OwnDatabases;
import dev.mintmark.app.view.Json;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.postgres.pool.Pools;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every response has the id of its request, whatever answers it: byte by byte. */
@Tag("slow")
class RequestIdTest {
  private static final Catalog CATALOG = CatalogReader.read("test", "namespace: test\n");
  private static final String LOCAL = "Host: 127.0.0.1\r\n";

  private static Database database;
  private static Server server;

  @BeforeAll
  static void start() {
    database = OwnDatabases.open();
    Pools pools = Pools.over(database.connectionPool("test", 2));
    server = Server.start(ServerOptions.onLoopback(0), Served.of(CATALOG, pools));
  }

  @AfterAll
  static void stop() {
    server.close();
    database.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /livez HTTP/1.1|",
        "GET /readyz HTTP/1.1|",
        "GET /metrics HTTP/1.1|",
        "GET / HTTP/1.1|",
        "GET /openapi.json HTTP/1.1|",
        "HEAD /v1/pools HTTP/1.1|",
        "OPTIONS /v1/pools HTTP/1.1|",
        "GET /v1/pools HTTP/1.1|",
        "GET /v1/ids?id=1 HTTP/1.0|",
        "GET /nowhere HTTP/1.1|",
        "BREW /v1/pools HTTP/1.1|",
        "GET /v1/pools HTTP/1.1|Host: evil.example",
        "GET /v1/pools HTTP/1.1|Sec-Fetch-Site: cross-site",
        "GET /v1/pools/nowhere/watch HTTP/1.1|",
        "GET /v1/ids?unknown=1 HTTP/1.1|",
        "GET /v1/ids?id=%ff HTTP/1.1|",
        "GET /a|b HTTP/1.1|",
        "GET /../etc/passwd HTTP/1.1|",
        "GET /%zz HTTP/1.1|",
        "G(T /v1/pools HTTP/1.1|",
        "GET /v1/pools HTTP/9.9|",
        "GET /openapi.json HTTP/1.1|Range: bytes=99999999-",
        "GET /v1/pools HTTP/1.1|Content-Length: -1",
        "GET /v1/pools HTTP/1.1|Transfer-Encoding: nonsense",
        "GET /v1/pools HTTP/1.1|Bad Header: a",
        "GET /v1/pools HTTP/1.1|Expect: 200-ok",
        "POST /v1/ids HTTP/1.1|Content-Type: text/plain",
        "POST /v1/ids HTTP/1.1|Content-Length: 99999999",
      })
  void everyResponseHasAnId(String request) throws IOException {
    int line = request.lastIndexOf('|');
    String more = request.substring(line + 1);
    String host = more.startsWith("Host:") ? "" : LOCAL;

    String answer =
        send(request.substring(0, line) + "\r\n" + host + (more.isEmpty() ? "" : more + "\r\n"));

    assertThat(Ulid.tryParse(id(answer))).as(answer).isPresent();
    assertSameIdInProblem(answer);
  }

  @Test
  void aHeaderThatIsTooLargeHasAnIdToo() throws IOException {
    String answer = send("GET /v1/pools HTTP/1.1\r\n" + LOCAL + "A: " + "a".repeat(9000) + "\r\n");

    assertThat(answer).startsWith("HTTP/1.1 400");
    assertThat(Ulid.tryParse(id(answer))).isPresent();
    assertSameIdInProblem(answer);
  }

  @Test
  void answersThatAreWrittenAsynchronouslyHaveTheId() throws IOException {
    post("/v1/pools", "{\"name\": \"p\", \"range\": \"1..1\"}", "");

    String granted = post("/v1/pools/p/claims", "{\"client\": \"a\"}", "X-Request-Id: one\r\n");
    String refused = post("/v1/pools/p/claims", "{\"client\": \"b\"}", "X-Request-Id: two\r\n");

    assertThat(granted).startsWith("HTTP/1.1 201");
    assertThat(id(granted)).isEqualTo("one");
    assertThat(refused).startsWith("HTTP/1.1 409").contains("\"request_id\":\"two\"");
    assertThat(id(refused)).isEqualTo("two");
  }

  @Test
  void aStreamOfEventsHasTheId() throws IOException {
    post("/v1/pools", "{\"name\": \"watched\", \"range\": \"1..1\"}", "");
    try (Socket socket = RawRequests.connect(server)) {
      write(socket, "GET /v1/pools/watched/watch HTTP/1.1\r\nX-Request-Id: stream\r\n" + LOCAL);

      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) socket.getInputStream().read());
      }
      assertThat(head).startsWith("HTTP/1.1 200").contains("text/event-stream");
      assertThat(id(head.toString())).isEqualTo("stream");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "checkout-7f3a",
        "A.b_c-9",
        "0",
        "id-with-64-characters-id-with-64-characters-id-with-64-characters"
      })
  void anIdOfTheClientIsTakenOver(String id) throws IOException {
    String well = id.substring(0, Math.min(RequestId.LENGTH_MAX, id.length()));

    assertThat(id(send("GET /livez HTTP/1.1\r\n" + LOCAL + "x-request-id: " + well + "\r\n")))
        .isEqualTo(well);
    assertThat(id(send("GET /nowhere HTTP/1.1\r\n" + LOCAL + "X-Request-Id: " + well + "\r\n")))
        .isEqualTo(well);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a b",
        "a,b",
        "a/b",
        "\"a\"",
        "a\tb",
        "a=b",
        "\u00e4",
        "<script>",
        "${a}",
        "a;b"
      })
  void anotherTextIsReplaced(String text) throws IOException {
    String answer = send("GET /livez HTTP/1.1\r\n" + LOCAL + "X-Request-Id: " + text + "\r\n");

    assertThat(Ulid.tryParse(id(answer))).as(answer).isPresent();
  }

  @Test
  void anIdThatIsTooLongIsReplaced() throws IOException {
    String answer =
        send("GET /livez HTTP/1.1\r\n" + LOCAL + "X-Request-Id: " + "a".repeat(65) + "\r\n");

    assertThat(Ulid.tryParse(id(answer))).isPresent();
  }

  @Test
  void requestsOfOneConnectionHaveDifferentIds() throws IOException {
    Set<String> ids = new HashSet<>();
    try (Socket socket = RawRequests.connect(server)) {
      String request = "GET /livez HTTP/1.1\r\n" + LOCAL;
      write(socket, request + "\r\n" + request + "\r\n" + request + "Connection: close\r\n");
      String answers =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      for (String line : answers.lines().toList()) {
        if (line.startsWith("X-Request-Id: ")) {
          ids.add(line);
        }
      }
    }

    assertThat(ids).hasSize(3);
  }

  private static void assertSameIdInProblem(String answer) {
    boolean isProblem = answer.toLowerCase(Locale.ROOT).contains("type: application/problem+json");
    if (isProblem && answer.contains("{")) {
      String body = answer.substring(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
      assertThat(Json.MAPPER.readTree(body).path("request_id").asString()).isEqualTo(id(answer));
    }
  }

  /** Returns the only id of a response. */
  private static String id(String answer) {
    List<String> ids =
        answer
            .substring(0, answer.indexOf("\r\n\r\n"))
            .lines()
            .filter(line -> line.startsWith("X-Request-Id: "))
            .map(line -> line.substring("X-Request-Id: ".length()))
            .toList();
    assertThat(ids).as(answer).hasSize(1);
    return ids.get(0);
  }

  private static String post(String path, String body, String headers) throws IOException {
    return send(
        "POST %s HTTP/1.1\r\n%s%sContent-Type: application/json\r\nContent-Length: %d\r\n"
            .formatted(path, LOCAL, headers, body.length()),
        body);
  }

  private static String send(String head) throws IOException {
    return send(head, "");
  }

  private static String send(String head, String body) throws IOException {
    try (Socket socket = RawRequests.connect(server)) {
      write(socket, head + "Connection: close\r\n", body);
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  private static void write(Socket socket, String head) throws IOException {
    write(socket, head, "");
  }

  private static void write(Socket socket, String head, String body) throws IOException {
    RawRequests.write(socket, head + "\r\n" + body);
  }
}
