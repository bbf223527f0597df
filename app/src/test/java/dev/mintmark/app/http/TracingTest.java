package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mintmark.app.access.KeyText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Spans, as a collector on this machine receives them. */
@Tag("long")
class TracingTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  /** The bodies of requests, in which texts and ids are as they are (protobuf). */
  private final List<String> received = new CopyOnWriteArrayList<>();

  private HttpServer collector;
  private AccessServer server;

  @BeforeEach
  void start() throws IOException {
    collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext("/v1/traces", this::receive);
    collector.start();
    server = AccessServer.start();
  }

  @AfterEach
  void stop() {
    server.close();
    collector.stop(0);
  }

  private void receive(HttpExchange exchange) throws IOException {
    received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
    exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  private AccessServer traced(int port) {
    URI endpoint = URI.create("http://127.0.0.1:" + port);
    return server.another(
        ServerOptions.onLoopback(0).withTracing(Optional.of(Tracing.to(endpoint, "1.2.3"))));
  }

  private static String bytes(String hex) {
    return new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
  }

  @Test
  void aRequestIsASpanOfTheTraceOfItsClientWithoutWhatItsPathContains() throws IOException {
    KeyText key = server.key("admin");
    server.createPool(key, "{\"name\": \"secret-customer\", \"blocks\": [\"10.0.0.0/24\"]}");
    try (AccessServer traced = traced(collector.getAddress().getPort())) {
      traced
          .send(
              key,
              "POST",
              "/v1/pools/secret-customer/claims",
              "{\"client\": \"vm-7\"}",
              "traceparent",
              "00-" + TRACE + "-00f067aa0ba902b7-01",
              "X-Request-Id",
              "checkout-1")
          .assertStatus(201);
      traced.get(key, "/v1/pools/unknown").assertStatus(404);
      traced.raw("GET /%761;x=1/audit HTTP/1.1\r\nHost: 127.0.0.1\r\n");
      traced.get(null, "/livez").assertStatus(200);
    }

    String spans = String.join("", received);
    assertThat(spans)
        .contains("POST /v1/pools/{pool}/claims", "GET /v1/pools/{pool}", "GET /v1/audit")
        .contains(bytes(TRACE), bytes("00f067aa0ba902b7"))
        .contains("checkout-1", "http.response.status_code", "1.2.3", "mintmark")
        .doesNotContain("secret-customer", "vm-7", "livez", key.text());
  }

  @Test
  void aSettingOfOpenTelemetryThatIsWrongIsReported() {
    String sampler = "otel.traces.sampler"; // As the variable OTEL_TRACES_SAMPLER.
    System.setProperty(sampler, "coin");
    try {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Tracing.to(URI.create("http://127.0.0.1:4318"), "1.2.3"))
          .withMessageContaining("OpenTelemetry: ")
          .withMessageContaining("coin");
    } finally {
      System.clearProperty(sampler);
    }
  }

  @Test
  void aCollectorThatIsNotThereDelaysNothing() {
    KeyText key = server.key("pools:read");
    int port = collector.getAddress().getPort();
    collector.stop(0);
    try (AccessServer traced = traced(port)) {
      for (int i = 0; i < 20; i++) {
        traced.get(key, "/v1/pools").assertStatus(200);
      }
    }
    assertThat(received).isEmpty();
  }
}
