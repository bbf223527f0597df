package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Keyring;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.page.KeysetPages;
import dev.mintmark.postgres.page.Page;
import dev.mintmark.postgres.page.PageOrder;
import dev.mintmark.postgres.page.PageRequest;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** Pages of an application on a real server, from the query string to the rows. */
@Tag("database")
class PagesTest {
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();
  private static final String SECRET = "a:MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=";

  private static ConfigurableApplicationContext application;
  private static WebClient client;

  record Incident(int number) {}

  record Incidents(List<Incident> items, String before, String after, boolean hasMore) {
    static Incidents of(Page<Incident> page) {
      return new Incidents(page.rows(), page.before(), page.after(), page.hasMore());
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration(
      exclude = {
        FlywayAutoConfiguration.class,
        HibernateJpaAutoConfiguration.class,
        LiquibaseAutoConfiguration.class
      })
  static class Application {
    @Bean
    static DataSource dataSource() {
      return DATABASE.dataSource();
    }

    @Bean
    static KeysetPages<Incident> incidents(Keyring keyring) {
      return KeysetPages.of("incidents")
          .orderedBy(PageOrder.byTransaction("xid", "id"))
          .signedWith(keyring)
          .reading(List.of("number"), row -> new Incident(row.getInt("number")));
    }

    @Bean
    static Api api(KeysetPages<Incident> incidents, DataSource dataSource) {
      return new Api(incidents, dataSource);
    }

    @Bean
    static HandlingApi handlingApi() {
      return new HandlingApi();
    }
  }

  @RestController
  static class Api {
    private final KeysetPages<Incident> incidents;
    private final DataSource dataSource;

    Api(KeysetPages<Incident> incidents, DataSource dataSource) {
      this.incidents = incidents;
      this.dataSource = dataSource;
    }

    @GetMapping("/incidents")
    Incidents list(PageRequest page) throws SQLException {
      return Incidents.of(incidents.read(dataSource, page));
    }

    /** With a cursor that the application has stored. */
    @GetMapping("/stored")
    Incidents stored(PageRequest ignored) throws SQLException {
      return Incidents.of(incidents.read(dataSource, PageRequest.after("AQ", 1)));
    }
  }

  @RestController
  static class HandlingApi {
    @GetMapping("/handled")
    boolean list(PageRequest page) {
      return page.equals(PageRequest.first(1));
    }

    @ExceptionHandler
    String handle(PageParameterException failure) {
      return "handled " + failure.parameter();
    }
  }

  @BeforeAll
  static void start() {
    DATABASE.execute(
        """
        create table incidents (
          id uuid primary key default gen_random_uuid(),
          number int not null,
          xid xid8 not null default pg_current_xact_id(),
          unique (xid, id));
        """);
    for (int number = 1; number <= 5; number++) {
      DATABASE.execute("insert into incidents (number) values (%d)".formatted(number));
    }
    application =
        new SpringApplicationBuilder(Application.class)
            .run(
                "--server.port=0",
                "--mintmark.secret=" + SECRET,
                "--mintmark.pages.limit-default=2",
                "--mintmark.pages.limit-max=3",
                "--spring.main.banner-mode=off",
                "--logging.level.root=warn");
    client = new WebClient(application);
  }

  @AfterAll
  static void stop() {
    application.close();
  }

  private static JsonNode page(String query) {
    return client.get("/incidents" + query).json();
  }

  private static List<Integer> numbers(JsonNode page) {
    return page.path("items").values().stream().map(row -> row.path("number").asInt()).toList();
  }

  @Test
  void clientWalksForwardsAndBackwards() {
    JsonNode first = page("");
    JsonNode second = page("?after=" + first.path("after").asString() + "&limit=3");
    JsonNode back = page("?before=" + second.path("before").asString());
    JsonNode last = page("?before=&limit=1");

    assertThat(numbers(first)).containsExactly(1, 2);
    assertThat(numbers(second)).containsExactly(3, 4, 5);
    assertThat(second.path("hasMore").asBoolean()).isFalse();
    assertThat(numbers(back)).containsExactly(2, 1);
    assertThat(numbers(last)).containsExactly(5);
    assertThat(numbers(page("?after="))).containsExactly(1, 2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ?limit=4                   | limit  | limit is "4": expected 1 to 3
          ?limit=0                   | limit  | limit is "0": expected 1 to 3
          ?limit=                    | limit  | limit is "": expected 1 to 3
          ?limit=many                | limit  | limit is "many": expected 1 to 3
          ?limit=99999999999         | limit  | limit is "99999999999": expected 1 to 3
          ?limit=1&limit=2           | limit  | limit is given 2 times: expected once
          ?after=a&before=b          | before | after and before are both given: expected one
          """)
  void requestOutOfRangeIsAnsweredWithTheParameter(String query, String parameter, String detail) {
    WebClient.Answer answer = client.get("/incidents" + query);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.contentType()).isEqualTo("application/problem+json");
    assertThat(answer.json().path("code").asString()).isEqualTo("malformed-page-request");
    assertThat(answer.json().path("parameter").asString()).isEqualTo(parameter);
    assertThat(answer.json().path("detail").asString()).isEqualTo(detail);
    assertThat(answer.json().path("instance").asString()).isEqualTo("/incidents");
  }

  @Test
  void forgedCursorIsAnsweredWithTheReason() {
    String after = page("").path("after").asString();
    char last = after.charAt(after.length() - 5);
    String forged =
        after.substring(0, after.length() - 5)
            + (last == 'A' ? 'B' : 'A')
            + after.substring(after.length() - 4);

    unusable("/incidents?after=" + forged, "after", "tampered");
    unusable("/incidents?before=" + forged, "before", "tampered");
    unusable("/incidents?after=page-2", "after", "malformed");
  }

  @Test
  void staleCursorIsAnsweredWithTheReason() {
    String after = page("").path("after").asString();
    DATABASE.execute(
        "create schema other; create table other.incidents (like incidents including all)");
    DATABASE.execute("alter database %s set search_path = other".formatted(DATABASE.name()));
    try {
      unusable("/incidents?after=" + after, "after", "other-pages");
    } finally {
      DATABASE.execute("alter database %s reset search_path".formatted(DATABASE.name()));
    }
  }

  private static void unusable(String path, String parameter, String reason) {
    WebClient.Answer answer = client.get(path);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.contentType()).isEqualTo("application/problem+json");
    assertThat(answer.json().path("code").asString()).isEqualTo("unusable-cursor");
    assertThat(answer.json().path("parameter").asString()).isEqualTo(parameter);
    assertThat(answer.json().path("reason").asString()).isEqualTo(reason);
    assertThat(answer.json().path("detail").asString()).startsWith("unusable cursor: ");
  }

  @Test
  void storedCursorOfTheApplicationIsNotAnErrorOfTheClient() {
    assertThat(client.get("/stored").status()).isEqualTo(500);
  }

  @Test
  void handlerOfTheApplicationIsAskedFirst() {
    assertThat(client.get("/handled?limit=0").body()).isEqualTo("handled limit");
  }
}
