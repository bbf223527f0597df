package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Catalog;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.OwnDatabases;
import dev.mintmark.app.view.Json;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.postgres.pool.Pools;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that no good client sends, byte by byte. */
@Tag("long")
class HostileRequestsTest {
  private static final Catalog CATALOG = CatalogReader.read("test", "namespace: test\n");
  private static final String LOCAL = "Host: 127.0.0.1\r\n";

  private static Database database;
  private static Server server;

  /** The head and the body of a response. */
  private record Answer(int status, String head, String body) {
    Answer assertProblem(int expected, String code) {
      assertThat(status).as(head + body).isEqualTo(expected);
      assertThat(head).containsIgnoringCase("content-type: application/problem+json");
      assertThat(Json.MAPPER.readTree(body).path("code").asString()).isEqualTo(code);
      return assertGuarded();
    }

    void assertDetail(String part) {
      assertThat(Json.MAPPER.readTree(body).path("detail").asString()).contains(part);
    }

    Answer assertGuarded() {
      assertThat(head)
          .contains("Content-Security-Policy: default-src 'self'")
          .contains("X-Content-Type-Options: nosniff")
          .contains("Referrer-Policy: no-referrer");
      return this;
    }
  }

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
        "localhost.evil.com",
        "localhost.evil.com:7300",
        "127.0.0.1.evil.example",
        "127.0.0.1.nip.io",
        "localhostevil.com",
        "xlocalhost",
        "127.0.0.10",
        "[::1].evil.com"
      })
  void aNameThatOnlyBeginsLikeThisMachineIsAnotherHost(String host) throws IOException {
    Answer answer = send("GET /v1/pools HTTP/1.1\r\nHost: " + host + "\r\n");

    assertThat(answer.status).as(answer.body).isIn(400, 403);
    answer.assertGuarded();
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost@evil.com", "evil.com@localhost", "localhost, evil.com"})
  void aHostWithALoginIsMalformed(String host) throws IOException {
    assertThat(send("GET /v1/pools HTTP/1.1\r\nHost: " + host + "\r\n").status).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost", "LocalHost:7300", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:7300"})
  void theNamesOfThisMachineAreServed(String host) throws IOException {
    assertThat(send("GET /v1/ids?id=1 HTTP/1.1\r\nHost: " + host + "\r\n").status).isEqualTo(200);
  }

  @Test
  void aBrowserCannotAskForAPageOfAnotherSite() throws IOException {
    for (String site : List.of("cross-site", "same-site")) {
      for (String more :
          List.of(
              "Sec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image\r\n",
              "Sec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n",
              "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n",
              "")) {
        for (String path : List.of("/v1/pools", "/v1/ids?id=%ff", "/openapi.json", "/")) {
          send("GET " + path + " HTTP/1.1\r\n" + LOCAL + "Sec-Fetch-Site: " + site + "\r\n" + more)
              .assertProblem(403, "cross-site-request");
        }
      }
      Answer followed =
          send(
              "GET / HTTP/1.1\r\n"
                  + LOCAL
                  + "Sec-Fetch-Site: "
                  + site
                  + "\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n");
      assertThat(followed.status).isEqualTo(200);
    }
    for (String site : List.of("same-origin", "none")) {
      assertThat(
              send("GET /v1/pools HTTP/1.1\r\n" + LOCAL + "Sec-Fetch-Site: " + site + "\r\n")
                  .status)
          .isEqualTo(200);
    }
  }

  @Test
  void aBrowserWithoutFetchMetadataChangesNothingForAPageOfAnotherOrigin() throws IOException {
    post("/v1/pools", "{\"name\": \"origin\", \"range\": \"1..9\"}");
    String resume = "POST /v1/pools/origin/resume HTTP/1.1\r\n" + LOCAL;
    for (String origin :
        List.of(
            "https://evil.example", "http://127.0.0.1:1", "http://127.0.0.1.evil", "null", "%")) {
      send(resume + "Content-Length: 0\r\nOrigin: " + origin + "\r\n")
          .assertProblem(403, "cross-site-request");
      assertThat(send("GET /v1/pools HTTP/1.1\r\n" + LOCAL + "Origin: " + origin + "\r\n").status)
          .isEqualTo(200);
    }
    for (String more :
        List.of(
            "",
            "Origin: http://127.0.0.1\r\n",
            "Origin: null\r\nSec-Fetch-Site: same-origin\r\n")) {
      assertThat(send(resume + "Content-Length: 0\r\n" + more).status).isEqualTo(200);
    }
  }

  @Test
  void mistakesOfClientsAreNoErrorsOfTheServer() throws IOException {
    post("/v1/pools", "{\"name\": \"p\", \"range\": \"1..9\"}");
    StringBuilder many = new StringBuilder("/v1/ids?a0=1");
    for (int i = 1; i <= 1_000; i++) {
      many.append("&a").append(i).append("=1");
    }

    for (String path :
        List.of(
            "/v1/pools/p/claims?client=%ff",
            "/v1/ids?id=%ff%fe",
            "/v1/puris?id=%c0%af",
            many.toString(),
            "/v1/pools/p/history?at=%2B1000000000-12-31T23:59:59Z",
            "/v1/pools/p/history?at=-1000000000-01-01T00:00:00Z",
            "/v1/pools/p/history?at=%2B294277-01-01T00:00:00Z",
            "/v1/pools/p/history?at=-4713-01-01T00:00:00Z",
            "/v1/pools/p/history?before=-9223372036854775808",
            "/v1/pools/p/map?from=9223372036854775807",
            "/v1/pools/p/claims?limit=-1",
            "/v1/pools/p/claims?after=%00",
            "/v1/pools/%ff/claims")) {
      Answer answer = send("GET " + path + " HTTP/1.1\r\n" + LOCAL);
      assertThat(answer.status)
          .as(path.substring(0, Math.min(80, path.length())) + answer.body)
          .isLessThan(500);
      answer.assertGuarded();
    }
    send("DELETE /v1/pools/p/history?ended_before=%2B1000000000-12-31T23:59:59Z HTTP/1.1\r\n"
            + LOCAL)
        .assertProblem(400, "invalid-request");
    send("GET /v1/ids?id=%ff%fe HTTP/1.1\r\n" + LOCAL).assertProblem(400, "malformed-request");
    send("GET " + many + " HTTP/1.1\r\n" + LOCAL).assertProblem(400, "malformed-request");
  }

  @ParameterizedTest
  @CsvSource({
    "TRACE, /v1/pools, 405, method-not-allowed",
    "TRACE, /, 405, method-not-allowed",
    "POST, /, 405, method-not-allowed",
    "PUT, /openapi.json, 405, method-not-allowed",
    "GET, /WEB-INF/x, 404, path-not-found",
    "GET, /META-INF/x, 404, path-not-found",
    "GET, /error, 404, path-not-found",
    "GET, /openapi.json.yaml, 404, path-not-found",
    "GET, /openapi.json/, 404, path-not-found",
    "GET, /console.js/, 404, path-not-found",
    "GET, /v1/pools/, 404, path-not-found",
    "GET, /v1/pools.json, 404, path-not-found",
    "GET, /../etc/passwd, 400, malformed-request",
    "GET, /a|b, 400, malformed-request",
    "BREW, /v1/pools, 405, method-not-allowed",
    "CONNECT, /v1/pools, 501, malformed-request"
  })
  void everyErrorIsAProblem(String method, String path, int status, String code)
      throws IOException {
    send(method + " " + path + " HTTP/1.1\r\n" + LOCAL).assertProblem(status, code);
  }

  @Test
  void errorsOfFramingAreProblems() throws IOException {
    String chunked =
        "POST /v1/ids HTTP/1.1\r\n"
            + LOCAL
            + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
    assertThat(send(chunked, "zz\r\n{}\r\n0\r\n\r\n").status).isEqualTo(400);
    assertThat(send(chunked, "2\r\n{}\r\n0\r\n\r\n").body).contains("expected either kind");
    Answer range = send("GET /openapi.json HTTP/1.1\r\n" + LOCAL + "Range: bytes=9999999-\r\n");
    range.assertProblem(416, "malformed-request");
    send("GET /v1/ids?id=1 HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n").assertGuarded();
  }

  @ParameterizedTest
  @ValueSource(strings = {"foo", ";;;", "image/png"})
  void whoAcceptsNothingThatIsServedGetsAProblem(String accept) throws IOException {
    send("GET /v1/pools HTTP/1.1\r\n" + LOCAL + "Accept: " + accept + "\r\n")
        .assertProblem(406, "not-acceptable");
  }

  @Test
  void whatIsNotSupportedIsNamed() throws IOException {
    String post = "POST /v1/ids HTTP/1.1\r\n" + LOCAL + "Content-Type: application/json\r\n";
    for (String coding : List.of("foo", "gzip, chunked")) {
      send(post + "Transfer-Encoding: " + coding + "\r\n")
          .assertProblem(501, "malformed-request")
          .assertDetail("the transfer coding is not supported: expected chunked");
    }
    send("CONNECT /v1/pools HTTP/1.1\r\n" + LOCAL)
        .assertProblem(501, "malformed-request")
        .assertDetail("the method CONNECT is not supported");
    send("GET /v1/pools HTTP/9.9\r\n" + LOCAL)
        .assertProblem(505, "malformed-request")
        .assertDetail("the version of HTTP is not supported: expected HTTP/1.1");
  }

  @Test
  void whyARequestCannotBeReadIsTrue() throws IOException {
    String size = "the request line and the headers may have 8 KiB together";
    String get = "GET /v1/pools HTTP/1.1\r\n";

    send(get + LOCAL + "X-Long: " + "x".repeat(20_000) + "\r\n")
        .assertProblem(400, "malformed-request")
        .assertDetail(size);
    send("GET /" + "a".repeat(9_000) + " HTTP/1.1\r\n" + LOCAL)
        .assertProblem(400, "malformed-request")
        .assertDetail(size);
    send(get + LOCAL + "A: b\r\n".repeat(300))
        .assertProblem(400, "malformed-request")
        .assertDetail("the request has more than 100 headers");
    send(get)
        .assertProblem(400, "malformed-request")
        .assertDetail("the request has no header Host");
    send(get + LOCAL + LOCAL)
        .assertProblem(400, "malformed-request")
        .assertDetail("the request has 2 headers Host: expected one");
    send("GET /a|b HTTP/1.1\r\n" + LOCAL)
        .assertProblem(400, "malformed-request")
        .assertDetail("percent-encode all but letters");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"client\": true}",
        "{\"client\": 1.50}",
        "{\"client\": 7}",
        "{\"client\": \"a\", \"slot\": \"\"}",
        "{\"client\": \"a\", \"slot\": \"0\"}",
        "{\"client\": \"a\", \"slot\": 1.0}",
        "{\"client\": \"a\", \"slot\": true}"
      })
  void scalarsAreNotConverted(String body) throws IOException {
    post("/v1/pools/any/claims", body).assertProblem(400, "wrong-type");
  }

  @Test
  void charactersHaveOneEncoding() throws IOException {
    byte[] overlong =
        "{\"kind\": \"ulid\", \"collection\": \"aXYb\"}".getBytes(StandardCharsets.US_ASCII);
    int x = new String(overlong, StandardCharsets.US_ASCII).indexOf("XY");
    overlong[x] = (byte) 0xC0;
    overlong[x + 1] = (byte) 0xAF;

    post("/v1/ids", overlong).assertProblem(400, "malformed-json");
  }

  @Test
  void dataAfterTheBodyIsNamed() throws IOException {
    Answer answer = post("/v1/ids", "{\"kind\": \"ulid\"} {}");

    answer.assertProblem(400, "malformed-json");
    assertThat(answer.body).contains("more data after");
  }

  /** A browser cannot send a request without the header, so it needs no protection. */
  @Test
  void oldHttpWithoutAHostIsServed() throws IOException {
    assertThat(send("GET /v1/ids?id=1 HTTP/1.0\r\n").status).isEqualTo(200);
    assertThat(send("GET /v1/ids?id=1 HTTP/1.1\r\n").status).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/v1/pools|GET,HEAD,OPTIONS,POST",
        "/v1/pools/p|DELETE,GET,HEAD,OPTIONS,PATCH",
        "/v1/ids|GET,HEAD,OPTIONS,POST",
        "/v1/puris|GET,HEAD,OPTIONS"
      })
  void optionsTellsWhatIsAllowed(String path, String methods) throws IOException {
    Answer answer = send("OPTIONS " + path + " HTTP/1.1\r\n" + LOCAL);

    String allow =
        answer
            .head
            .lines()
            .filter(line -> line.startsWith("Allow: "))
            .map(line -> line.substring("Allow: ".length()))
            .findFirst()
            .orElse("");
    assertThat(Set.of(allow.replace(" ", "").split(",", -1)))
        .isEqualTo(Set.of(methods.split(",", -1)));
  }

  @Test
  void slowBodiesOccupyNoThreadAndEndAtADeadline() throws IOException {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 80; i++) {
        Socket socket = RawRequests.connect(server);
        slow.add(socket);
        RawRequests.write(
            socket,
            "POST /v1/ids HTTP/1.1\r\n"
                + LOCAL
                + "Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n {");
      }

      // No body is complete, so an answer means that a thread is free: there are 32.
      Answer answer = send("GET /v1/ids?id=1 HTTP/1.1\r\n" + LOCAL);

      assertThat(answer.status).isEqualTo(200);
      for (Socket socket : slow.subList(0, 3)) {
        Answer late = read(socket).assertProblem(408, "request-timeout");
        // The connection is closed after it: a client knows by the length that it is complete.
        assertThat(late.head.lines()).contains("Content-Length: " + late.body.length());
      }
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void aBodyInPiecesIsRead() throws IOException {
    Answer answer = sendInPieces(LOCAL, "{\"kind\":", " \"ulid\"}").assertGuarded();

    assertThat(answer.status).as(answer.body).isEqualTo(200);
    assertThat(Json.MAPPER.readTree(answer.body).path("ids")).hasSize(1);
  }

  @Test
  void aBodyInPiecesOfAnotherHostIsNotHandled() throws IOException {
    sendInPieces(LOCAL.replace("127.0.0.1", "evil.example"), "{\"kind\": \"ulid\"}")
        .assertProblem(403, "loopback-only");
  }

  /**
   * Sends a body of 16 bytes after its head; again if this machine is so slow that the server waits
   * in vain for the body.
   */
  private static Answer sendInPieces(String host, String... pieces) throws IOException {
    long begun = System.nanoTime();
    Answer answer = sendInPiecesOnce(host, pieces);
    while (answer.status == 408 && System.nanoTime() - begun < Patience.MAX.toNanos()) {
      answer = sendInPiecesOnce(host, pieces);
    }
    return answer;
  }

  private static Answer sendInPiecesOnce(String host, String... pieces) throws IOException {
    try (Socket socket = RawRequests.connect(server)) {
      RawRequests.write(
          socket,
          "POST /v1/ids HTTP/1.1\r\n"
              + host
              + "Connection: close\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n");
      // The answer of another request proves that the server has seen the head alone.
      assertThat(send("GET /v1/ids?id=1 HTTP/1.1\r\n" + LOCAL).status).isEqualTo(200);
      for (String piece : pieces) {
        RawRequests.write(socket, piece);
      }
      return read(socket);
    }
  }

  @Test
  void aBodyThatIsTooLargeIsAnsweredThoughItIsChunked() throws IOException {
    String chunk = "8000\r\n" + " ".repeat(0x8000) + "\r\n";

    send(
            "POST /v1/ids HTTP/1.1\r\n"
                + LOCAL
                + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n",
            chunk.repeat(4) + "0\r\n\r\n")
        .assertProblem(413, "body-too-large");
  }

  private static Answer post(String path, String body) throws IOException {
    return post(path, body.getBytes(StandardCharsets.UTF_8));
  }

  private static Answer post(String path, byte[] body) throws IOException {
    try (Socket socket = RawRequests.connect(server)) {
      RawRequests.write(
          socket,
          "POST %s HTTP/1.1\r\n%sConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
              .formatted(path, LOCAL, body.length));
      socket.getOutputStream().write(body);
      return read(socket);
    }
  }

  private static Answer send(String head) throws IOException {
    return send(head, "");
  }

  private static Answer send(String head, String body) throws IOException {
    try (Socket socket = RawRequests.connect(server)) {
      RawRequests.write(socket, head + "Connection: close\r\n\r\n" + body);
      return read(socket);
    }
  }

  private static Answer read(Socket socket) throws IOException {
    String text = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(text).matches("(?s)HTTP/1.1 [0-9]{3}.*");
    int end = text.indexOf("\r\n\r\n");
    String body = text.substring(end + 4);
    if (text.substring(0, end).contains("Transfer-Encoding: chunked") && body.contains("\r\n")) {
      body = body.substring(body.indexOf("\r\n") + 2, body.lastIndexOf("\r\n0\r\n"));
    }
    return new Answer(Integer.parseInt(text.substring(9, 12)), text.substring(0, end), body);
  }
}
