package dev.mintmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Block;
import dev.mintmark.Catalog;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.PoolSpec;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.DatabaseAddress;
import dev.mintmark.app.database.PoolAddresses;
import dev.mintmark.app.http.Served;
import dev.mintmark.app.http.Server;
import dev.mintmark.app.http.ServerOptions;
import dev.mintmark.app.view.Json;
import dev.mintmark.fixtures.HttpContract;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pool.Pools;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A server whose pools are in two databases, one of which can be cut off. */
@Tag("slow")
class PoolDatabasesTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final HttpContract CONTRACT = HttpContract.of(document());

  private final TestDatabase home = TestDatabase.create();
  private final TestDatabase eu = TestServer.NEWEST.createDatabase();
  private final Doorway toEu = new Doorway(eu.port());
  private final StringWriter err = new StringWriter();
  private @Nullable Database first;
  private @Nullable PoolDatabases databases;
  private @Nullable Server server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
    if (databases != null) {
      databases.close();
    }
    if (first != null) {
      first.close();
    }
    toEu.close();
  }

  private static JsonNode document() {
    try (InputStream document =
        PoolDatabasesTest.class.getResourceAsStream("/static/openapi.json")) {
      return Json.MAPPER.readTree(Objects.requireNonNull(document).readAllBytes());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String url(TestDatabase database, int port) {
    return "jdbc:postgresql://127.0.0.1:%s/%s?user=postgres".formatted(port, database.name());
  }

  /** As {@code serve} does. */
  private void serve(PoolSpec... pools) {
    Catalog catalog =
        new Catalog(
            new NamespaceSpec("test", Optional.empty(), List.of()),
            List.of(),
            List.of(pools),
            List.of(),
            List.of(),
            List.of("home", "eu"));
    PoolAddresses addresses =
        new PoolAddresses(
            Optional.of("home"), Map.of("eu", DatabaseAddress.parse(url(eu, toEu.port()))));
    Database opened = Database.connect(DatabaseAddress.parse(url(home, home.port())));
    first = opened;
    PoolDatabases all = PoolDatabases.start(addresses);
    databases = all;
    try (Pools declaring = all.overFirst(opened.connection())) {
      all.declare(catalog.pools(), declaring, opened, new PrintWriter(err, true));
    }
    List<Pools> serving = all.serving(opened, opened.servingConnections("test", 4), true);
    server =
        Server.start(ServerOptions.onLoopback(0).withListens(true), Served.of(catalog, serving));
  }

  private static PoolSpec spec(String name) {
    return PoolSpec.of(name, List.of(Block.parse("1..9")));
  }

  private static PoolSpec specInEu(String name) {
    return spec(name).withDatabase(Optional.of("eu"));
  }

  /** Its claims last so shortly that a test can wait until the blocks of the other pool end. */
  private static PoolSpec sourceInEu(String name) {
    return PoolSpec.of(name, List.of(Block.parse("1..10000 by 100")))
        .withLease(Duration.ofSeconds(5))
        .withQuarantine(Duration.ofSeconds(2))
        .withDatabase(Optional.of("eu"));
  }

  private static PoolSpec supplied(String name, String source) {
    return PoolSpec.of(name, new PoolSpec.Source(source, 50)).withLease(Duration.ofSeconds(2));
  }

  private record Answer(int status, JsonNode json, HttpResponse<String> response) {
    String text(String key) {
      return json.path(key).asString();
    }

    boolean isToBeRepeatedInASecond() {
      return status == 503
          && text("code").equals("pool-unavailable")
          && response.headers().firstValue("Retry-After").filter("1"::equals).isPresent();
    }
  }

  @Test
  void nameOfAPoolThatADatabaseLostIsFreedByItsDeletion() {
    home.execute(
        "insert into mintmark.pool_departure (move_id, name, pool_id, database)"
            + " values (pg_catalog.gen_random_uuid(), 'p', 1, 'eu')");

    assertThat(run("create", "p", "--block", "1..3")).isEqualTo(ExitStatus.FAILED);
    assertThat(err.toString()).contains("which does not have it and may have lost it");
    assertThat(run("delete", "p")).isEqualTo(ExitStatus.NO);
    assertThat(run("delete", "p", "--yes")).as(err::toString).isEqualTo(ExitStatus.DONE);
    assertThat(run("create", "p", "--block", "1..3")).as(err::toString).isEqualTo(ExitStatus.DONE);
  }

  private int run(String... arguments) {
    String[] command =
        Stream.of(
                Stream.of("pool"),
                Stream.of(arguments),
                Stream.of("--database-url", url(home, home.port())),
                Stream.of("--pool-database", "eu=" + url(eu, eu.port())))
            .flatMap(words -> words)
            .toArray(String[]::new);
    PrintWriter printed = new PrintWriter(err, true);
    return MintmarkCommand.commandLine(new ByteArrayOutputStream(), command)
        .setOut(printed)
        .setErr(printed)
        .execute(command);
  }

  @Test
  void eachPoolIsInItsDatabaseAndSaysSo() {
    toEu.open();
    serve(spec("a"), specInEu("b"));

    Answer created =
        post("/v1/pools", "{\"name\": \"c\", \"database\": \"eu\", \"range\": \"1..3\"}");
    assertThat(created.status).isEqualTo(201);
    assertThat(created.text("database")).isEqualTo("eu");
    assertThat(post("/v1/pools", "{\"name\": \"b\", \"range\": \"1..3\"}").text("code"))
        .isEqualTo("pool-exists");
    Answer unknown =
        post("/v1/pools", "{\"name\": \"d\", \"database\": \"ue\", \"range\": \"1..3\"}");
    assertThat(unknown.status).isEqualTo(400);
    assertThat(unknown.text("detail")).contains("unknown database \"ue\": did you mean \"eu\"?");

    assertThat(claim("a").status).isEqualTo(201);
    assertThat(claim("c").status).isEqualTo(201);
    Answer list = get("/v1/pools");
    assertThat(list.json.path("pools").valueStream().map(pool -> pool.path("database").asString()))
        .containsExactly("home", "eu", "eu");
    assertThat(list.json.path("unreachable")).isEmpty();
    assertThat(eu.number("select count(*) from mintmark.pool")).isEqualTo(2);
    assertThat(home.number("select count(*) from mintmark.pool")).isOne();
    assertThat(get("/metrics").response.body())
        .contains("mintmark_pool_values{pool=\"b\",state=\"free\"} 9.0");
  }

  @Test
  @Tag("long")
  void aDatabaseThatIsLostTakesItsPoolsAloneAndComesBack() {
    toEu.open();
    serve(spec("a"), specInEu("b"));
    assertThat(claim("b").status).isEqualTo(201);
    Patience.await("notifications", () -> metric("mintmark_notifications_arriving 1.0"));

    toEu.shut();

    assertThat(claim("b").isToBeRepeatedInASecond()).isTrue();
    assertThat(claim("a").status).isEqualTo(201);
    String swept = sweepOfHome();
    Patience.await(
        "another sweep of both",
        () -> {
          assertThat(get("/readyz").status).isEqualTo(200);
          return !sweepOfHome().equals(swept);
        });
    assertThat(
            post("/v1/pools", "{\"name\": \"d\", \"range\": \"1..3\"}").isToBeRepeatedInASecond())
        .isTrue();
    Answer list = get("/v1/pools");
    assertThat(list.json.path("pools").valueStream().map(pool -> pool.path("name").asString()))
        .containsExactly("a");
    assertThat(list.json.path("unreachable").valueStream().map(JsonNode::asString))
        .containsExactly("eu");

    toEu.open();
    Patience.await("a claim", () -> claim("b").status == 200);
    Patience.await("notifications", () -> metric("mintmark_notifications_arriving 1.0"));
  }

  @Test
  void aDatabaseThatIsNotThereAtTheStartIsUsedWhenItAnswers() {
    serve(spec("a"), specInEu("b"));

    // Whether one of this name is in the other database is not known.
    assertThat(claim("a").isToBeRepeatedInASecond()).isTrue();
    assertThat(claim("b").isToBeRepeatedInASecond()).isTrue();
    assertThat(get("/readyz").status).isEqualTo(200);
    assertThat(get("/v1/pools").json.path("unreachable")).hasSize(1);

    toEu.open();
    Patience.await("the pool of the home database", () -> claim("a").status == 201);
    Patience.await("the pool of the other one", () -> claim("b").status == 201);
    assertThat(eu.text("select name from mintmark.pool")).isEqualTo("b");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void poolsOfTheOthersAreDeclaredAtOnceIfTheyExist() {
    try (Pools before = Pools.over("home", home.dataSource())) {
      before.create(spec("a"));
    }
    serve(spec("a").withPerClient(2), specInEu("b"));

    assertThat(claim("a").status).isEqualTo(201);
    assertThat(get("/v1/pools/a").json.path("per_client").asInt()).isEqualTo(2);
  }

  @Test
  @Tag("long")
  void poolWhoseSourceDoesNotAnswerIsCutOffAndGoesOnAfterwards() {
    toEu.open();
    serve(supplied("p", "all"), sourceInEu("all"));
    Patience.await("a block", () -> claim("p").status == 201);
    Answer shown = get("/v1/pools/p");
    assertThat(shown.text("blocks_from")).isEqualTo("all");
    assertThat(shown.json.path("keep_free").asLong()).isEqualTo(50);
    assertThat(shown.json.path("blocks")).isNotEmpty();

    toEu.shut();

    Patience.await("the end of the blocks", () -> claim("p").text("code").startsWith("blocks"));
    Answer refused = claim("p");
    assertThat(refused.status).isEqualTo(503);
    assertThat(refused.text("code")).isEqualTo("blocks-not-renewed");
    assertThat(refused.response.headers().firstValue("Retry-After")).contains("5");
    assertThat(refused.text("detail"))
        .startsWith("pool \"p\": its blocks come from pool \"all\", which answered last at 20")
        .endsWith("Z; claims go on when it answers");
    JsonNode outcome =
        post("/v1/pools/p/claims", "{\"clients\": [\"a\"]}").json.path("outcomes").get(0);
    assertThat(outcome.path("code").asString()).isEqualTo("blocks-not-renewed");
    assertThat(outcome.path("retry_after").asInt()).isEqualTo(5);
    Outcome command = pool("claim", "p", "--client", "vm");
    assertThat(command.status).isEqualTo(ExitStatus.FAILED);
    assertThat(command.err).contains("claims go on when it answers");
    assertThat(get("/readyz").status).isEqualTo(200);
    assertThat(get("/v1/pools/p").status).isEqualTo(200);
    assertThat(metric("outcome=\"cut-off\"")).isTrue();

    toEu.open();
    Patience.await("a claim", () -> claim("p").status == 201);
  }

  @Test
  void poolWithoutBlocksIsShown() {
    toEu.open();
    serve(sourceInEu("all"));
    Answer created =
        post(
            "/v1/pools",
            "{\"name\": \"p\", \"blocks_from\": \"all\", \"keep_free\": 0, \"lease\": \"2s\"}");

    assertThat(created.status).as(created.text("detail")).isEqualTo(201);
    assertThat(created.json.path("capacity").asInt()).isZero();
    assertThat(created.json.path("blocks")).isEmpty();
    assertThat(get("/v1/pools").json.path("pools")).hasSize(2);
    for (String view :
        List.of("", "/map", "/density", "/usage", "/held", "/free", "/quarantine", "/claims")) {
      assertThat(get("/v1/pools/p" + view).status).as(view).isEqualTo(200);
    }
    assertThat(pool("list").lines().get(1)).startsWith("p  from all  capacity=0 free=0 ");
    assertThat(pool("stats", "p").out).contains(", keep-free 0");
    Patience.await("an exchange", () -> claim("p").text("code").equals("pool-exhausted"));
    assertThat(claim("p").status).isEqualTo(409);
  }

  @Test
  void poolsThatGetTheirBlocksFromOthersAreCreatedAndChanged() {
    toEu.open();
    serve(sourceInEu("all"), spec("own"));

    Outcome created =
        pool("create", "p", "--blocks-from", "all", "--keep-free", "9", "--lease", "2s");
    assertThat(created.status).as(created.err).isZero();
    assertThat(created.out).startsWith("p  from all  capacity=");
    Patience.await("a block", () -> claim("p").status == 201);
    Outcome changed = pool("change", "p", "--keep-free", "150");
    assertThat(changed.out).contains("keep_free  9 -> 150  With fewer free values");
    Patience.await("another one", () -> get("/v1/pools/p").json.path("blocks").size() == 2);

    for (String[] wrong :
        new String[][] {
          {"--blocks-from", "all"},
          {"--keep-free", "9"},
          {"--blocks-from", "all", "--keep-free", "9", "--block", "1..3"},
          {"--blocks-from", "all", "--keep-free", "9", "--exclude", "3"},
          {"--blocks-from", "own", "--keep-free", "9"},
          {"--blocks-from", "none", "--keep-free", "9"},
        }) {
      String[] command =
          Stream.concat(Stream.of("create", "q"), Stream.of(wrong)).toArray(String[]::new);
      assertThat(pool(command).status).as(String.join(" ", wrong)).isEqualTo(ExitStatus.USAGE);
    }
    for (String wrong :
        List.of(
            "\"blocks_from\": \"all\"",
            "\"keep_free\": 5, \"range\": \"1..3\"",
            "\"blocks_from\": \"all\", \"keep_free\": 5, \"range\": \"1..3\"",
            "\"blocks_from\": \"all\", \"keep_free\": 5, \"exclude\": [\"3\"]",
            "\"blocks_from\": \"all\", \"keep_free\": 5")) {
      Answer refused = post("/v1/pools", "{\"name\": \"q\", %s}".formatted(wrong));
      assertThat(refused.text("code")).as(wrong).isEqualTo("invalid-request");
    }
    Answer refused = send("PATCH", "/v1/pools/own", "{\"keep_free\": 5}");
    assertThat(refused.status).isEqualTo(400);
    assertThat(refused.text("detail")).startsWith("keep_free: pool \"own\" has blocks of its own");
  }

  @Test
  void aPoolIsMovedByTheCommandWhileClientsClaim() throws Exception {
    toEu.open();
    serve(spec("a"));
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Boolean> claiming = new CompletableFuture<>();
    Thread client =
        new Thread(
            () -> {
              try {
                boolean allGood = true;
                while (!over.get()) {
                  Answer answer = claim("a");
                  allGood &=
                      answer.status == 200
                          || answer.status == 201
                          || answer.isToBeRepeatedInASecond();
                }
                claiming.complete(allGood);
              } catch (RuntimeException e) {
                claiming.completeExceptionally(e);
              }
            });
    client.start();
    Patience.await("a claim", () -> claim("a").status == 200);

    Outcome moved = pool("move", "a", "--to", "eu", "--json");

    assertThat(moved.status).as(moved.err).isZero();
    JsonNode json = Json.MAPPER.readTree(moved.out);
    assertThat(json.path("moved").asBoolean()).isTrue();
    assertThat(json.path("from").asString()).isEqualTo("home");
    assertThat(json.path("values").asInt()).isEqualTo(9);
    Patience.await("a claim", () -> claim("a").status == 200);
    over.set(true);
    assertThat(claiming.get()).isTrue();
    assertThat(get("/v1/pools/a").text("database")).isEqualTo("eu");
    assertThat(pool("list").lines().get(0)).endsWith(" database=eu");
    Outcome again = pool("move", "a", "--to", "eu");
    assertThat(again.status).as(again.err).isZero();
    assertThat(again.out).isEqualTo("pool a is in eu already\n");
    Outcome back = pool("move", "a", "--to", "home");
    assertThat(back.out)
        .startsWith("pool a moved from eu to home: 9 values and 0 claims of the history; ");
    Patience.await("a claim", () -> claim("a").status == 200);
  }

  @Test
  void commandsWorkAcrossDatabases() {
    toEu.open();
    serve(spec("a"));

    Outcome created = pool("create", "b", "--in", "eu", "--block", "1..3");
    assertThat(created.status).as(created.err).isZero();
    assertThat(created.out).endsWith(" database=eu\n");
    assertThat(pool("claim", "b", "--client", "vm").status).isZero();
    assertThat(pool("create", "b", "--block", "1..3").status).isEqualTo(1);
    Outcome unknown = pool("create", "c", "--in", "ue", "--block", "1..3");
    assertThat(unknown.status).isEqualTo(2);
    assertThat(unknown.err).contains("unknown database \"ue\": did you mean \"eu\"?");
    assertThat(pool("move", "b", "--to", "ue").status).isEqualTo(2);
    assertThat(pool("move", "nope", "--to", "eu").status).isEqualTo(1);

    toEu.shut();
    Outcome list = pool("list");
    assertThat(list.status).isEqualTo(3);
    assertThat(list.lines()).hasSize(1);
    assertThat(list.err)
        .isEqualTo("mintmark: the database eu does not answer: its pools are not listed\n");
    assertThat(pool("claim", "b", "--client", "vm").status).isEqualTo(3);
    assertThat(pool("move", "b", "--to", "home").status).isEqualTo(3);
    assertThat(pool("claim", "a", "--client", "vm").status).isZero();
  }

  @Test
  void aPoolWithAViewOfSomeoneElseIsNotMoved() {
    toEu.open();
    serve(spec("a"));
    home.execute("create view public.mine as select name from mintmark.pool where name = 'a'");

    Outcome refused = pool("move", "a", "--to", "eu");

    assertThat(refused.status).as(refused.err).isEqualTo(1);
    assertThat(refused.err).contains("reads it").doesNotContain("Exception");
    assertThat(claim("a").status).isEqualTo(201);
  }

  private Outcome pool(String... arguments) {
    return Outcome.of(
        Stream.of(
                Stream.of("pool"),
                Stream.of(arguments),
                Stream.of(
                    "--database-url",
                    url(home, home.port()),
                    "--pool-database",
                    "eu=" + url(eu, toEu.port())))
            .flatMap(words -> words)
            .toArray(String[]::new));
  }

  private String sweepOfHome() {
    return home.text("select swept_at::text from mintmark.pool_sweep");
  }

  private boolean metric(String line) {
    return get("/metrics").response.body().contains(line);
  }

  private Answer claim(String pool) {
    return post("/v1/pools/" + pool + "/claims", "{\"client\": \"vm\"}");
  }

  private Answer get(String path) {
    return send("GET", path, null);
  }

  private Answer post(String path, String body) {
    return send("POST", path, body);
  }

  private Answer send(String method, String path, @Nullable String body) {
    int port = Objects.requireNonNull(server).port();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Content-Type", "application/json")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    try {
      HttpResponse<String> response = CLIENT.send(request.build(), BodyHandlers.ofString());
      boolean isJson = path.startsWith("/v1/");
      if (isJson) {
        CONTRACT.check(response, body);
      }
      return new Answer(
          response.statusCode(), Json.MAPPER.readTree(isJson ? response.body() : "{}"), response);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
