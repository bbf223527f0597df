package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Face;
import dev.mintmark.IdType;
import dev.mintmark.InCollection;
import dev.mintmark.Kind;
import dev.mintmark.Masks;
import dev.mintmark.Ulid;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** Masked ids of an application on a real server: faces outside, plain texts inside. */
class FacesTest {
  private static final String SECRET = "a:MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=";
  private static final UUID ORDER = new UUID(0x017fe0937adf7932L, 0xaaaa01fd0ba14d3fL);
  private static final Catalog CATALOG =
      new Catalog(
          "shop",
          List.of(
              CollectionSpec.builder("payments", Kind.SEQUENCE)
                  .prefix("PM")
                  .width(6)
                  .face(new CollectionSpec.Face("pay", "payments"))
                  .build(),
              CollectionSpec.builder("orders", Kind.UUIDV7)
                  .face(new CollectionSpec.Face("ord", "orders"))
                  .build()),
          List.of());

  private static ConfigurableApplicationContext application;
  private static WebClient client;
  private static String payment;
  private static String order;

  @InCollection("payments")
  record PaymentId(long value) {}

  record AuthorId(Ulid value) {}

  record Payment(PaymentId id, @Face("orders") UUID order, UUID plain) {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    static Catalog catalog() {
      return CATALOG;
    }

    @Bean
    static IdType<AuthorId> authors() {
      return IdType.ulids().map(AuthorId.class, AuthorId::new, AuthorId::value);
    }

    @Bean
    Controller controller() {
      return new Controller();
    }
  }

  @RestController
  static class Controller {
    @GetMapping("/payments/{id}")
    Payment payment(@PathVariable PaymentId id) {
      return new Payment(id, ORDER, ORDER);
    }

    @GetMapping("/orders/{id}")
    boolean order(@PathVariable @Face("orders") UUID id) {
      return id.equals(ORDER);
    }

    @GetMapping("/numbers")
    long number(@RequestParam @Face("payments") long id) {
      return id;
    }

    @PostMapping("/payments")
    long create(@RequestBody Payment payment) {
      return payment.id().value();
    }
  }

  @BeforeAll
  static void start() {
    application =
        new SpringApplicationBuilder(Application.class)
            .properties(
                Map.of(
                    "server.port",
                    0,
                    "mintmark.secret",
                    SECRET,
                    "spring.main.banner-mode",
                    "off",
                    "spring.autoconfigure.exclude",
                    "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"))
            .run();
    client = new WebClient(application);
    Masks masks = application.getBean(Masks.class);
    payment = masks.find(PaymentId.class).orElseThrow().show(new PaymentId(1));
    order = masks.of(UUID.class, "orders").show(ORDER);
  }

  @AfterAll
  static void stop() {
    application.close();
  }

  @Test
  void clientsSeeFaces() {
    assertThat(client.get("/payments/" + payment).body())
        .isEqualTo(
            "{\"id\":\"%s\",\"order\":\"%s\",\"plain\":\"%s\"}".formatted(payment, order, ORDER));
    assertThat(client.get("/orders/" + order).body()).isEqualTo("true");
    assertThat(client.get("/numbers?id=" + payment).body()).isEqualTo("1");
    assertThat(client.post("/payments", "{\"id\":\"" + payment + "\"}").body()).isEqualTo("1");
  }

  @Test
  void plainTextIsMalformedOutside() {
    WebClient.Answer path = client.get("/payments/PM000001");
    WebClient.Answer body = client.post("/payments", "{\"id\":\"PM000001\"}");

    assertThat(path.status()).isEqualTo(400);
    assertThat(path.json().path("detail").asString())
        .isEqualTo("malformed face \"PM000001\": it has 8 characters: expected 31");
    assertThat(body.status()).isEqualTo(400);
    assertThat(body.json().path("pointer").asString()).isEqualTo("#/id");
    assertThat(client.get("/orders/" + ORDER).json().path("parameter").asString()).isEqualTo("id");
    assertThat(client.get("/numbers?id=1").status()).isEqualTo(400);
  }

  @Test
  void theMapperOfTheApplicationWritesPlainTexts() {
    JsonMapper mapper = application.getBean(JsonMapper.class);
    AuthorId author = new AuthorId(Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Z"));

    assertThat(mapper.writeValueAsString(new PaymentId(1))).isEqualTo("\"PM000001\"");
    assertThat(mapper.readValue("\"PM000001\"", PaymentId.class)).isEqualTo(new PaymentId(1));
    assertThat(mapper.writeValueAsString(author)).isEqualTo("\"01FZG96YPZK4SANAG1ZM5T2K9Z\"");
  }
}
