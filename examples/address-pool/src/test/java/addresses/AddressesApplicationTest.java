package addresses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("database")
class AddressesApplicationTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();
  private static final ConfigurableApplicationContext APPLICATION =
      SpringApplication.run(
          AddressesApplication.class,
          "--server.port=0",
          "--spring.main.banner-mode=off",
          "--logging.level.root=warn",
          "--spring.datasource.url=jdbc:postgresql://127.0.0.1:%d/%s?user=postgres"
              .formatted(DATABASE.port(), DATABASE.name()));

  @AfterAll
  static void close() {
    APPLICATION.close();
  }

  @Test
  void machinesHoldAddressesUntilNoneIsFree() throws Exception {
    HttpResponse<String> first = send("PUT", "/machines/vm-1/address?customer=acme");
    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(json(first).at("/address").asString()).startsWith("203.0.113.");
    HttpResponse<String> again = send("PUT", "/machines/vm-1/address?customer=acme");
    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(json(again).at("/token")).isEqualTo(json(first).at("/token"));

    Set<String> held = new HashSet<>(Set.of(json(first).at("/address").asString()));
    for (int i = 2; i <= 6; i++) {
      String customer = i <= 4 ? "acme" : "globex";
      HttpResponse<String> next =
          send("PUT", "/machines/vm-%d/address?customer=%s".formatted(i, customer));
      assertThat(next.statusCode()).isEqualTo(201);
      held.add(json(next).at("/address").asString());
    }
    assertThat(held).hasSize(6);

    assertProblem(
        send("PUT", "/machines/vm-7/address?customer=acme"), 409, "acme holds 4 addresses");
    HttpResponse<String> exhausted = send("PUT", "/machines/vm-7/address?customer=globex");
    assertProblem(exhausted, 409, "every address is in use");
    assertThat(exhausted.headers().firstValueAsLong("retry-after").orElse(0)).isPositive();

    String address = "/addresses/" + json(first).at("/address").asString();
    long token = json(first).at("/token").asLong();
    HttpResponse<String> renewed = send("POST", address + "/renewals?token=" + token);
    assertThat(renewed.statusCode()).isEqualTo(200);
    assertThat(Instant.parse(json(renewed).at("/until").asString()))
        .isAfter(Instant.parse(json(first).at("/until").asString()));
    assertThat(send("DELETE", address + "?token=" + token).statusCode()).isEqualTo(204);
    assertProblem(
        send("POST", address + "/renewals?token=" + token),
        404,
        address.substring(11) + " is not held");
    assertProblem(
        send("PUT", "/machines/%s/address?customer=acme".formatted("x".repeat(300))),
        400,
        "client");
  }

  private static void assertProblem(HttpResponse<String> response, int status, String detail) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
    assertThat(json(response).at("/detail").asString()).contains(detail);
  }

  private static HttpResponse<String> send(String method, String path)
      throws IOException, InterruptedException {
    String port = APPLICATION.getEnvironment().getRequiredProperty("local.server.port");
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return CLIENT.send(
        HttpRequest.newBuilder(uri).method(method, BodyPublishers.noBody()).build(),
        BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> response) {
    return JsonMapper.shared().readTree(response.body());
  }
}
