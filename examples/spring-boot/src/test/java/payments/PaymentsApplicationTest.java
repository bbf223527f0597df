package payments;

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
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("database")
class PaymentsApplicationTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();
  private static final ConfigurableApplicationContext APPLICATION =
      SpringApplication.run(
          PaymentsApplication.class,
          "--server.port=0",
          "--spring.main.banner-mode=off",
          "--logging.level.root=warn",
          "--mintmark.secret=a:Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdCBhIGtleQ",
          "--spring.datasource.url=jdbc:postgresql://127.0.0.1:%d/%s?user=postgres"
              .formatted(DATABASE.port(), DATABASE.name()));

  @AfterAll
  static void close() {
    APPLICATION.close();
  }

  @Test
  void clientsSeeFacesAndTheDatabaseHasNumbers() throws Exception {
    String mandate = post("/mandates", "{\"debtor\":\"Acme\"}").at("/id").asString();
    JsonNode payment = post("/payments", "{\"mandate\":\"%s\",\"cents\":700}".formatted(mandate));
    String id = payment.at("/id").asString();

    assertThat(mandate).startsWith("mandate_a");
    assertThat(id).startsWith("pay_a");
    assertThat(json(get("/payments/" + id))).isEqualTo(payment);
    assertThat(json(get("/payments?mandate=" + mandate)).get(0)).isEqualTo(payment);
    assertThat(get("/back-office/payments/" + id).body()).isEqualTo("PM000001");
    assertThat(DATABASE.number("select id from payments")).isEqualTo(1);

    HttpResponse<String> plain = get("/payments/PM000001");
    assertThat(plain.statusCode()).isEqualTo(400);
    assertThat(json(plain).at("/code").asString()).isEqualTo("malformed-identifier");
    assertThat(json(plain).at("/parameter").asString()).isEqualTo("id");
  }

  @Test
  void repositoriesFindManyByTheirIds() {
    Mandates mandates = APPLICATION.getBean(Mandates.class);
    List<MandateId> ids =
        mandates.saveAll(List.of(new Mandate(), new Mandate())).stream()
            .map(mandate -> Objects.requireNonNull(mandate.id))
            .toList();

    assertThat(mandates.findAllById(ids)).extracting(mandate -> mandate.id).hasSameElementsAs(ids);
    assertThat(mandates.existsById(ids.get(1))).isTrue();
  }

  private JsonNode post(String path, String body) throws IOException, InterruptedException {
    HttpResponse<String> response =
        CLIENT.send(
            HttpRequest.newBuilder(uri(path))
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    return json(response);
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return CLIENT.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
  }

  private URI uri(String path) {
    String port = APPLICATION.getEnvironment().getRequiredProperty("local.server.port");
    return URI.create("http://127.0.0.1:" + port + path);
  }

  private static JsonNode json(HttpResponse<String> response) {
    return JsonMapper.shared().readTree(response.body());
  }
}
