package dev.mintmark.verify;

import dev.mintmark.fixtures.HttpContract;
import dev.mintmark.fixtures.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The HTTP API of a server that runs.
 *
 * @param base where the server says that its console is
 */
record HttpApi(URI base) {
  /** An answer that takes longer is a hang, and fails the test. */
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private static final HttpContract CONTRACT = HttpContract.of(document());

  /** What the server answered. */
  record Answer(int status, String contentType, String body) {
    JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }

    /** One member of an object, as text. */
    String get(String member) {
      return json().path(member).asString();
    }
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  Answer get(String path) {
    return send(HttpRequest.newBuilder().GET(), path, null);
  }

  Answer post(String path, String json) {
    BodyPublisher body = BodyPublishers.ofString(json);
    return send(
        HttpRequest.newBuilder().header("Content-Type", "application/json").POST(body), path, json);
  }

  Answer patch(String path, String json) {
    BodyPublisher body = BodyPublishers.ofString(json);
    return send(
        HttpRequest.newBuilder().header("Content-Type", "application/json").method("PATCH", body),
        path,
        json);
  }

  Answer claim(String pool, String client) {
    return post("/v1/pools/" + pool + "/claims", "{\"client\": \"%s\"}".formatted(client));
  }

  /**
   * Sends a request with any method.
   *
   * @param token of the claim that it is about, for {@code If-Match}
   */
  Answer send(String method, String path, Optional<String> json, Optional<String> token) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder()
            .method(method, json.map(BodyPublishers::ofString).orElseGet(BodyPublishers::noBody));
    json.ifPresent(text -> request.header("Content-Type", "application/json"));
    token.ifPresent(number -> request.header("If-Match", "\"" + number + "\""));
    return send(request, path, json.orElse(null));
  }

  /** Sends a request, and checks it and the response against the contract. */
  private Answer send(HttpRequest.Builder request, String path, @Nullable String body) {
    try {
      HttpResponse<String> response =
          CLIENT.send(
              request.uri(base.resolve(path)).timeout(Patience.MAX).build(),
              BodyHandlers.ofString());
      CONTRACT.check(response, body);
      return new Answer(
          response.statusCode(),
          response.headers().firstValue("Content-Type").orElse(""),
          response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode document() {
    try (InputStream document = HttpApi.class.getResourceAsStream("/static/openapi.json")) {
      return JsonMapper.shared().readTree(Objects.requireNonNull(document).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
