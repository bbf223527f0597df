package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mintmark.Catalog;
import dev.mintmark.app.maintenance.Maintenance;
import dev.mintmark.app.service.LocatedPlan;
import dev.mintmark.app.view.DoctorReportJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.MigrationStatusJson;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.fixtures.HttpContract;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.operations.doctor.Doctor;
import dev.mintmark.operations.doctor.Severity;
import dev.mintmark.operations.migrate.InvalidValues;
import dev.mintmark.operations.migrate.MigrationListener;
import dev.mintmark.operations.migrate.Migrations;
import dev.mintmark.operations.migrate.Pace;
import dev.mintmark.operations.migrate.Phase;
import dev.mintmark.operations.migrate.Step;
import dev.mintmark.postgres.pool.Pools;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The doctor and migrations over HTTP, on a real PostgreSQL with real migrations. */
@Tag("long")
class MaintenanceTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final HttpContract CONTRACT = HttpContract.of(ContractTest.document());

  /** A key that becomes bigint, and that has used 93 % of its values, 20 million a day. */
  private static final String SHOP =
      """
      create table orders (id integer primary key, created_at timestamptz not null, note text);
      insert into orders
        select 1999000000 + i * 1000, now() - (1000 - i) * interval '1 hour', 'note ' || i
        from generate_series(1, 1000) i;
      analyze orders;
      """;

  private static final String CATALOG =
      """
      namespace: shop
      collections:
        orders: { kind: sequence, table: orders }
      """;

  @TempDir Path directory;

  private TestDatabase database;
  private Path catalog;
  private @Nullable Server server;

  @BeforeEach
  void createShop() throws IOException {
    database = TestDatabase.create();
    database.execute(SHOP);
    catalog = Files.writeString(directory.resolve("mintmark.yaml"), CATALOG);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private void serve(DataSource connections, Optional<Path> file) {
    server =
        Server.start(
            ServerOptions.onLoopback(0).withMaintains(true),
            Served.of(
                    new Catalog("shop", List.of(), List.of()),
                    Pools.over(database.connectionPool(2)))
                .withMaintenance(new Maintenance(connections, connections, connections, file)));
  }

  private void serve() {
    serve(database.dataSource(), Optional.of(catalog));
  }

  private record Answer(int status, JsonNode json) {
    String code() {
      return json.get("code").asString();
    }

    String detail() {
      return json.get("detail").asString();
    }
  }

  @Test
  void theDoctorIsRunOnRequestAndItsReportIsThatOfTheCommand() throws SQLException {
    serve();
    assertThat(get("/v1/doctor").json.get("report").isNull()).isTrue();
    JsonNode before = reportOfTheCommand();

    Answer started = post("/v1/doctor", null);
    JsonNode state = await("/v1/doctor", json -> json.get("running_since").isNull());

    assertThat(started.status).isEqualTo(202);
    assertThat(state.get("failure").isNull()).isTrue();
    assertThat(state.get("examined_at").asString()).isNotEmpty();
    // A report has days: one may begin between two examinations.
    assertThat(state.get("report")).isIn(before, reportOfTheCommand());
    JsonNode first = state.at("/report/findings/0");
    assertThat(first.get("check").asString()).isEqualTo("key-runs-out");
    assertThat(first.get("runs_out").asString()).matches("20\\d\\d-\\d\\d-\\d\\d");
  }

  @Test
  void whatTheRoleMayNotReadIsReportedAndNotCalledHealthy() {
    serve(database.dataSource(role("blind_role")), Optional.empty());

    post("/v1/doctor", null);
    JsonNode state = await("/v1/doctor", json -> !json.get("report").isNull());

    assertThat(state.get("role").asString()).isEqualTo("blind_role");
    assertThat(state.at("/report/unseen_tables/0/table").asString()).isEqualTo("public.orders");
    assertThat(state.at("/report/unseen_tables/0/remedy").asString())
        .isEqualTo("grant select on public.orders to blind_role");
  }

  @Test
  void aDoctorThatFailsSaysWhy() {
    database.execute("create role no_role nologin");
    serve(database.dataSource("no_role"), Optional.empty());

    post("/v1/doctor", null);
    JsonNode state = await("/v1/doctor", json -> json.get("running_since").isNull());

    assertThat(state.get("failure").asString()).contains("SQLSTATE 28000");
    assertThat(state.get("report").isNull()).isTrue();
    assertThat(get("/v1/migrations").code()).isEqualTo("database-unavailable");
    database.execute("drop role no_role");
  }

  @Test
  void aPlanIsMadeOnRequestAndIsThatOfTheCommand() throws SQLException {
    serve();
    assertThat(get("/v1/migration-plan").json.get("plan").isNull()).isTrue();
    assertThat(post("/v1/migration-plan", "{\"invalid\": \"drop\"}").detail())
        .isEqualTo("invalid is \"drop\": expected refuse, normalise, quarantine");

    Answer started = post("/v1/migration-plan", "{}");
    JsonNode state = await("/v1/migration-plan", json -> json.get("running_since").isNull());

    assertThat(started.status).isEqualTo(202);
    assertThat(state.at("/plan/fingerprint").asString()).isEqualTo(planned().plan().fingerprint());
    assertThat(state.at("/plan/steps").size()).isEqualTo(planned().plan().steps().size());
    assertThat(state.at("/plan/limits/0/last").asString()).isEqualTo("2147483647");
    assertThat(state.get("invalid").asString()).isEqualTo("refuse");
    assertThat(get("/v1/migrations").json.get("migrations").isEmpty()).isTrue();
  }

  @Test
  void aPlanRequiresACatalog() throws IOException {
    serve(database.dataSource(), Optional.empty());
    assertThat(post("/v1/migration-plan", "{}").code()).isEqualTo("no-catalog");

    stop();
    Files.writeString(catalog, "namespace: shop\ncollections: [orders]\n");
    serve();
    post("/v1/migration-plan", "{}");
    JsonNode state = await("/v1/migration-plan", json -> json.get("running_since").isNull());

    assertThat(state.get("failure").asString()).contains("mintmark.yaml:2");
  }

  @Test
  void aKilledRunIsResumedAndRolledBackAndItsTableConfirmed() throws SQLException {
    killInBackfill();
    serve();

    JsonNode killed = get("/v1/migrations/1").json;
    assertThat(killed.get("state").asString()).isEqualTo("applying");
    assertThat(killed.get("runner").isNull()).isTrue();
    assertThat(killed).isEqualTo(json(MigrationStatusJson.of(migrations().status())));
    assertThat(confirm("contract", "orders").code()).isEqualTo("migration-conflict");

    assertThat(post("/v1/migrations/1/resume", null).status).isEqualTo(202);
    awaitState("baking");
    assertThat(get("/v1/migrations").json.at("/run/outcome").asString()).isEqualTo("baking");
    assertThat(get("/v1/migrations").json.at("/migrations/0/tables/0").asString())
        .isEqualTo("public.orders");

    for (String command : List.of("rollback", "contract")) {
      assertThat(confirm(command, "order").detail())
          .isEqualTo(
              "\"order\" is not the table of migration 1: expected \"public.orders\"; nothing was"
                  + " done");
      Answer unnamed = post("/v1/migrations/1/" + command, "{}");
      assertThat(unnamed.status).isEqualTo(409);
      assertThat(unnamed.code()).isEqualTo("table-not-confirmed");
    }
    assertThat(migrationState()).isEqualTo("baking");

    assertThat(confirm("rollback", "orders").status).isEqualTo(202);
    awaitState("rolled-back");
    assertThat(database.text("select pg_typeof(id)::text from orders limit 1"))
        .isEqualTo("integer");
    assertThat(post("/v1/migrations/1/pause", null).code()).isEqualTo("migration-conflict");
    assertThat(post("/v1/migrations/1/resume", null).code()).isEqualTo("migration-conflict");
  }

  @Test
  void aRunThatWaitsSaysWhyAndIsPausedResumedAndContracted() throws SQLException {
    killInBackfill();
    serve();
    try (Connection other = locking()) {
      post("/v1/migrations/1/resume", null);
      JsonNode waiting = await("/v1/migrations/1", json -> !json.get("waits").isNull());
      assertThat(waiting.at("/waits/reason").asString())
          .contains("public.orders", "locked by process");
      assertThat(waiting.at("/runner/pid").asInt()).isPositive();
      assertThat(post("/v1/migrations/1/resume", null).detail())
          .isEqualTo("a run of this server is in progress: pause it first");

      assertThat(post("/v1/migrations/1/pause", null).json.get("paused").asBoolean()).isTrue();
      await("/v1/migrations/1", json -> json.get("runner").isNull());
      other.rollback();
    }
    assertThat(migrationState()).isEqualTo("applying");
    await("/v1/migrations", json -> json.at("/run/outcome").asString("").equals("paused"));

    post("/v1/migrations/1/resume", null);
    awaitState("baking");
    assertThat(post("/v1/migrations/1/pause", null).detail()).contains("nothing to pause");
    assertThat(confirm("contract", "public.orders").status).isEqualTo(202);
    awaitState("contracted");
    assertThat(database.text("select pg_typeof(id)::text from orders limit 1")).isEqualTo("bigint");
    assertThat(confirm("rollback", "orders").code()).isEqualTo("migration-conflict");
  }

  @Test
  void aRunThatIsKilledSaysSoAndEndsWithTheServer() throws SQLException {
    killInBackfill();
    serve();
    try (Connection other = locking()) {
      post("/v1/migrations/1/resume", null);
      JsonNode running = await("/v1/migrations/1", json -> !json.get("waits").isNull());
      database.execute(
          "select pg_terminate_backend(%d, %d)"
              .formatted(running.at("/runner/pid").asInt(), Patience.MAX.toMillis()));
      JsonNode run = await("/v1/migrations", json -> !json.at("/run/ended").isNull()).get("run");
      assertThat(run.get("failure").asString()).contains("the database failed");
      assertThat(run.get("outcome").isNull()).isTrue();

      post("/v1/migrations/1/resume", null);
      await("/v1/migrations/1", json -> !json.get("waits").isNull());
      stop();
      server = null;
      assertThat(migrations().status().orElseThrow().runner()).isEmpty();
      other.rollback();
    }
    serve();
    post("/v1/migrations/1/resume", null);
    awaitState("baking");
  }

  @Test
  void theRoleOfTheServerMayOnlyDoWhatItsRightsAllow() throws SQLException {
    migrations().apply(planned().plan(), Pace.FULL, MigrationListener.SILENT);
    String role = role("app_role");
    serve(database.dataSource(role), Optional.empty());
    assertThat(get("/v1/migrations").code()).isEqualTo("permission-denied");

    database.execute(
        "grant usage on schema mintmark to app_role;"
            + "grant select, update on all tables in schema mintmark to app_role");
    assertThat(get("/v1/migrations").json.get("obstacle").asString())
        .isEqualTo(
            "the role of the server, app_role, does not own public.orders: run mintmark migrate as"
                + " the owner");
    Answer rollback = confirm("rollback", "orders");
    assertThat(rollback.status).isEqualTo(403);
    assertThat(rollback.code()).isEqualTo("permission-denied");
    assertThat(migrationState()).as("nothing was begun").isEqualTo("baking");
    assertThat(get("/v1/migrations/1").json.at("/limits/0/unknown").asString())
        .contains("permission denied");
  }

  @Test
  void thereIsNoOtherMigration() {
    serve();
    for (String number : List.of("1", "0", "-1", "x", "99999999999999999999")) {
      Answer answer = get("/v1/migrations/" + number);
      assertThat(answer.status).as(number).isEqualTo(404);
      assertThat(answer.code()).isEqualTo("migration-not-found");
    }
  }

  @Test
  void aServerWithoutMaintenanceHasNoSuchPaths() {
    server =
        Server.start(
            ServerOptions.onLoopback(0),
            Served.of(
                new Catalog("shop", List.of(), List.of()), Pools.over(database.connectionPool(2))));

    assertThat(send("GET", "/v1/doctor", null, false).code()).isEqualTo("path-not-found");
  }

  /** A role that may connect and nothing else. */
  private String role(String name) {
    database.execute(
        "do $$ begin create role %s login; exception when duplicate_object then end $$"
            .formatted(name));
    return name;
  }

  private Migrations migrations() {
    return Migrations.over(database.dataSource());
  }

  private LocatedPlan planned() throws SQLException {
    return LocatedPlan.of(
        CatalogReader.readLocated(catalog),
        database.dataSource(),
        InvalidValues.REFUSE,
        reading -> {});
  }

  /** Begins the migration in another session, which is killed before the rows are filled. */
  private void killInBackfill() throws SQLException {
    MigrationListener killing =
        new MigrationListener() {
          @Override
          public void started(Step step, StepPosition position) {
            if (step.phase() == Phase.BACKFILL) {
              database.execute(
                  "select pg_terminate_backend(pid, %d) from pg_locks where locktype = 'advisory'"
                          .formatted(Patience.MAX.toMillis())
                      + " and database = (select oid from pg_database where datname ="
                      + " current_database())");
            }
          }
        };
    LocatedPlan plan = planned();
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> migrations().apply(plan.plan(), Pace.FULL, killing));
  }

  /** A transaction that keeps the migration from the table. */
  private Connection locking() throws SQLException {
    Connection connection = database.dataSource().getConnection();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("lock table orders in access exclusive mode");
    }
    return connection;
  }

  private String migrationState() {
    return get("/v1/migrations/1").json.get("state").asString();
  }

  private void awaitState(String state) {
    await(
        "/v1/migrations",
        json -> json.at("/migrations/0/state").asString().equals(state) && hasEnded(json));
  }

  private static boolean hasEnded(JsonNode json) {
    return !json.at("/run/ended").isNull();
  }

  private JsonNode await(String path, Predicate<JsonNode> condition) {
    long deadline = System.nanoTime() + Patience.MAX.toNanos();
    while (true) {
      JsonNode json = get(path).json;
      if (condition.test(json)) {
        return json;
      }
      assertThat(System.nanoTime()).as("in vain: " + json).isLessThan(deadline);
      LockSupport.parkNanos(20_000_000);
    }
  }

  private JsonNode reportOfTheCommand() throws SQLException {
    return json(DoctorReportJson.of(Doctor.over(database.dataSource()).examine(), Severity.NOTICE));
  }

  private static JsonNode json(Object value) {
    return Json.MAPPER.readTree(Json.MAPPER.writeValueAsString(value));
  }

  private Answer get(String path) {
    return send("GET", path, null, true);
  }

  private Answer post(String path, @Nullable String body) {
    return send("POST", path, body, true);
  }

  private Answer confirm(String command, String table) {
    return post("/v1/migrations/1/" + command, "{\"table\": \"%s\"}".formatted(table));
  }

  private Answer send(String method, String path, @Nullable String body, boolean isDocumented) {
    Server running = server;
    if (running == null) {
      throw new IllegalStateException("no server");
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + running.port() + path))
            .header("Content-Type", "application/json")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    try {
      HttpResponse<String> response = CLIENT.send(request.build(), BodyHandlers.ofString());
      if (isDocumented) {
        CONTRACT.check(response, body);
      }
      return new Answer(response.statusCode(), Json.MAPPER.readTree(response.body()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
