package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.IdType;
import dev.mintmark.MalformedIdException;
import dev.mintmark.Mint;
import dev.mintmark.SequenceId;
import dev.mintmark.Ulid;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/** An application with the starter, a data source and no catalog, on a real server. */
@Tag("database")
class EmptyApplicationTest {
  private static final String ID = "01FZG96YPZK4SANAG1ZM5T2K9Z";
  private static final SequenceId.Format INVOICES = new SequenceId.Format("IN", 6);

  private static TestDatabase database;
  private static ConfigurableApplicationContext application;
  private static WebClient client;

  record InvoiceId(long value) {}

  record Line(Ulid track, InvoiceId invoice) {}

  record Order(List<Line> lines) {}

  record Filter(Ulid after) {}

  @ConfigurationProperties("shop")
  record Shop(Ulid owner, InvoiceId first, Map<String, Ulid> stores) {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableConfigurationProperties(Shop.class)
  static class Application {
    @Bean
    static IdType<InvoiceId> invoices() {
      return IdType.sequences(INVOICES)
          .map(InvoiceId.class, id -> new InvoiceId(id.number()), id -> INVOICES.of(id.value()));
    }

    @Bean
    Controller controller() {
      return new Controller();
    }

    @Bean
    OwnAnswers ownAnswers() {
      return new OwnAnswers();
    }
  }

  @RestController
  static class Controller {
    @GetMapping("/tracks/{id}")
    Map<String, Object> track(@PathVariable Ulid id) {
      return Map.of("id", id);
    }

    @GetMapping("/tracks")
    List<Ulid> tracks(@RequestParam List<Ulid> id) {
      return id;
    }

    @GetMapping("/first")
    Ulid first(@RequestParam Ulid id) {
      return id;
    }

    @GetMapping("/invoices/{id}")
    long invoice(@PathVariable InvoiceId id) {
      return id.value();
    }

    @GetMapping("/pages")
    String page(@ModelAttribute Filter filter) {
      return filter.after().toString();
    }

    @GetMapping("/stored")
    String stored() {
      return Ulid.parse("broken").toString();
    }

    @PostMapping("/orders")
    Ulid order(@RequestBody Order order) {
      return order.lines().get(0).track();
    }
  }

  @RestController
  static class OwnAnswers {
    @GetMapping("/own/{id}")
    String own(@PathVariable Ulid id) {
      return id.toString();
    }

    @ExceptionHandler
    String mismatch(MethodArgumentTypeMismatchException failure) {
      return "mine: " + failure.getName();
    }
  }

  @BeforeAll
  static void start() {
    database = TestServer.NEWEST.createDatabase();
    application =
        new SpringApplicationBuilder(Application.class)
            .properties(
                Map.of(
                    "server.port",
                    0,
                    "spring.liquibase.enabled",
                    "false",
                    "spring.flyway.enabled",
                    false,
                    "spring.mvc.problemdetails.enabled",
                    true,
                    "spring.main.banner-mode",
                    "off",
                    "spring.autoconfigure.exclude",
                    "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
                    "spring.datasource.url",
                    "jdbc:postgresql://localhost:%d/%s?user=postgres"
                        .formatted(database.port(), database.name()),
                    "shop.owner",
                    ID,
                    "shop.first",
                    "IN000123",
                    "shop.stores.berlin",
                    ID))
            .run();
    client = new WebClient(application);
  }

  @AfterAll
  static void stop() {
    application.close();
  }

  @Test
  void theDatabaseIsNotTouched() {
    assertThat(client.get("/tracks/" + ID).status()).isEqualTo(200);

    // Boot starts the pool with the first connection.
    assertThat(application.getBean(HikariDataSource.class).isRunning()).isFalse();
    assertThat(database.rows("select from pg_namespace where nspname like 'mintmark%'")).isEmpty();
    // A listener of the application of another test may take a moment to end.
    Patience.await(
        "no thread of ours",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("mintmark")));
  }

  @Test
  void identifiersAreReadInPathsParametersFormsAndBodies() {
    assertThat(client.get("/tracks/" + ID).body()).isEqualTo("{\"id\":\"" + ID + "\"}");
    assertThat(client.get("/tracks?id=" + ID).body()).isEqualTo("[\"" + ID + "\"]");
    assertThat(client.get("/invoices/IN000123").body()).isEqualTo("123");
    assertThat(client.get("/pages?after=" + ID).body()).isEqualTo(ID);
    assertThat(client.post("/orders", "{\"lines\":[{\"track\":\"" + ID + "\"}]}").body())
        .isEqualTo("\"" + ID + "\"");
  }

  @Test
  void identifiersAreReadInProperties() {
    assertThat(application.getBean(Shop.class))
        .isEqualTo(new Shop(Ulid.parse(ID), new InvoiceId(123), Map.of("berlin", Ulid.parse(ID))));
  }

  @Test
  void mintsAscend() {
    @SuppressWarnings("unchecked")
    Mint<Ulid> mint = (Mint<Ulid>) application.getBean("ulidMint");

    assertThat(mint.mint()).isLessThan(mint.mint());
  }

  @ParameterizedTest
  @CsvSource({
    "/tracks/01FZG96YPZ, id",
    "/tracks/%1F, id",
    "/first?id=, id",
    "/tracks?id=a, id",
    "/invoices/PM000123, id",
    "/pages?after=x, after"
  })
  void malformedParameterIsAnsweredWithItsNameAndTheReason(String path, String parameter) {
    WebClient.Answer answer = client.get(path);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.contentType()).isEqualTo("application/problem+json");
    assertThat(answer.json().path("code").asString()).isEqualTo("malformed-identifier");
    assertThat(answer.json().path("parameter").asString()).isEqualTo(parameter);
    assertThat(answer.json().path("detail").asString()).startsWith("malformed ");
    assertThat(answer.json().path("status").asInt()).isEqualTo(400);
    assertThat(answer.json().path("instance").asString())
        .startsWith(path.replaceFirst("\\?.*", ""));
  }

  @Test
  void malformedIdentifierInABodyIsAnsweredWithItsPointerAndTheReason() {
    WebClient.Answer answer =
        client.post("/orders", "{\"lines\":[{\"track\":\"01FZG96YPZK4SANAG1ZM5T2K9U\"}]}");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.contentType()).isEqualTo("application/problem+json");
    assertThat(answer.json().path("pointer").asString()).isEqualTo("#/lines/0/track");
    assertThat(answer.json().path("detail").asString())
        .isEqualTo(
            "malformed ULID \"01FZG96YPZK4SANAG1ZM5T2K9U\": character 25, 'U', is not Crockford"
                + " base 32");
  }

  @Test
  void otherErrorsAreLeftToTheApplication() {
    assertThat(client.get("/stored").status()).isEqualTo(500);
    assertThat(client.post("/orders", "{").body()).doesNotContain("malformed-identifier");
    assertThat(client.get("/own/x").body()).isEqualTo("mine: id");
    assertThat(MalformedIdException.class).isFinal();
  }
}
