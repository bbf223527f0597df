package dev.mintmark.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.testkit.AllocatorChecker.Finding;
import dev.mintmark.testkit.AllocatorChecker.Kind;
import dev.mintmark.testkit.AllocatorChecker.Rules;
import dev.mintmark.testkit.Operation.Call;
import dev.mintmark.testkit.Operation.Held;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Allocators that are wrong in ways that have been seen, and ours, each in the same run: the judge
 * that says nothing of ours says of each of the others what is wrong with it. Meetings are steered,
 * not hoped for.
 */
@Tag("slow")
class PlantedBugsTest {
  private static final int VALUES = 20;
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private static final String TERMINATE_WHO_WAITS =
      "select count(*) filter (where pg_terminate_backend(pid)) from pg_stat_activity"
          + " where datname = current_database() and wait_event_type = 'Lock'";

  private final TestDatabase database = TestDatabase.create();
  private final FaultyConnections faulty = new FaultyConnections(database.dataSource(), 1);
  private final List<Pools> opened = new ArrayList<>();
  private OperationLog log = OperationLog.inMemory();

  /** What is done with an allocator, seen through two instances. */
  private interface Run {
    void with(RecordedAllocator first, RecordedAllocator second);
  }

  /** How something is done while a claim is half done. */
  private interface Meanwhile {
    void during(Runnable claim, Runnable other);
  }

  @AfterEach
  void close() {
    opened.forEach(Pools::close);
  }

  @Test
  void anAdvisoryLockWithoutALookBehindItHandsOutAValueTwice() {
    TableAllocator planted = TableAllocator.advisoryLockWithoutRecheck(faulty.dataSource());

    assertThat(findings(planted, raceOf(planted::during)))
        .first()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(Kind.DOUBLED);
              assertThat(finding.text())
                  .startsWith("value 1: held by \"second\" (token 1) from +")
                  .endsWith(" s, and at the same time by \"first\" (token 2)");
            });
    assertThat(findingsOfOurs(raceOf(PlantedBugsTest::atOnce))).isEmpty();
  }

  /** The second client claims while the first is half way. */
  private static Run raceOf(Meanwhile meanwhile) {
    return (first, second) ->
        meanwhile.during(
            () -> first.claim(Call.Claim.of("first")), () -> second.claim(Call.Claim.of("second")));
  }

  @Test
  void theArticlesQueryUnderStaleStatisticsGivesOneClientSeveralValues() {
    Run run =
        (first, second) -> {
          for (int client = 0; client < VALUES; client++) {
            (client % 2 == 0 ? first : second).claim(Call.Claim.of("client-" + client));
          }
          first.list();
        };

    List<Finding> findings = findings(TableAllocator.theArticles(faulty.dataSource()), run);

    assertThat(findings).extracting(Finding::kind).contains(Kind.TOO_MANY);
    assertThat(findings)
        .extracting(Finding::text)
        .anyMatch(
            text -> text.matches("client \"client-\\d+\" asked for 1 and was given [2-9].*: .*"))
        .anyMatch(text -> text.matches("client \"client-\\d+\" held two values in slot 0 .*"));
    assertThat(findingsOfOurs(run)).isEmpty();
  }

  @Test
  void aReleaseThatDoesNotLookAtTheTokenFreesWhatIsAnothers() {
    Run run =
        (first, second) -> {
          takeAllOthers(first);
          List<Held> late =
              RecordedAllocator.held(first.claim(Call.Claim.of("late").withLease(LEASE)));
          claimUntilGiven(second, "heir");
          late.forEach(first::release);
          second.claim(Call.Claim.of("third"));
        };

    List<Finding> findings = findings(TableAllocator.releaseWithoutToken(faulty.dataSource()), run);

    assertThat(findings).extracting(Finding::kind).startsWith(Kind.DOUBLED, Kind.STALE_TOKEN);
    assertThat(findings.get(0).text()).contains("\"heir\" (token ", "\"third\" (token ");
    assertThat(findings.get(1).text()).contains("\"late\" (token ", "\"heir\" (token ");
    assertThat(findingsOfOurs(run)).isEmpty();
  }

  private static void takeAllOthers(RecordedAllocator allocator) {
    for (int i = 1; i < VALUES; i++) {
      allocator.claim(Call.Claim.of("other-" + i));
    }
  }

  private static void claimUntilGiven(RecordedAllocator allocator, String client) {
    while (RecordedAllocator.held(allocator.claim(Call.Claim.of(client))).isEmpty()) {
      LockSupport.parkNanos(5_000_000);
    }
  }

  @Test
  void aClaimInTwoTransactionsLosesTheValueWhereItIsKilledInBetween() {
    TableAllocator planted = TableAllocator.inTwoTransactions(faulty.dataSource());

    List<Finding> findings =
        findings(planted, killed(claim -> planted.during(claim, planted::terminateItsSession)));

    assertThat(findings).extracting(Finding::kind).contains(Kind.LOST, Kind.MISCOUNTED);
    assertThat(findings.get(0).text())
        .isEqualTo(
            "value 1: no client holds it, and no claim is granted it; it was never handed out;"
                + " claims without an answer were those of \"killed\"");
    assertThat(findingsOfOurs(killed(this::killOursOnce))).isEmpty();
  }

  private static Run killed(Consumer<Runnable> killing) {
    return (first, second) -> {
      killing.accept(() -> first.claim(Call.Claim.of("killed")));
      second.settle(values(), PATIENCE);
    };
  }

  /** Ends the session of a claim of ours that waits, in the middle of its statement, for a lock. */
  private void killOursOnce(Runnable claim) {
    CompletableFuture<Void> claiming;
    try (Connection locking = database.dataSource().getConnection();
        Statement statement = locking.createStatement()) {
      locking.setAutoCommit(false);
      statement.execute("lock table mintmark.pool_claim in share mode");
      claiming = CompletableFuture.runAsync(claim, ThreadPerTask.EXECUTOR);
      while (database.number(TERMINATE_WHO_WAITS) == 0) {
        Thread.onSpinWait();
      }
      locking.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    claiming.join();
  }

  @Test
  void aRetryAfterALostAnswerTakesASecondValue() {
    Run run =
        (first, second) -> {
          for (int client = 0; client < VALUES / 2; client++) {
            faulty.cutOneOf(1);
            first.claim(Call.Claim.of("client-" + client));
            faulty.cutOneOf(0);
            second.claim(Call.Claim.of("client-" + client));
          }
          second.list();
        };

    List<Finding> findings = findings(TableAllocator.notIdempotent(faulty.dataSource()), run);

    assertThat(findings).isNotEmpty().extracting(Finding::kind).containsOnly(Kind.TOO_MANY);
    assertThat(findings.get(0).text())
        .matches(
            "client \"client-\\d\" held two values in slot 0 at the same time:"
                + " \\d+ \\(token \\d+\\) since .* and \\d+ \\(token \\d+\\) since .*");
    assertThat(findingsOfOurs(run)).isEmpty();
  }

  @Test
  void aClaimThatMeetsALockIsToldThatNothingIsFree() {
    TableAllocator planted = TableAllocator.exhaustedIfLocked(faulty.dataSource());

    assertThat(findings(planted, raceOf(planted::during)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(Kind.WRONGLY_EXHAUSTED);
              assertThat(finding.text())
                  .startsWith("client \"second\" asked for 1 and was told at +")
                  .endsWith(" s that the pool is exhausted: 19 values were free");
            });
    assertThat(findingsOfOurs(raceOf(PlantedBugsTest::atOnce))).isEmpty();
  }

  private List<Finding> findings(TableAllocator planted, Run run) {
    planted.create(VALUES);
    return findings(planted, planted, run);
  }

  private List<Finding> findingsOfOurs(Run run) {
    Pools administration = open();
    administration.create(PoolSpec.of("ours", List.of(Block.parse("1.." + VALUES))));
    return findings(ours(), ours(), run);
  }

  private Allocator ours() {
    return new PoolAsAllocator(open().open("ours"), database.dataSource());
  }

  private Pools open() {
    Pools pools = Pools.over(faulty.dataSource());
    opened.add(pools);
    return pools;
  }

  private List<Finding> findings(Allocator first, Allocator second, Run run) {
    log = OperationLog.inMemory();
    RecordedAllocator recorded = new RecordedAllocator("first", first, log);
    run.with(recorded, new RecordedAllocator("second", second, log));
    recorded.count();
    return AllocatorChecker.judge(
        log.operations(), Rules.of(values(), PATIENCE).withRemembered(Pool.REMEMBERED_FOR));
  }

  private static Set<String> values() {
    return IntStream.rangeClosed(1, VALUES)
        .mapToObj(Integer::toString)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void atOnce(Runnable claim, Runnable other) {
    CompletableFuture<Void> first = CompletableFuture.runAsync(claim, ThreadPerTask.EXECUTOR);
    other.run();
    first.join();
  }
}
