package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimFilter;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.verify.HttpApi.Answer;
import dev.mintmark.verify.PatroniCluster.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Two servers before three PostgreSQLs whose primary fails in several ways, while clients claim
 * values, and while rows are inserted and read page by page: what clients were told is compared
 * with what the tables say afterwards. The servers are never restarted.
 *
 * <p>The profile {@code failover} runs each way ten times. The figures are appended to {@code
 * target/failover.txt}.
 */
@Tag("failover")
class FailoverIT {
  private static final int ROUNDS = Integer.getInteger("mintmark.failover.rounds", 1);
  private static final int SERVERS = 2;

  private static final AtomicInteger POOLS = new AtomicInteger();

  @TempDir private static Path directory;
  private static @Nullable Installation running;

  /** A cluster, and the servers that use it from then on. */
  private record Installation(PatroniCluster cluster, List<RunningServer> servers) {
    static Installation start() {
      PatroniCluster cluster = PatroniCluster.start();
      Installation installation = new Installation(cluster, new ArrayList<>());
      try {
        cluster.execute("create database app");
        while (installation.servers.size() < SERVERS) {
          installation.servers.add(
              RunningServer.start(
                  Mintmark.in(directory), "--port", "0", "--database-url", cluster.jdbcUrl("app")));
        }
        return installation;
      } catch (RuntimeException | AssertionError e) {
        installation.close();
        throw e;
      }
    }

    void close() {
      servers.forEach(RunningServer::close);
      cluster.close();
    }
  }

  @BeforeAll
  static void start() {
    running = Installation.start();
  }

  @AfterAll
  static void stop() {
    if (running != null) {
      running.close();
    }
  }

  static IntStream rounds() {
    return IntStream.rangeClosed(1, ROUNDS);
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void aPrimaryThatIsKilledCostsNothingAcknowledged(int round) {
    try (Run run = new Run("killed", true, "trust")) {
      run.failAndRecover(run.cluster::kill, run.cluster::start);
      run.assertNothingIsLost();
    }
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void aPrimaryThatIsPausedAndWokenCostsNothingAcknowledged(int round) {
    try (Run run = new Run("paused", true, "trust")) {
      run.failAndRecover(run.cluster::pause, run.cluster::wake);
      run.assertNothingIsLost();
    }
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void aPrimaryThatIsPartitionedCostsNothingAcknowledged(int round) {
    try (Run run = new Run("partitioned", true, "trust")) {
      run.failAndRecover(
          node -> run.cluster.partition(node, true), node -> run.cluster.partition(node, false));
      run.assertNothingIsLost();
    }
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void inAsynchronousModeNoValueIsGivenTwiceAndALossIsReported(int round) {
    try (Run run = new Run("asynchronous", false, "stop")) {
      run.fail(
          primary -> {
            run.cluster.haltReplication(primary);
            run.clients.awaitProgress();
            run.cluster.kill(primary);
          },
          primary -> {
            run.cluster.kill(primary);
            run.cluster.start(primary);
          },
          since -> run.clients.awaitAnswers(since));
      run.assertLossIsReported();
    }
  }

  /** One failure of the primary, while clients claim. */
  private static final class Run implements AutoCloseable {
    private final String fault;
    private final boolean isSynchronous;
    private final PatroniCluster cluster;
    private final Node primary;
    private final String pool;
    private final ClaimingClients clients;
    private final Optional<FollowedTable> rows;
    private final Optional<AppliedMigration> migration;

    Run(String fault, boolean isSynchronous, String afterFailover) {
      Installation installation = Objects.requireNonNull(running);
      this.fault = fault;
      this.isSynchronous = isSynchronous;
      this.cluster = installation.cluster;
      cluster.setSynchronous(isSynchronous);
      this.primary = cluster.primary();
      this.pool = "p" + POOLS.incrementAndGet();
      createPool(installation.servers.get(0).http(), pool, afterFailover);
      this.clients =
          new ClaimingClients(
              installation.servers.stream().map(RunningServer::http).toList(), pool);
      this.rows =
          isSynchronous
              ? Optional.of(new FollowedTable("followed_" + pool, cluster.jdbcUrl("app")))
              : Optional.empty();
      this.migration =
          isSynchronous
              ? Optional.of(new AppliedMigration(directory, cluster, "shop_" + pool))
              : Optional.empty();
      clients.awaitProgress();
    }

    /**
     * Has the primary fail, waits until claims are granted by the next one, and has the earlier one
     * come back.
     */
    void failAndRecover(Consumer<Node> failure, Consumer<Node> recovery) {
      long failed = System.nanoTime();
      fail(
          failure,
          recovery,
          promoted -> {
            List<Long> first = clients.awaitGranted(promoted, ClaimingClients.SOME);
            report(
                "%s: another primary after %d ms, first good claim of each server %s ms later"
                    .formatted(
                        fault,
                        millis(promoted - failed),
                        first.stream().map(nanos -> millis(nanos - promoted)).toList()));
          });
      cluster.awaitComplete(isSynchronous);
      clients.awaitProgress();
    }

    /**
     * Has the primary fail until another one is promoted, and what is awaited then has happened. It
     * comes back in any case: the next run needs it.
     *
     * @param await gets the time of the promotion
     */
    void fail(Consumer<Node> failure, Consumer<Node> recovery, LongConsumer await) {
      try {
        failure.accept(primary);
        Node unused = cluster.awaitPrimaryOtherThan(primary);
        await.accept(System.nanoTime());
      } finally {
        recovery.accept(primary);
      }
    }

    void assertNothingIsLost() {
      List<Claim> held = held();
      assertThat(clients.doubled()).isEmpty();
      assertThat(clients.lost(held)).isEmpty();
      rows.ifPresent(
          followed -> {
            assertThat(followed.missed()).isEmpty();
            assertThat(followed.readTwice()).isEmpty();
          });
      migration.ifPresent(
          applied -> {
            report(
                "%s: migrate failed and was repeated %d times"
                    .formatted(fault, applied.awaitEnd()));
            assertThat(applied.wrong()).isEmpty();
          });
    }

    void assertLossIsReported() {
      List<Claim> held = held();
      assertThat(clients.lost(held)).as("what the failover has cost").isNotEmpty();
      assertThat(clients.doubled()).isEmpty();
      assertThat(clients.refusals()).containsKey("database-set-back");
    }

    /** Ends the clients, and returns all claims as the tables of the primary say. */
    private List<Claim> held() {
      clients.close();
      cluster.awaitComplete(isSynchronous);
      rows.ifPresent(FollowedTable::close);
      List<Claim> held = claims();
      report(
          "%s: acknowledged=%d, held=%d, lost=%d, doubled=%d, refused=%s, rows=%d"
              .formatted(
                  fault,
                  clients.grantedCount(),
                  held.size(),
                  clients.lost(held).size(),
                  clients.doubled().size(),
                  clients.refusals(),
                  rows.map(FollowedTable::writtenCount).orElse(0)));
      return held;
    }

    @Override
    public void close() {
      clients.close();
      rows.ifPresent(FollowedTable::close);
    }

    private List<Claim> claims() {
      PGSimpleDataSource connections = new PGSimpleDataSource();
      connections.setUrl(cluster.jdbcUrl("app") + "&targetServerType=primary");
      List<Claim> claims = new ArrayList<>();
      try (Pools pools = Pools.over(connections)) {
        Pool opened = pools.open(pool);
        ClaimFilter filter = ClaimFilter.ALL;
        for (List<Claim> page = opened.claims(filter, Pool.PAGE_MAX);
            !page.isEmpty();
            page = opened.claims(filter, Pool.PAGE_MAX)) {
          claims.addAll(page);
          filter = filter.withAfter(page.get(page.size() - 1).value());
        }
      }
      return claims;
    }
  }

  /** Prints a line, and appends it to the page of figures. */
  private static void report(String line) {
    System.out.println("failover: " + line);
    try {
      Files.writeString(
          Path.of("target/failover.txt"),
          line + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long millis(long nanos) {
    return Duration.ofNanos(nanos).toMillis();
  }

  private static void createPool(HttpApi server, String name, String afterFailover) {
    Answer created =
        server.post(
            "/v1/pools",
            "{\"name\": \"%s\", \"blocks\": [\"10.0.0.0/8\"], \"after_failover\": \"%s\"}"
                .formatted(name, afterFailover));
    assertThat(created.status()).as(created.body()).isEqualTo(201);
  }
}
