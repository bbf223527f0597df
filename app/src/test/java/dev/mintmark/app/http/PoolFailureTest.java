package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.mintmark.Catalog;
import dev.mintmark.app.view.Json;
import dev.mintmark.fixtures.HttpContract;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pool.Pools;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What a client and the log are told if the database refuses a statement of pools. */
@Tag("slow")
class PoolFailureTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final HttpContract CONTRACT = HttpContract.of(ContractTest.document());

  private static final String ROLE = "pool_failure_role";

  private static final String CLAIMS = "/v1/pools/p/claims";

  private @Nullable Server server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private void serve(DataSource connections) {
    server =
        Server.start(
            ServerOptions.onLoopback(0),
            Served.of(new Catalog("test", List.of(), List.of()), Pools.over(connections)));
    assertThat(post("/v1/pools", "{\"name\": \"p\", \"blocks\": [\"10.0.0.0/24\"]}").status)
        .isEqualTo(201);
  }

  private record Answer(int status, JsonNode json, HttpResponse<String> response) {
    String code() {
      return json.path("code").asString();
    }

    String detail() {
      return json.path("detail").asString();
    }

    boolean isToBeRepeated() {
      return response.headers().firstValue("Retry-After").isPresent();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "insert on mintmark.pool_claim, POST, claims",
    "select on mintmark.pool_usage, GET, usage",
    "select on mintmark.pool_quarantine, GET, quarantine"
  })
  void aRightThatTheRoleLacksIsNamedAndLogged(String right, String method, String resource) {
    TestDatabase database = ofRole();
    serve(database.dataSource(ROLE));
    database.execute("revoke %s from %s".formatted(right, ROLE));

    try (LogEvents log = LogEvents.of(Problems.class.getName())) {
      Answer answer =
          send(method, "/v1/pools/p/" + resource, method.equals("GET") ? null : claim("a"));

      String table = right.substring(right.indexOf('.') + 1);
      assertThat(answer.status).isEqualTo(403);
      assertThat(answer.code()).isEqualTo("permission-denied");
      assertThat(answer.detail()).contains("permission denied for table " + table);
      assertThat(answer.isToBeRepeated()).isFalse();
      ILoggingEvent logged = log.next();
      assertThat(logged.getLevel()).isEqualTo(Level.WARN);
      assertThat(logged.getFormattedMessage()).contains("42501", table);
      assertThat(log.rest()).isEmpty();
    }
  }

  @Test
  void oneOfManyClientsIsToldOfTheRightToo() {
    TestDatabase database = ofRole();
    serve(database.dataSource(ROLE));
    database.execute("revoke insert on mintmark.pool_claim from " + ROLE);

    JsonNode outcome = post(CLAIMS, "{\"clients\": [\"a\"]}").json.at("/outcomes/0");

    assertThat(outcome.path("status").asInt()).isEqualTo(403);
    assertThat(outcome.path("code").asString()).isEqualTo("permission-denied");
    assertThat(outcome.path("retry_after").isNull()).isTrue();
  }

  @Test
  void whatNoWaitingMendsIsLoggedAndNotCalledADatabaseThatIsAway() {
    TestDatabase database = TestDatabase.create();
    serve(database.dataSource());
    database.execute("alter table mintmark.pool_usage rename to pool_usage_before");

    try (LogEvents log = LogEvents.of(Problems.class.getName())) {
      Answer answer = get("/v1/pools/p/usage");

      assertThat(answer.status).isEqualTo(503);
      assertThat(answer.code()).isEqualTo("pool-unavailable");
      assertThat(answer.detail()).isEqualTo("the database reported an error: see the log");
      assertThat(answer.isToBeRepeated()).isTrue();
      ILoggingEvent logged = log.next();
      assertThat(logged.getLevel()).isEqualTo(Level.WARN);
      assertThat(logged.getFormattedMessage()).contains("42P01", "pool_usage");
    }
  }

  /** The encoding has é and does not have 漢. */
  @Test
  @Tag("long")
  void aTextThatTheEncodingLacksIsTheMistakeOfItsOwnRequest() {
    TestDatabase database =
        TestServer.NEWEST.createDatabase(
            "encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0");
    database.migratePools();
    serve(database.dataSource());

    JsonNode outcomes =
        post(CLAIMS, "{\"clients\": [\"vm-é\", \"a\", \"漢\", \"b\"]}").json.path("outcomes");

    assertThat(outcomes.valueStream().map(one -> one.path("status").asInt()))
        .containsExactly(201, 201, 400, 201);
    assertThat(outcomes.path(2).path("code").asString()).isEqualTo("invalid-request");
    assertThat(outcomes.path(2).path("detail").asString()).contains("LATIN1");
    for (Answer answer :
        List.of(
            post(CLAIMS, claim("漢")),
            post(CLAIMS, "{\"client\": \"c\", \"owner\": \"漢\"}"),
            post(CLAIMS, "{\"client\": \"c\", \"note\": {\"description\": \"漢\"}}"),
            get(CLAIMS + "?client=%E6%BC%A2"),
            get("/v1/pools/p/history?client=%E6%BC%A2"),
            send("DELETE", "/v1/pools/%E6%BC%A2/claims/1", null))) {
      assertThat(answer.status).as(answer.response.body()).isEqualTo(400);
      assertThat(answer.code()).isEqualTo("invalid-request");
      assertThat(answer.detail())
          .startsWith("the database has no character for one of the request: ")
          .contains("LATIN1");
      assertThat(answer.isToBeRepeated()).isFalse();
    }
  }

  private static TestDatabase ofRole() {
    TestDatabase database = TestDatabase.create();
    database.execute(
        """
        do $$ begin create role %1$s login; exception when duplicate_object then end $$;
        grant usage on schema mintmark to %1$s;
        grant select, insert, update, delete on all tables in schema mintmark to %1$s;
        grant usage, select, update on all sequences in schema mintmark to %1$s;
        """
            .formatted(ROLE));
    return database;
  }

  private static String claim(String client) {
    return "{\"client\": \"%s\"}".formatted(client);
  }

  private Answer get(String path) {
    return send("GET", path, null);
  }

  private Answer post(String path, String body) {
    return send("POST", path, body);
  }

  private Answer send(String method, String path, @Nullable String body) {
    Server running = server;
    if (running == null) {
      throw new IllegalStateException("no server");
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + running.port() + path))
            .header("Content-Type", "application/json")
            .header("If-Match", "\"1\"")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    try {
      HttpResponse<String> response = CLIENT.send(request.build(), BodyHandlers.ofString());
      CONTRACT.check(response, body);
      return new Answer(response.statusCode(), Json.MAPPER.readTree(response.body()), response);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
