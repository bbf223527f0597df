package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Keyring;
import dev.mintmark.Kind;
import dev.mintmark.Mask;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.OwnDatabases;
import dev.mintmark.app.service.RowSearch;
import dev.mintmark.app.view.Json;
import dev.mintmark.fixtures.HttpContract;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.postgres.pool.Pools;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** The search for rows over HTTP, on a real PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class RowsTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final HttpContract CONTRACT = HttpContract.of(ContractTest.document());
  private static final Keyring KEYRING =
      Keyring.of('a', "0123456789abcdef0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII));
  private static final CollectionSpec.Face FACE = new CollectionSpec.Face("pay", "payments");

  private static final Catalog CATALOG =
      new Catalog(
          "shop",
          List.of(
              CollectionSpec.builder("payments", Kind.SEQUENCE)
                  .prefix("PM")
                  .table("payments")
                  .face(FACE)
                  .findColumns(List.of("id", "note"))
                  .build(),
              CollectionSpec.builder("meats", Kind.UUIDV7)
                  .table("meats")
                  .findColumns(List.of("cut"))
                  .build(),
              CollectionSpec.builder("broken", Kind.UUIDV7)
                  .table("broken")
                  .findColumns(List.of("shown"))
                  .build(),
              CollectionSpec.builder("secrets", Kind.UUIDV7).table("secrets").build()),
          List.of());

  private static final String MEAT = "017fe093-7adf-7932-aaaa-01fd0ba14d3f";

  private final Database database = OwnDatabases.open();
  private final DataSource connections = database.ownConnections("test");
  private Server server;

  @BeforeAll
  void start() throws SQLException {
    execute(
        """
        create table payments (id bigint primary key, note text, secret text);
        insert into payments values (123, null, 'hunter2');
        create table meats (id uuid primary key, cut text);
        insert into meats values ('017fe093-7adf-7932-aaaa-01fd0ba14d3f', 'ribs');
        create table secrets (id uuid primary key);
        insert into secrets select id from meats;
        create table broken (id uuid primary key, base text, shown text);
        insert into broken select id, 'hunter2' from meats;
        create function fail(text) returns boolean language plpgsql as
          'begin raise exception ''the value is %'', $1; end';
        create policy failing on broken using (fail(base));
        alter table broken enable row level security, force row level security;
        """);
    server =
        Server.start(
            ServerOptions.onLoopback(0),
            Served.of(CATALOG, Pools.over(database.servingConnections("test", 2)))
                .withRows(
                    RowSearch.of(
                            CATALOG,
                            Optional.of(KEYRING),
                            database.servingConnections("test-find", 2))
                        .withTimeouts(Patience.MAX, Patience.MAX)));
  }

  @AfterAll
  void stop() {
    server.close();
    database.close();
  }

  @Test
  void onlyDeclaredCollectionsAndColumnsAreShown() throws Exception {
    JsonNode collections = get("/v1/rows/collections", 200);
    assertThat(collections.findValuesAsString("collection"))
        .containsExactly("payments", "meats", "broken");

    JsonNode found = get("/v1/rows?id=PM123", 200);

    assertThat(found.path("collections").findValuesAsString("collection"))
        .containsExactly("payments", "meats", "broken");
    assertThat(found.at("/collections/0").toString())
        .isEqualTo(
            "{\"collection\":\"payments\",\"outcome\":\"found\",\"rows\":[{\"values\":["
                + "{\"column\":\"id\",\"text\":\"123\",\"cut\":false},"
                + "{\"column\":\"note\",\"text\":null,\"cut\":false}]}],"
                + "\"more\":false,\"reason\":null,\"detail\":null}");
    assertThat(get("/v1/rows?id=" + MEAT, 200).toString()).doesNotContain("secrets", "hunter2");
    assertThat(outcomes(get("/v1/rows?collection=meats&id=" + MEAT, 200)))
        .containsExactly("meats found");
  }

  @Test
  void whatMayNotBeSearchedIsAProblem() throws Exception {
    for (String collection : List.of("secrets", "none", "")) {
      JsonNode problem = get("/v1/rows?id=1&collection=" + collection, 403);
      assertThat(problem.path("code").asString()).isEqualTo("find-off");
    }
    assertThat(get("/v1/rows?id=", 400).path("code").asString()).isEqualTo("invalid-request");
    assertThat(get("/v1/rows", 400).path("code").asString()).isEqualTo("missing-parameter");
    assertThat(get("/v1/rows?id=" + "1".repeat(1025), 400).path("detail").asString())
        .isEqualTo("id has 1025 characters: expected 1 to 1024");
  }

  @Test
  void withoutADeclarationTheSearchIsOff() throws Exception {
    Server plain =
        Server.start(
            ServerOptions.onLoopback(0),
            Served.of(CATALOG, Pools.over(database.servingConnections("test-plain", 1))));
    try {
      assertThat(get(plain, "/v1/rows/collections", 200)).isEmpty();
      assertThat(get(plain, "/v1/rows?id=PM123", 403).path("code").asString())
          .isEqualTo("find-off");
    } finally {
      plain.close();
    }
  }

  @Test
  void aForgedMaskAndAMissingRowAreAnsweredAlike() throws Exception {
    Mask<Long> mask = Mask.ofNumbers(KEYRING, FACE);
    String missing = mask.show(999L);
    String forged = missing.substring(0, missing.length() - 2) + "00";
    assertThat(mask.tryOpen(forged)).isEmpty();

    String ofMissing = get("/v1/rows?id=" + missing, 200).toString();
    String ofForged = get("/v1/rows?id=" + forged, 200).toString();

    assertThat(ofForged).isEqualTo(ofMissing.replace(missing, forged));
    assertThat(outcomes(get("/v1/rows?id=" + mask.show(123L), 200))).contains("payments found");
  }

  @Test
  void aLockedTableIsReportedAndTheOthersAnswer() throws Exception {
    Server brief =
        Server.start(
            ServerOptions.onLoopback(0),
            Served.of(CATALOG, Pools.over(database.servingConnections("test-brief-pools", 1)))
                .withRows(
                    RowSearch.of(
                            CATALOG, Optional.empty(), database.servingConnections("test-brief", 1))
                        .withTimeouts(Duration.ofSeconds(4), Patience.MAX)));
    try (Connection other = connections.getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("lock table broken in access exclusive mode");

      JsonNode answers = get(brief, "/v1/rows?id=" + MEAT, 200);

      assertThat(outcomes(answers))
          .containsExactly("payments none", "meats found", "broken not_looked_at");
      assertThat(answers.at("/collections/2/reason").asString()).isIn("locked", "timed_out");
    } finally {
      brief.close();
    }
  }

  @Test
  void whileAllConnectionsAreBusyTheSearchIsUnavailable() throws Exception {
    DataSource one = database.servingConnections("test-busy", 1);
    Server busy =
        Server.start(
            ServerOptions.onLoopback(0),
            Served.of(CATALOG, Pools.over(database.servingConnections("test-idle", 1)))
                .withRows(RowSearch.of(CATALOG, Optional.empty(), one)));
    try (Connection taken = one.getConnection()) {
      assertThat(taken.isClosed()).isFalse();
      assertThat(get(busy, "/v1/rows?id=PM123", 503).path("code").asString())
          .isEqualTo("database-unavailable");
    } finally {
      busy.close();
    }
  }

  /** A message may contain values of rows. */
  @Test
  void messagesOfTheDatabaseStayInTheLog() throws Exception {
    JsonNode answer = get("/v1/rows?collection=broken&id=" + MEAT, 200);

    assertThat(answer.toString()).contains("\"reason\":\"failed\"").doesNotContain("hunter2");
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<String> outcomes(JsonNode search) {
    return StreamSupport.stream(search.path("collections").spliterator(), false)
        .map(one -> one.path("collection").asString() + " " + one.path("outcome").asString())
        .toList();
  }

  private JsonNode get(String path, int status) throws Exception {
    return get(server, path, status);
  }

  private static JsonNode get(Server server, String path, int status)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path)).build();
    HttpResponse<String> response = CLIENT.send(request, BodyHandlers.ofString());
    CONTRACT.check(response, null);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return Json.MAPPER.readTree(response.body());
  }
}
