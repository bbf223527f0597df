package dev.mintmark.spring;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Objects;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends requests to an application of a test. */
final class WebClient {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final String address;

  /** A status, a content type and a body. */
  record Answer(int status, String contentType, String body) {
    JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }
  }

  WebClient(ApplicationContext application) {
    WebServer server = ((WebServerApplicationContext) application).getWebServer();
    this.address = "http://localhost:" + Objects.requireNonNull(server).getPort();
  }

  Answer get(String path) {
    return send(HttpRequest.newBuilder(URI.create(address + path)).build());
  }

  Answer post(String path, String json) {
    return send(
        HttpRequest.newBuilder(URI.create(address + path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build());
  }

  private static Answer send(HttpRequest request) {
    try {
      HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
      return new Answer(
          answer.statusCode(),
          answer.headers().firstValue("Content-Type").orElse(""),
          answer.body());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
