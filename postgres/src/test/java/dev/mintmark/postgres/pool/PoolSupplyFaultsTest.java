package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.PoolSpec.Source;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ManyClaims.Named;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two regions, each with a database of its own, get their blocks from one pool. The processes that
 * supply them are killed, and stopped for longer than the lease of the blocks, and sessions in all
 * three databases are ended, while clients claim, renew and release, now here, now there. All
 * clocks are that of this machine.
 */
@Tag("database")
class PoolSupplyFaultsTest {
  private static final Duration SOURCE_LEASE = Duration.ofSeconds(6);
  private static final Duration QUARANTINE = Duration.ofSeconds(2);
  private static final Duration LEASE = Duration.ofSeconds(2);

  private static final int CLIENTS = 4;

  /** How many values each of the clients wants where many are wanted, and elsewhere. */
  private static final int MANY = 60;

  private static final int FEW = 1;

  private final Random random = new Random();
  private final TestDatabase home = TestDatabase.create();
  private final List<Region> regions = List.of(new Region("eu"), new Region("us"));
  private final AtomicBoolean ends = new AtomicBoolean();
  private final Queue<Tenure> tenures = new ConcurrentLinkedQueue<>();

  @TempDir private Path directory;

  /** A value that was surely held, as far as its client knows. For one thread. */
  private static final class Tenure {
    private final String region;
    private final Claim claim;
    private Instant until;

    Tenure(String region, Claim claim) {
      this.region = region;
      this.claim = claim;
      this.until = claim.expiresAt().orElseThrow();
    }

    @Override
    public String toString() {
      return "%s in %s from %s to %s".formatted(claim.value(), region, claim.claimedAt(), until);
    }
  }

  private final class Region {
    private final String name;
    private final TestDatabase database = TestDatabase.create();
    private final AtomicLong granted = new AtomicLong();
    private volatile int wanted = FEW;
    private @Nullable Process supplier;

    Region(String name) {
      this.name = name;
    }

    private Path log() {
      return directory.resolve(name);
    }

    private long rounds() {
      try {
        return Files.exists(log())
            ? Files.readAllLines(log()).stream().filter("supplied"::equals).count()
            : 0;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void start() throws IOException {
      long before = rounds();
      Process started =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  PoolSupplier.class.getName(),
                  url(home),
                  name,
                  url(database))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
              .start();
      supplier = started;
      Patience.await("a round of " + name, () -> rounds() > before || !started.isAlive());
      assertThat(started.isAlive()).as("supplier of " + name).isTrue();
    }

    void kill() throws InterruptedException {
      if (supplier != null) {
        supplier.destroyForcibly().waitFor();
      }
    }

    void signal(String signal) throws IOException, InterruptedException {
      assertThat(
              new ProcessBuilder(
                      "kill", "-" + signal, String.valueOf(Objects.requireNonNull(supplier).pid()))
                  .start()
                  .waitFor())
          .isZero();
    }

    /** Claims and renews as many values as are wanted, and releases those that are too many. */
    void use(int client, HikariDataSource connections) {
      List<Tenure> held = new ArrayList<>();
      try (Pools pools = Pools.over(name, connections)) {
        for (int i = 0; !ends.get(); i++) {
          try {
            Pool pool = pools.open("p-" + name);
            claim(pool, "client-%s-%s".formatted(client, i), held);
            renew(pool, held);
            releaseUnwanted(pool, held);
          } catch (PoolUnavailableException e) {
            // Sessions were ended: what is held is known as before.
          }
          LockSupport.parkNanos(20_000_000);
        }
      }
    }

    private void claim(Pool pool, String client, List<Tenure> held) {
      for (int i = 0; held.size() < wanted && i < 10; i++) {
        ClaimResult result = pool.claim(ClaimRequest.of(client + "-" + i));
        if (!(result instanceof Granted grant)) {
          return;
        }
        Tenure tenure = new Tenure(name, grant.claim());
        held.add(tenure);
        tenures.add(tenure);
        granted.incrementAndGet();
      }
    }

    private void renew(Pool pool, List<Tenure> held) {
      Instant soon = Instant.now().plus(LEASE.dividedBy(2));
      List<Tenure> due = held.stream().filter(one -> one.until.isBefore(soon)).toList();
      if (due.isEmpty()) {
        return;
      }
      Set<Tenure> lost = new HashSet<>();
      if (random.nextBoolean()) {
        List<Named> named =
            due.stream().map(one -> new Named(one.claim.value(), one.claim.token())).toList();
        ManyClaims.Kept kept = pool.many().renew(named, Optional.empty(), Optional.empty());
        for (Tenure one : due) {
          kept.renewed().stream()
              .filter(claim -> claim.token() == one.claim.token())
              .findFirst()
              .ifPresentOrElse(
                  claim -> one.until = claim.expiresAt().orElseThrow(), () -> lost.add(one));
        }
      } else {
        for (Tenure one : due) {
          RenewResult result = pool.renew(one.claim.value(), one.claim.token(), Optional.empty());
          if (result instanceof RenewResult.Renewed renewed) {
            one.until = renewed.claim().expiresAt().orElseThrow();
          } else {
            lost.add(one);
          }
        }
      }
      held.removeAll(lost);
    }

    private void releaseUnwanted(Pool pool, List<Tenure> held) {
      for (Iterator<Tenure> i = held.iterator(); held.size() > wanted && i.hasNext(); ) {
        Tenure one = i.next();
        i.remove();
        Instant now = Instant.now();
        one.until = now.isBefore(one.until) ? now : one.until;
        var unused = pool.release(one.claim.value(), one.claim.token());
      }
    }
  }

  private static String url(TestDatabase database) {
    return "jdbc:postgresql://localhost:%d/%s?user=postgres"
        .formatted(database.port(), database.name());
  }

  @Test
  @Tag("long")
  void noValueIsHeldInTwoRegions() throws Exception {
    holdsThrough(8);
  }

  @Test
  @Tag("matrix")
  void noValueIsHeldInTwoRegionsThroughManyFaults() throws Exception {
    holdsThrough(48);
  }

  private void holdsThrough(int faults) throws Exception {
    create();
    List<HikariDataSource> connections = new ArrayList<>();
    List<CompletableFuture<Void>> clients = new ArrayList<>();
    try {
      for (Region region : regions) {
        region.start();
        HikariDataSource own = region.database.connectionPool(8);
        connections.add(own);
        for (int i = 0; i < CLIENTS; i++) {
          int client = i;
          clients.add(
              CompletableFuture.runAsync(() -> region.use(client, own), ThreadPerTask.EXECUTOR));
        }
      }
      regions.get(0).wanted = MANY;
      for (int fault = 0; fault < faults; fault++) {
        LockSupport.parkNanos(random.nextLong(500_000_000));
        cause(fault, clients);
      }
    } finally {
      ends.set(true);
      for (Region region : regions) {
        region.kill();
      }
      for (CompletableFuture<Void> client : clients) {
        client.get();
      }
      connections.forEach(HikariDataSource::close);
    }
    checkTenures();
    checkRest();
  }

  private void create() {
    try (Pools pools = across()) {
      pools.create(
          PoolSpec.of("all", List.of(Block.parse("1..400 by 20")))
              .withLease(SOURCE_LEASE)
              .withQuarantine(QUARANTINE));
      for (Region region : regions) {
        pools.create(
            PoolSpec.of("p-" + region.name, new Source("all", 15))
                .withLease(LEASE)
                .withDatabase(Optional.of(region.name)));
      }
    }
  }

  private Pools across() {
    List<Pools> parts = new ArrayList<>();
    parts.add(Pools.over("home", home.dataSource()));
    regions.forEach(region -> parts.add(Pools.over(region.name, region.database.dataSource())));
    return Pools.across(parts);
  }

  /** Of four faults, the last one stops a supplier, and its region is cut off. */
  private void cause(int fault, List<CompletableFuture<Void>> clients) throws Exception {
    Region most = regions.get(0).wanted == MANY ? regions.get(0) : regions.get(1);
    Region other = regions.get(0) == most ? regions.get(1) : regions.get(0);
    switch (fault % 4) {
      case 0 -> endSessions();
      case 1 -> {
        Region any = regions.get(random.nextInt(2));
        any.kill();
        any.start();
      }
      case 2 -> {
        most.wanted = FEW;
        other.wanted = MANY;
        awaitMost(other, clients);
        endSessions();
      }
      default -> {
        most.signal("STOP");
        other.wanted = MANY;
        awaitMost(other, clients);
        most.wanted = FEW;
        most.signal("CONT");
      }
    }
  }

  private void endSessions() {
    List<TestDatabase> databases = new ArrayList<>(List.of(home));
    regions.forEach(region -> databases.add(region.database));
    databases
        .get(random.nextInt(databases.size()))
        .execute(
            """
            select pg_catalog.pg_terminate_backend(pid)
            from pg_catalog.pg_stat_activity
            where datname = pg_catalog.current_database() and pid <> pg_catalog.pg_backend_pid()
            order by state = 'idle', pg_catalog.random()
            limit 3
            """);
  }

  /** Waits until a region has got most of all values, which takes blocks of the other one. */
  private static void awaitMost(Region region, List<CompletableFuture<Void>> clients) {
    Patience.await(
        "claims in " + region.name,
        () ->
            clients.stream().anyMatch(CompletableFuture::isDone)
                || region.database.number("select count(*) from mintmark.pool_claim") > 200);
  }

  /** A value has a later claim, wherever, only after the one before has ended. */
  private void checkTenures() {
    List<Tenure> sorted =
        tenures.stream()
            .sorted(
                Comparator.comparing((Tenure one) -> one.claim.value())
                    .thenComparing(one -> one.claim.claimedAt()))
            .toList();
    Set<String> moved = new HashSet<>();
    for (int i = 1; i < sorted.size(); i++) {
      Tenure before = sorted.get(i - 1);
      Tenure after = sorted.get(i);
      if (before.claim.value().equals(after.claim.value())) {
        assertThat(before.until)
            .as("%s and %s", before, after)
            .isBeforeOrEqualTo(after.claim.claimedAt());
        assertThat(before.claim.token())
            .as("tokens: %s and %s", before, after)
            .isLessThan(after.claim.token());
        if (!before.region.equals(after.region)) {
          moved.add(after.claim.value());
        }
      }
    }
    assertThat(moved).as("values that were held in both regions").hasSizeGreaterThan(100);
  }

  /** The source shows who has what, and every value can be claimed. */
  private void checkRest() {
    try (Pools pools = across()) {
      Patience.await(
          "the end of all claims",
          () -> {
            exchange(pools);
            return regions.stream()
                .allMatch(
                    region -> pools.open("p-" + region.name).claims(ClaimFilter.ALL, 1).isEmpty());
          });
      Pool eu = pools.open("p-eu");
      var unused = eu.change(spec -> spec.withSource(Optional.of(new Source("all", 400))));
      unused =
          pools.open("p-us").change(spec -> spec.withSource(Optional.of(new Source("all", 0))));
      Pool us = pools.open("p-us");
      us.context().reload().layout().declared().forEach(block -> us.drain(block, true));
      Patience.await(
          "all runs in one region",
          () -> {
            exchange(pools);
            return eu.context().reload().layout().blocks().size() == 20;
          });
      assertThat(
              pools.open("all").claims(ClaimFilter.ofOwner("p-eu"), 100).stream()
                  .map(Claim::value)
                  .collect(Collectors.toSet()))
          .hasSize(20);
      assertThat(PoolInvariants.violations(home)).isEmpty();
      regions.forEach(region -> assertThat(PoolInvariants.violations(region.database)).isEmpty());
    }
  }

  private static void exchange(Pools pools) {
    try {
      pools.supply();
      long unused = pools.sweep();
    } catch (PoolUnavailableException e) {
      // The next one does it.
    }
  }
}
