package dev.mintmark.verify;

import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static java.util.concurrent.CompletableFuture.supplyAsync;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.verify.HttpApi.Answer;
import dev.mintmark.verify.Mintmark.Outcome;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The life of a server and of its PostgreSQL: stopped, killed, started again, one data directory.
 */
class ServeIT {
  private static final String POOL = "public-ipv4";

  /** The connections of a server to its database. */
  private static final int CONNECTIONS = 8;

  /** A user that no system lists. */
  private static final int NAMELESS = 54_321;

  private static Mintmark mintmark;

  private static Path data;

  @BeforeAll
  static void prepare(@TempDir Path directory) {
    mintmark = Mintmark.in(directory);
    data = directory.resolve("data");
  }

  @AfterAll
  static void nothingIsLeftBehind() {
    assertThat(Processes.leftIn(data)).isEmpty();
  }

  @Test
  void aSignalStopsItWithItsPostgresqlAndTheNextStartKeepsEveryClaim() {
    JsonNode claims;
    try (RunningServer server = RunningServer.start(mintmark, data)) {
      claim(server, "kept", 20);
      claims = claims(server);
      assertStopsOn("INT", server);
    }

    try (RunningServer server = RunningServer.start(mintmark, data)) {
      assertThat(claims(server)).isEqualTo(claims);
      assertStopsOn("TERM", server);
    }
  }

  /** The moments are random: while the database is created, started and filled, or later. */
  @Test
  @Tag("long")
  void aSignalDuringTheStartLeavesNoPostgresqlBehind() throws InterruptedException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int run = 1; run <= 4; run++) {
      Path young = data.resolveSibling("young-" + run);
      Mintmark.Running start =
          mintmark.overSoon().start("serve", "--port", "0", "--data", young.toString());
      Eventually.present(
          Patience.MAX, () -> Processes.in(young.resolve("postgresql-18")).stream().findFirst());
      Thread.sleep(random.nextInt(run * 700));
      start.process().destroy();
      Outcome outcome = start.await();

      assertThat(Processes.leftIn(young)).as("seed %d, run %d", seed, run).isEmpty();
      assertThat(outcome.status()).as(outcome.err()).isEqualTo(143);
      assertThat(outcome.err()).contains("stopped\n").doesNotContain("\tat ");
    }
  }

  @Test
  @Tag("long")
  void waitsForADatabaseThatDoesNotAnswerUntilASignalOrAnAnswer() {
    try (EmbeddedDatabase database = EmbeddedDatabase.startTemporary()) {
      URI url = URI.create(database.jdbcUrl().replaceFirst("jdbc:", ""));
      try (Relay relay = new Relay(url.getPort())) {
        relay.cut(true);
        String address =
            "jdbc:postgresql://127.0.0.1:%d%s?%s"
                .formatted(relay.port(), url.getPath(), url.getQuery());
        List<Mintmark.Running> waiting =
            Stream.generate(
                    () ->
                        mintmark
                            .overSoon()
                            .start("serve", "--port", "0", "--database-url", address))
                .limit(2)
                .toList();
        waiting.forEach(
            server ->
                awaitText(server::errSoFar, "waiting for the database: database jdbc:postgresql:"));
        Processes.signal(waiting.get(0).process().pid(), "TERM");
        assertThat(waiting.get(0).await().status()).isEqualTo(143);

        relay.cut(false);
        awaitText(waiting.get(1)::outSoFar, "console http");
        Processes.signal(waiting.get(1).process().pid(), "TERM");
        waiting.get(1).await();
      }
    }
  }

  private static void awaitText(Supplier<String> text, String part) {
    Eventually.present(
        Patience.MAX, () -> Optional.of(text.get()).filter(soFar -> soFar.contains(part)));
  }

  @Test
  void aKilledServerLeavesItsPostgresqlToTheNextStartWhichKeepsEveryClaim() {
    JsonNode claims;
    ProcessHandle orphan;
    try (RunningServer server = RunningServer.start(mintmark, data)) {
      claim(server, "killed", 20);
      claims = claims(server);
      server.signal("KILL");
      server.awaitEnd();
      orphan = Processes.postmaster(data);
    }

    try (RunningServer server = RunningServer.start(mintmark, data)) {
      assertThat(claims(server)).isEqualTo(claims);
      assertThat(server.http().claim(POOL, "after-kill").status()).isEqualTo(201);
      assertThat(Processes.postmaster(data).pid()).isNotEqualTo(orphan.pid());
    }
  }

  /** What supervises the server starts it again then. */
  @Test
  void itEndsWithItsPostgresqlAndANewStartRecovers() {
    JsonNode claims;
    try (RunningServer server =
        RunningServer.start(mintmark, "--port", "0", "--data", data.toString(), "--drain", "10m")) {
      claim(server, "crashed", 20);
      claims = claims(server);
      long postmaster = Processes.postmaster(data).pid();

      Processes.crashPostgres(data);

      Outcome outcome = server.awaitEnd();
      assertThat(outcome.status()).as(outcome.err()).isEqualTo(3);
      assertThat(outcome.err())
          .contains("mintmark: PostgreSQL on ", " has ended (pid %d, see ".formatted(postmaster))
          .endsWith("stopped\n")
          .doesNotContain("\tat ", "draining");
      assertThat(Processes.leftIn(data)).isEmpty();
    }

    try (RunningServer server = RunningServer.start(mintmark, data)) {
      assertThat(claims(server)).isEqualTo(claims);
      assertThat(server.http().claim(POOL, "after-crash").status()).isEqualTo(201);
    }
  }

  /** The pool is created by a catalog without the exclusion, and its gateway is claimed. */
  @Test
  void anExclusionThatIsDeclaredLaterIsAppliedAndItsHeldValueIsReported() throws IOException {
    Path catalog = data.resolveSibling("gateways.yaml");
    String pools = "namespace: a\npools:\n  gateways: { blocks: [10.0.0.0/29]%s }\n";
    String[] options = {"--port", "0", "--data", data.toString(), "--catalog", catalog.toString()};
    Files.writeString(catalog, pools.formatted(""));
    try (RunningServer server = RunningServer.start(mintmark, options)) {
      String claim = "{\"client\": \"vm-1\", \"value\": \"10.0.0.1\"}";
      assertThat(server.http().post("/v1/pools/gateways/claims", claim).status()).isEqualTo(201);
    }

    Files.writeString(catalog, pools.formatted(", exclude: [10.0.0.1, 10.0.0.6]"));
    try (RunningServer server = RunningServer.start(mintmark, options)) {
      assertThat(server.errSoFar())
          .contains("pool \"gateways\": [10.0.0.1/32, 10.0.0.6/32] excluded")
          .contains(
              "warning: pool \"gateways\": 10.0.0.1 is excluded, but client \"vm-1\" holds it until it"
                  + " is released");
      assertThat(server.get("/v1/pools/gateways/map").get("states")).isEqualTo("hffffx");
    }

    Files.writeString(catalog, pools.formatted(""));
    try (RunningServer server = RunningServer.start(mintmark, options)) {
      assertThat(server.errSoFar())
          .contains(
              "pool \"gateways\": [10.0.0.1/32, 10.0.0.6/32] excluded in the database but not in the"
                  + " catalog: left unchanged");
    }
  }

  /** Requests that wait for the database leave threads for the others. */
  @Test
  void aDatabaseThatHangsIsReportedAndHoldsUpNothingElse() {
    try (RunningServer server = RunningServer.start(mintmark, data)) {
      assertThat(server.get("/v1/pools").status()).isEqualTo(200);
      List<CompletableFuture<Answer>> answers;
      List<ProcessHandle> halted = Processes.haltPostgres(data);
      try {
        answers =
            Stream.generate(
                    () -> supplyAsync(() -> server.get("/v1/pools"), ThreadPerTask.EXECUTOR))
                .limit(40)
                .toList();
        assertThat(server.get("/v1/ids?id=01FZG96YPZK4SANAG1ZM5T2K9Z").status()).isEqualTo(200);
        // The others had sent their statement before the database was stopped.
        await(() -> answers.stream().filter(CompletableFuture::isDone).count() >= 40 - CONNECTIONS);
        answers.stream()
            .filter(CompletableFuture::isDone)
            .forEach(answer -> assertSaysUnavailable(answer.join()));
        await(() -> server.errSoFar().contains("sweep failed"));
      } finally {
        Processes.resume(halted);
      }

      await(() -> server.get("/v1/pools").status() == 200);
      await(() -> server.errSoFar().contains("sweep succeeded again"));
      assertThat(answers).allMatch(answer -> List.of(200, 503).contains(answer.join().status()));
      assertThat(server.errSoFar()).doesNotContain("pooler", "\tat ");
    }
  }

  /** In a container the user is often a number that /etc/passwd does not list. */
  @Test
  void aUserWithoutANameServesFromADirectoryOfItsOwn() throws IOException {
    Path own = Files.createDirectory(data.resolveSibling("nameless"));
    assumeTrue(Files.getAttribute(own, "unix:uid").equals(0), "only root can change the user");
    Files.setAttribute(own, "unix:uid", NAMELESS);
    Files.setPosixFilePermissions(own.resolveSibling(""), fromString("rwx--x--x"));
    Mintmark nameless = Mintmark.in(own).as(NAMELESS);
    assumeTrue(nameless.run("mint").status() == 0, "other users cannot read this checkout");

    try (RunningServer server = RunningServer.start(nameless, own.resolve("data"))) {
      assertThat(server.http().claim(POOL, "nameless").status()).isEqualTo(201);
      Path cluster = own.resolve("data/postgresql-18");
      assertThat(Files.getAttribute(cluster, "unix:uid")).isEqualTo(NAMELESS);
    }
    assertThat(own.resolve("?")).doesNotExist();
  }

  private static void await(BooleanSupplier condition) {
    Eventually.present(
        Patience.MAX, () -> condition.getAsBoolean() ? Optional.of(true) : Optional.empty());
  }

  private static void assertStopsOn(String signal, RunningServer server) {
    server.signal(signal);
    Outcome outcome = server.awaitEnd();
    assertThat(outcome.err()).endsWith("stopped\n");
    assertThat(outcome.status()).as("as the shell tells a signal").isGreaterThan(128);
    assertThat(Processes.leftIn(data)).isEmpty();
  }

  private static void assertSaysUnavailable(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(503);
    assertThat(answer.contentType()).startsWith("application/problem+json");
    assertThat(answer.get("detail")).isNotBlank();
    assertThat(answer.body()).doesNotContain("\\tat ", "Exception:");
  }

  private static void claim(RunningServer server, String prefix, int clients) {
    List<Integer> statuses =
        IntStream.range(0, clients)
            .mapToObj(i -> server.http().claim(POOL, prefix + "-" + i).status())
            .toList();
    assertThat(statuses).hasSize(clients).containsOnly(201);
  }

  private static JsonNode claims(RunningServer server) {
    JsonNode claims = server.get("/v1/pools/" + POOL + "/claims?limit=1000").json().path("claims");
    assertThat(claims.size()).isGreaterThanOrEqualTo(20);
    return claims;
  }
}
