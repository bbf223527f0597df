package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.ValueTaken;
import dev.mintmark.postgres.pool.ManyClaims.Named;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that move a pool to and fro are killed, and sessions in both databases are ended, while
 * clients use it. Clients repeat what fails with {@link PoolUnavailableException}, and get no other
 * answer than from a pool that is never moved.
 */
@Tag("database")
class PoolMoveFaultsTest {
  private static final int VALUES = 24;

  private static final int HOLDERS = 5;
  private static final int LEAVERS = 6;
  private static final int MOVERS = 2;
  private static final Duration SHORT_LEASE = Duration.ofSeconds(1);

  private final Random random = new Random();
  private final TestDatabase home = TestDatabase.create();
  private final TestDatabase eu = TestDatabase.create();
  private final AtomicBoolean ends = new AtomicBoolean();
  private final AtomicLong answers = new AtomicLong();
  private final Queue<Tenure> tenures = new ConcurrentLinkedQueue<>();
  private final List<Process> movers = new ArrayList<>();

  /** How often each of them had moved the pool when it was started last. */
  private final List<Long> started = new ArrayList<>();

  @TempDir private Path directory;

  /**
   * A claim that was acknowledged.
   *
   * @param answeredNanos when it was surely held at the latest
   * @param untilNanos up to when it is surely held
   */
  private record Tenure(
      String value, long token, String client, long answeredNanos, long untilNanos) {}

  @Test
  @Tag("long")
  void everyAcknowledgedClaimIsHeldByOneClientUntilItEnds() throws Exception {
    holdsThrough(10);
  }

  @Test
  @Tag("matrix")
  void everyAcknowledgedClaimIsHeldThroughManyFaults() throws Exception {
    holdsThrough(100);
  }

  private void holdsThrough(int faults) throws Exception {
    try (HikariDataSource toHome = home.connectionPool(16);
        HikariDataSource toEu = eu.connectionPool(16);
        Pools pools = across(toHome, toEu)) {
      pools.create(
          PoolSpec.of("p", List.of(Block.parse("1.." + VALUES))).withLease(Duration.ofHours(1)));
      List<CompletableFuture<Void>> clients = new ArrayList<>();
      for (int i = 0; i < HOLDERS; i++) {
        Client client = new Client("holder-" + i, toHome, toEu);
        clients.add(CompletableFuture.runAsync(client::hold, ThreadPerTask.EXECUTOR));
      }
      for (int i = 0; i < LEAVERS; i++) {
        Client client = new Client("leaver-" + i, toHome, toEu);
        clients.add(CompletableFuture.runAsync(client::leave, ThreadPerTask.EXECUTOR));
      }
      try {
        for (int i = 0; i < MOVERS; i++) {
          movers.add(startMover(i));
          started.add(0L);
        }
        for (int fault = 0; fault < faults; fault++) {
          long before = answers.get();
          LockSupport.parkNanos(random.nextLong(200_000_000));
          cause(fault, clients);
          long unused = repeated(pools, pool -> pools.sweep());
          Patience.await("answers", () -> answers.get() > before + 10 || failed(clients));
        }
      } finally {
        for (Process mover : movers) {
          mover.destroyForcibly().waitFor();
        }
        ends.set(true);
      }
      for (CompletableFuture<Void> client : clients) {
        client.get();
      }
      checkTenures();
      checkRest(pools);
    }
  }

  private static boolean failed(List<CompletableFuture<Void>> clients) {
    return clients.stream().anyMatch(CompletableFuture::isDone);
  }

  private static Pools across(HikariDataSource home, HikariDataSource eu) {
    return Pools.across(List.of(Pools.over("home", home), Pools.over("eu", eu)));
  }

  private Process startMover(int number) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            PoolMover.class.getName(),
            url(home),
            url(eu))
        .redirectErrorStream(true)
        .redirectOutput(
            ProcessBuilder.Redirect.appendTo(directory.resolve("mover-" + number).toFile()))
        .start();
  }

  private static String url(TestDatabase database) {
    return "jdbc:postgresql://localhost:%d/%s?user=postgres"
        .formatted(database.port(), database.name());
  }

  private long moves(int mover) {
    return read(mover).lines().filter(line -> line.startsWith("moved")).count();
  }

  private String read(int mover) {
    try {
      return Files.readString(directory.resolve("mover-" + mover));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every fifth fault kills a process that has moved the pool; the others end sessions. */
  private void cause(int fault, List<CompletableFuture<Void>> clients) throws Exception {
    if (fault % 5 == 4) {
      int number = random.nextInt(MOVERS);
      long before = started.get(number);
      Process mover = movers.get(number);
      Patience.await("a move", () -> moves(number) > before || failed(clients) || !mover.isAlive());
      assertThat(mover.isAlive()).as(() -> read(number)).isTrue();
      LockSupport.parkNanos(random.nextLong(500_000_000));
      mover.destroyForcibly().waitFor();
      started.set(number, moves(number));
      movers.set(number, startMover(number));
    } else {
      TestDatabase database = random.nextBoolean() ? home : eu;
      database.execute(
          """
          select pg_catalog.pg_terminate_backend(pid)
          from pg_catalog.pg_stat_activity
          where datname = pg_catalog.current_database() and pid <> pg_catalog.pg_backend_pid()
          order by state = 'idle', pg_catalog.random()
          limit 2
          """);
    }
  }

  /** A value has a later claim only after the one before has ended. */
  private void checkTenures() {
    List<Tenure> sorted =
        tenures.stream()
            .sorted(Comparator.comparing(Tenure::value).thenComparing(Tenure::token))
            .toList();
    assertThat(sorted).extracting(Tenure::token).doesNotHaveDuplicates();
    for (int i = 1; i < sorted.size(); i++) {
      Tenure before = sorted.get(i - 1);
      Tenure after = sorted.get(i);
      if (before.value.equals(after.value)) {
        assertThat(before.untilNanos - after.answeredNanos)
            .as("%s and %s", before, after)
            .isNotPositive();
      }
    }
  }

  /** The pool is in one database, with every value, and can be moved. */
  private void checkRest(Pools pools) {
    for (String target : List.of("eu", "home", "eu")) {
      PoolMove.Result moved =
          repeated(pools, unused -> PoolMove.move(pools, "p", target, (rows, expected) -> {}));
      assertThat(moved.to()).isEqualTo(target);
    }
    assertThat(pools.names()).containsExactly("p");
    assertThat(home.number("select pg_catalog.count(*) from mintmark.pool")).isZero();
    assertThat(eu.number("select pg_catalog.count(*) from mintmark.pool")).isOne();
    for (String table : List.of("pool_claim", "pool_free", "pool_quarantine")) {
      assertThat(home.number("select pg_catalog.count(*) from mintmark." + table)).isZero();
    }
    Patience.await(
        "the end of all claims",
        () -> {
          long unused = pools.sweep();
          return pools.open("p").claims(ClaimFilter.ALL, 9).isEmpty();
        });
    for (int value = 1; value <= VALUES; value++) {
      ClaimRequest request = ClaimRequest.of("last-" + value).withValue(String.valueOf(value));
      ClaimResult result = repeated(pools, pool -> pool.claim(request));
      assertThat(result).isInstanceOf(Granted.class);
    }
  }

  private <T> T repeated(Pools pools, Function<Pool, T> request) {
    // Moves prolong leases: for a time all values may be held.
    T answer =
        Patience.awaitValue(
            "a free value",
            () ->
                Optional.of(Session.repeated(() -> request.apply(pools.open("p"))))
                    .filter(result -> !(result instanceof Exhausted)));
    answers.incrementAndGet();
    return answer;
  }

  /** One client at a time, with what it knows of the pools. */
  private final class Client {
    private final String name;
    private final HikariDataSource home;
    private final HikariDataSource eu;
    private final Random random = new Random();

    Client(String name, HikariDataSource home, HikariDataSource eu) {
      this.name = name;
      this.home = home;
      this.eu = eu;
    }

    /** Claims, uses and releases values for as long as they are needed. */
    void hold() {
      try (Pools pools = across(home, eu)) {
        while (!ends.get()) {
          Claim claim = claim(pools);
          long answered = System.nanoTime();
          use(pools, claim);
          tenures.add(new Tenure(claim.value(), claim.token(), name, answered, System.nanoTime()));
          var unused = repeated(pools, pool -> pool.release(claim.value(), claim.token()));
          LockSupport.parkNanos(random.nextLong(10_000_000));
        }
      }
    }

    private Claim claim(Pools pools) {
      ClaimRequest request = ClaimRequest.of(name);
      int way = random.nextInt(3);
      if (way == 0) {
        String value = String.valueOf(1 + random.nextInt(VALUES));
        ClaimResult named = repeated(pools, pool -> pool.claim(request.withValue(value)));
        if (!(named instanceof ValueTaken)) {
          return claimOf(named);
        }
      } else if (way == 1) {
        claimInTransaction(pools, request);
      }
      return claimOf(repeated(pools, pool -> pool.claim(request)));
    }

    /** Whether it was committed, the next claim tells. */
    private void claimInTransaction(Pools pools, ClaimRequest request) {
      try {
        Pool pool = pools.open("p");
        boolean isHome = pool.spec().database().equals(Optional.of("home"));
        try (Connection connection = (isHome ? home : eu).getConnection()) {
          connection.setAutoCommit(false);
          ClaimResult unused = pool.claim(connection, request);
          connection.commit();
        }
      } catch (SQLException | PoolUnavailableException e) {
        // As if it was not tried.
      }
    }

    private void use(Pools pools, Claim claim) {
      ClaimNote note = ClaimNote.of(Map.of("token", String.valueOf(claim.token())));
      for (int i = random.nextInt(3); i >= 0; i--) {
        RenewResult renewed =
            repeated(pools, pool -> pool.renew(claim.value(), claim.token(), Optional.empty()));
        assertThat(renewed).as(claim.toString()).isInstanceOf(RenewResult.Renewed.class);
      }
      NoteResult noted =
          repeated(pools, pool -> pool.notes().set(claim.value(), claim.token(), note));
      assertThat(noted).isInstanceOf(NoteResult.Noted.class);
      List<Named> named = List.of(new Named(claim.value(), claim.token()));
      ManyClaims.Kept kept =
          repeated(pools, pool -> pool.many().renew(named, Optional.empty(), Optional.empty()));
      assertThat(kept.lost()).isEmpty();
      List<Claim> listed = repeated(pools, pool -> pool.claims(ClaimFilter.ofClient(name), 9));
      assertThat(listed).extracting(Claim::token).containsExactly(claim.token());
      Optional<Claim> found = repeated(pools, pool -> pool.find(claim.value()));
      assertThat(found.orElseThrow().token()).isEqualTo(claim.token());
      ClaimNote read = repeated(pools, pool -> pool.notes().of(claim.token()));
      assertThat(read).isEqualTo(note);
    }

    /** Claims for a short time, and leaves the value to the end of its lease. */
    void leave() {
      try (Pools pools = across(home, eu)) {
        IntStream.iterate(0, i -> !ends.get(), i -> i + 1)
            .mapToObj(i -> name + "-" + i)
            .forEach(client -> leave(pools, client));
      }
    }

    private void leave(Pools pools, String client) {
      ClaimRequest request = ClaimRequest.of(client).withLease(Optional.of(SHORT_LEASE));
      long sent = System.nanoTime();
      Claim claim = claimOf(repeated(pools, pool -> pool.claim(request)));
      long answered = System.nanoTime();
      tenures.add(
          new Tenure(claim.value(), claim.token(), client, answered, sent + SHORT_LEASE.toNanos()));
      Patience.await("the end of a lease", () -> ends.get() || hasEnded(pools, claim));
    }

    /** Later than its lease says, if the pool was moved meanwhile. */
    private boolean hasEnded(Pools pools, Claim claim) {
      LockSupport.parkNanos(SHORT_LEASE.dividedBy(10).toNanos());
      return repeated(pools, pool -> pool.find(claim.value()))
          .filter(found -> found.token() == claim.token())
          .isEmpty();
    }

    private Claim claimOf(ClaimResult result) {
      if (result instanceof AlreadyHeld held) { // It was granted, and the answer was lost.
        return held.claims().get(0);
      }
      assertThat(result).as(name).isInstanceOf(Granted.class);
      return ((Granted) result).claims().get(0);
    }
  }
}
