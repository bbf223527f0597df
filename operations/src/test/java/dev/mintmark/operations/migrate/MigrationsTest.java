package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.Standby;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestPgBouncer;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.operations.migrate.MigrationStatus.LimitStatus;
import dev.mintmark.operations.migrate.MigrationStatus.StepStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class MigrationsTest {
  private static final MigrationListener SILENT = MigrationListener.SILENT;
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();

  /** What the old column cannot hold is no longer in it, as with the trigger of a migration. */
  private static final String PAST_THE_LIMIT =
      "alter table public.orders disable trigger sync_orders;"
          + "alter table public.orders drop constraint orders_pkey;"
          + "alter table public.orders alter column id__old drop not null;"
          + "insert into public.orders (id, note) values (2147483650, 'past')";

  private final Migrations migrations = Migrations.over(DATABASE.dataSource());

  @BeforeEach
  void createTable() {
    Orders.create(DATABASE);
  }

  /** Listens, and may do what a test wants in the middle of a run. */
  private interface Hearing {
    void hear(Step step) throws SQLException;
  }

  private static MigrationListener whileWaiting(List<String> reasons, Hearing hearing) {
    return new MigrationListener() {
      @Override
      public void waiting(Step step, String why, Duration howLong) {
        reasons.add(why);
        heard(hearing, step);
      }
    };
  }

  private static MigrationListener atStart(Phase phase, Hearing hearing) {
    return new MigrationListener() {
      @Override
      public void started(Step step, StepPosition position) {
        if (step.phase() == phase) {
          heard(hearing, step);
        }
      }
    };
  }

  private static void heard(Hearing hearing, Step step) {
    try {
      hearing.hear(step);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A session with a transaction that stays open until it is committed or closed. */
  private static Connection other(String... statements) throws SQLException {
    return Migrated.other(DATABASE, statements);
  }

  private static void await(BooleanSupplier condition) {
    Patience.await("the other session is as expected", condition);
  }

  private MigrationState state() throws SQLException {
    return migrations.status().orElseThrow().state();
  }

  private static void assertRefused(Action action, String... parts) {
    assertThatExceptionOfType(MigrationException.class)
        .isThrownBy(action::run)
        .satisfies(e -> assertThat(e).message().contains(parts));
  }

  private interface Action {
    void run() throws SQLException;
  }

  @OnServers
  void runsOnEveryMajorVersion(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    Orders.create(database);
    String before = Orders.snapshot(database.dataSource());
    Migrations there = Migrations.over(database.dataSource());

    assertThat(there.apply(Orders.plan(), Orders.PACE, SILENT))
        .isEqualTo(new MigrationOutcome.Baking(1));
    assertThat(there.rollback(Orders.PACE, SILENT)).isEqualTo(new MigrationOutcome.RolledBack(1));
    assertThat(Orders.snapshot(database.dataSource())).isEqualTo(before);
    assertThat(there.apply(Orders.plan(), Orders.PACE, SILENT))
        .isEqualTo(new MigrationOutcome.Baking(2));
    assertThat(there.contract(Orders.PACE, SILENT)).isEqualTo(new MigrationOutcome.Contracted(2));
    assertThat(database.rows("select id, note from public.orders where id = 7"))
        .containsExactly(List.of("7", "note 7"));
  }

  @Test
  void tablesMadeByFlywayAreThoseItUses() throws SQLException {
    Flyway.configure()
        .dataSource(DATABASE.dataSource())
        .schemas("mintmark")
        .locations("classpath:" + Migrations.MIGRATIONS)
        .load()
        .migrate();
    assertThat(migrations.status()).isEmpty();

    migrations.apply(Orders.plan(), Orders.PACE, SILENT);

    assertThat(DATABASE.number("select count(*) from mintmark.key_migration")).isEqualTo(1);
  }

  @Test
  void emptyPlanIsDoneAtOnce() throws SQLException {
    assertThat(migrations.apply(Orders.plan(List.of()), Orders.PACE, SILENT))
        .isEqualTo(new MigrationOutcome.NothingToDo());
    assertThat(migrations.status()).isEmpty();
  }

  @Test
  void planWithRefusalsIsRefused() {
    MigrationPlan plan =
        new MigrationPlan(
            Orders.steps(),
            List.of(
                new Refusal(
                    RefusalCode.VIEW_QUERY,
                    "orders",
                    "view public.sales",
                    "it has the key",
                    "drop it")),
            List.of(),
            List.of());

    assertRefused(
        () -> migrations.apply(plan, Orders.PACE, SILENT),
        "view public.sales: it has the key; drop it");
  }

  @Test
  void planOutOfOrderIsRefused() {
    List<Step> steps = new ArrayList<>(Orders.steps());
    steps.add(0, steps.remove(1));

    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> migrations.apply(Orders.plan(steps), Orders.PACE, SILENT))
        .withMessage(
            "step \"add column orders.id__new\" is of phase expand: expected none after one of"
                + " phase sync");
  }

  @Test
  void secondMigrationIsRefusedWhileOneIsActive() throws SQLException {
    migrations.apply(Orders.plan(), Orders.PACE, SILENT);

    assertRefused(
        () -> migrations.apply(Orders.plan(), Orders.PACE, SILENT), "migration 1 is baking");
    assertRefused(migrations::pause, "nothing to pause");
  }

  @Test
  void whatIsWhereItShouldBeIsResumedAtOnce() throws SQLException {
    assertRefused(() -> migrations.resume(Orders.PACE, SILENT), "nothing to resume");
    migrations.apply(Orders.plan(), Orders.PACE, SILENT);

    assertThat(migrations.resume(Orders.PACE, SILENT)).isEqualTo(new MigrationOutcome.Baking(1));
    assertThat(state()).isEqualTo(MigrationState.BAKING);
    migrations.rollback(Orders.PACE, SILENT);
    assertThat(migrations.resume(Orders.PACE, SILENT))
        .isEqualTo(new MigrationOutcome.RolledBack(1));
    migrations.apply(Orders.plan(), Orders.PACE, SILENT);
    migrations.contract(Orders.PACE, SILENT);
    assertThat(migrations.resume(Orders.PACE, SILENT))
        .isEqualTo(new MigrationOutcome.Contracted(2));
  }

  @Test
  void nothingIsActiveBeforeTheFirstMigration() {
    assertRefused(() -> migrations.resume(Orders.PACE, SILENT), "no migration is active");
    assertRefused(() -> migrations.rollback(Orders.PACE, SILENT), "no migration is active");
    assertRefused(() -> migrations.contract(Orders.PACE, SILENT), "no migration is active");
    assertRefused(migrations::pause, "nothing to pause");
  }

  @Test
  void bakesWithoutAContractionUntilItIsClosed() throws SQLException {
    migrations.apply(Orders.plan(Orders.stepsToBake()), Orders.PACE, SILENT);
    assertThat(state()).isEqualTo(MigrationState.BAKING);

    migrations.contract(Orders.PACE, SILENT);

    assertThat(state()).isEqualTo(MigrationState.CONTRACTED);
  }

  @Test
  void firstRunWaitsForOneThatMakesTheTables() throws SQLException {
    try (Connection other = DATABASE.dataSource().getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute(
          "select pg_advisory_xact_lock(1835626100, 1); create schema if not exists mintmark");
      CompletableFuture<Void> run =
          CompletableFuture.runAsync(
              () -> {
                try {
                  migrations.apply(Orders.plan(Orders.stepsToBake()), Orders.PACE, SILENT);
                } catch (SQLException e) {
                  throw new CompletionException(e);
                }
              },
              ThreadPerTask.EXECUTOR);
      await(
          () ->
              count(
                      "select count(*) from pg_stat_activity"
                          + " where datname = current_database() and wait_event_type = 'Lock'")
                  == 1);
      other.commit();
      run.orTimeout(Patience.MAX.toSeconds(), TimeUnit.SECONDS).join();
    }
    assertThat(state()).isEqualTo(MigrationState.BAKING);
  }

  @Test
  void secondRunIsRefusedAndToldWhoWorks() throws SQLException {
    List<String> messages = new ArrayList<>();
    MigrationListener another =
        atStart(
            Phase.INDEX,
            step -> {
              int pid = migrations.status().orElseThrow().runner().orElseThrow().pid();
              List<Action> actions =
                  List.of(
                      () -> migrations.apply(Orders.plan(), Orders.PACE, SILENT),
                      () -> migrations.resume(Orders.PACE, SILENT),
                      () -> migrations.rollback(Orders.PACE, SILENT),
                      () -> migrations.contract(Orders.PACE, SILENT));
              for (Action action : actions) {
                assertRefused(
                    action, "another run works", "process " + pid + " (mintmark migrate)");
                messages.add("refused");
              }
            });

    migrations.apply(Orders.plan(), Orders.PACE, another);

    assertThat(messages).hasSize(4);
    assertThat(migrations.status().orElseThrow().runner()).isEmpty();
  }

  @Test
  void runThatLosesItsLockDoesNothingMore() {
    MigrationListener taking =
        atStart(
            Phase.INDEX,
            step ->
                DATABASE.execute(
                    "alter table mintmark.key_migration rename to taken;"
                        + "create table mintmark.key_migration as table mintmark.taken"));

    assertRefused(
        () -> migrations.apply(Orders.plan(), Orders.PACE, taking), "needs a session of its own");
    assertThat(DATABASE.number("select count(*) from pg_class where relname = 'orders__new'"))
        .isZero();
  }

  @Test
  void transactionPoolerIsRefused() {
    try (TestPgBouncer bouncer = TestPgBouncer.before(DATABASE)) {
      Migrations pooled = Migrations.over(bouncer.dataSource());

      assertRefused(
          () -> pooled.apply(Orders.plan(), Orders.PACE, SILENT),
          "goes through a pooler",
          "connect to the PostgreSQL server itself");
    }
    assertThat(DATABASE.number("select count(*) from mintmark.key_migration")).isZero();
  }

  @Test
  void pausedRunEndsAndGoesOnInItsDirection() throws SQLException {
    MigrationListener pausing =
        new MigrationListener() {
          @Override
          public void progressed(Step step, long rows) {
            heard(ignored -> migrations.pause(), step);
          }
        };
    MigrationListener pausingAtSwitch = atStart(Phase.SWITCH, step -> migrations.pause());
    MigrationListener pausingInContraction =
        new MigrationListener() {
          @Override
          public void finished(Step step) {
            if (step.phase() == Phase.CONTRACT) {
              heard(ignored -> migrations.pause(), step);
            }
          }
        };
    MigrationOutcome paused = new MigrationOutcome.Paused(1);

    assertThat(migrations.apply(Orders.plan(), Orders.PACE, pausing)).isEqualTo(paused);
    assertThat(migrations.status().orElseThrow().paused()).isTrue();
    assertThat(migrations.resume(Orders.PACE, pausingAtSwitch)).isEqualTo(paused);
    assertThat(migrations.resume(Orders.PACE, SILENT)).isEqualTo(new MigrationOutcome.Baking(1));
    assertThat(migrations.status().orElseThrow().paused()).isFalse();

    assertThat(migrations.rollback(Orders.PACE, pausingAtSwitch)).isEqualTo(paused);
    assertThat(state()).isEqualTo(MigrationState.ROLLING_BACK);
    assertThat(migrations.resume(Orders.PACE, SILENT))
        .isEqualTo(new MigrationOutcome.RolledBack(1));

    migrations.apply(Orders.plan(), Orders.PACE, SILENT);
    assertThat(migrations.contract(Orders.PACE, pausingInContraction))
        .isEqualTo(new MigrationOutcome.Paused(2));
    assertRefused(() -> migrations.rollback(Orders.PACE, SILENT), "its contraction has begun");
    assertThat(migrations.resume(Orders.PACE, SILENT))
        .isEqualTo(new MigrationOutcome.Contracted(2));
  }

  @Test
  void lockIsTriedAgainUntilOthersGiveIt() throws SQLException {
    List<String> reasons = new ArrayList<>();
    try (Connection other = other("select from public.orders")) {
      migrations.apply(Orders.plan(), Orders.PACE, whileWaiting(reasons, step -> other.rollback()));
    }

    assertThat(reasons)
        .singleElement()
        .asString()
        .matches("public.orders is locked by process \\d+ \\(the other\\) since .*");
    assertThat(state()).isEqualTo(MigrationState.BAKING);
  }

  @Test
  void patienceEndsWithWhoHasTheLock() throws SQLException {
    try (Connection other = other("select from public.orders")) {
      assertRefused(
          () -> migrations.apply(Orders.plan(), Orders.IMPATIENT, SILENT),
          "step \"add column orders.id__new\" was tried in vain for 150ms",
          "public.orders is locked by process",
          "(the other)",
          "resume");
      other.rollback();
    }

    assertThat(migrations.resume(Orders.PACE, SILENT)).isEqualTo(new MigrationOutcome.Baking(1));
  }

  @Test
  void statementThatFailsOtherwiseIsNotTriedAgain() {
    List<Step> steps = new ArrayList<>(Orders.stepsToBake());
    steps.add(0, steps.get(0));

    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(
            () ->
                migrations.apply(
                    Orders.plan(steps),
                    Orders.PACE,
                    whileWaiting(new ArrayList<>(), step -> throwWaited())))
        .withMessageContaining("already exists");
  }

  private static void throwWaited() {
    throw new AssertionError("waited");
  }

  @Test
  void rowsThatOthersHaveLockedAreWaitedFor() throws SQLException {
    List<String> reasons = new ArrayList<>();
    MigrationListener waiting = whileWaiting(reasons, step -> {});
    List<Connection> others = new ArrayList<>();
    MigrationListener listener =
        new MigrationListener() {
          @Override
          public void started(Step step, StepPosition position) {
            if (step.title().equals("fill orders.id__new")) {
              heard(
                  ignored ->
                      others.add(other("select from public.orders where id = 50 for update")),
                  step);
            }
          }

          @Override
          public void waiting(Step step, String why, Duration howLong) {
            waiting.waiting(step, why, howLong);
            heard(ignored -> others.get(0).rollback(), step);
          }
        };

    migrations.apply(Orders.plan(), Orders.PACE, listener);
    others.get(0).close();

    assertThat(reasons)
        .singleElement()
        .asString()
        .startsWith("rows of public.orders are locked by process");
    assertThat(DATABASE.number("select count(*) from public.orders where id = id__old"))
        .isEqualTo(Orders.ROWS);
  }

  @Test
  void rowsThatAreWrongEndTheRunAndChangeNothing() throws SQLException {
    MigrationListener spoiling =
        atStart(
            Phase.BACKFILL,
            step -> {
              if (step.work() == Step.Work.VERIFY) {
                DATABASE.execute(
                    "alter table public.orders disable trigger sync_orders;"
                        + "update public.orders set id__new = 0 where id = 90");
              }
            });

    assertRefused(
        () -> migrations.apply(Orders.plan(), Orders.PACE, spoiling),
        "step \"verify orders.id__new\": 1 of",
        "rows of public.orders are not as they should be");
    assertThat(state()).isEqualTo(MigrationState.APPLYING);

    DATABASE.execute("update public.orders set id__new = id where id = 90");
    assertThat(migrations.resume(Orders.PACE, SILENT)).isEqualTo(new MigrationOutcome.Baking(1));
  }

  @Test
  void indexThatAnInterruptedRunLeftIsMadeAnew() throws SQLException {
    List<Connection> others = new ArrayList<>();
    MigrationListener writing =
        atStart(
            Phase.INDEX,
            step -> others.add(other("update public.orders set note = note where id = 1")));
    CompletableFuture<Void> run =
        CompletableFuture.runAsync(
            () -> {
              try {
                migrations.apply(Orders.plan(), Orders.PACE, writing);
              } catch (SQLException e) {
                throw new CompletionException(e);
              }
            },
            ThreadPerTask.EXECUTOR);
    await(() -> count("select count(*) from pg_index where not indisvalid") == 1);
    int runner = migrations.status().orElseThrow().runner().orElseThrow().pid();
    DATABASE.text("select pg_terminate_backend(%d)::text".formatted(runner));
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(() -> run.orTimeout(Patience.MAX.toSeconds(), TimeUnit.SECONDS).join())
        .withCauseInstanceOf(SQLException.class);
    others.get(0).close();
    assertThat(count("select count(*) from pg_index where not indisvalid")).isEqualTo(1);

    await(() -> count("select count(*) from pg_stat_activity where pid = " + runner) == 0);
    migrations.resume(Orders.PACE, SILENT);

    assertThat(count("select count(*) from pg_index where not indisvalid")).isZero();
    assertThat(count("select count(*) from pg_class where relname = 'orders__new'")).isEqualTo(1);
  }

  private static long count(String sql) {
    return DATABASE.number(sql);
  }

  @Test
  void indexThatCannotBeUniqueIsDroppedAndTheDuplicateNamed() throws SQLException {
    List<Step> steps = new ArrayList<>(Orders.stepsToBake());
    steps.removeIf(step -> step.work() == Step.Work.VERIFY);
    MigrationListener spoiling =
        atStart(
            Phase.INDEX,
            step ->
                DATABASE.execute(
                    "alter table public.orders disable trigger sync_orders;"
                        + "update public.orders set id__new = 7 where id = 8"));

    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> migrations.apply(Orders.plan(steps), Orders.PACE, spoiling))
        .withMessageContaining("Key (id__new)=(7) is duplicated");
    assertThat(count("select count(*) from pg_class where relname = 'orders__new'")).isZero();
    assertThat(state()).isEqualTo(MigrationState.APPLYING);
  }

  @Test
  void indexOfSomebodyElseIsNeitherTakenNorDropped() throws SQLException {
    DATABASE.execute("create index orders__new on public.orders (note)");

    assertRefused(
        () -> migrations.apply(Orders.plan(), Orders.PACE, SILENT),
        "there is an index public.orders__new already");
    migrations.rollback(Orders.PACE, SILENT);

    assertThat(count("select count(*) from pg_class where relname = 'orders__new'")).isEqualTo(1);
  }

  @Test
  void valuePastTheLimitEndsTheWayBack() throws SQLException {
    migrations.apply(Orders.plan(), Orders.PACE, SILENT);
    DATABASE.execute(PAST_THE_LIMIT);

    assertRefused(
        () -> migrations.rollback(Orders.PACE, SILENT),
        "the greatest value of public.orders.id is 2147483650, 3 past 2147483647");
    assertThat(state()).isEqualTo(MigrationState.BAKING);
    assertThat(migrations.status().orElseThrow().limits().get(0).left())
        .isEqualTo(OptionalLong.of(-3));
  }

  @Test
  void valueBelowTheLimitEndsTheWayBackToo() throws SQLException {
    migrations.apply(Orders.plan(), Orders.PACE, SILENT);
    DATABASE.execute(PAST_THE_LIMIT.replace("2147483650", "-2147483650"));

    assertRefused(
        () -> migrations.rollback(Orders.PACE, SILENT),
        "the least value of public.orders.id is -2147483650, 2 past -2147483648");
    assertThat(migrations.status().orElseThrow().limits().get(0).left())
        .isEqualTo(OptionalLong.of(-2));
  }

  @Test
  void valuePastTheLimitWhileTheWayBackBeginsTurnsItRound() throws SQLException {
    migrations.apply(Orders.plan(), Orders.PACE, SILENT);
    MigrationListener late = atStart(Phase.SWITCH, step -> DATABASE.execute(PAST_THE_LIMIT));

    assertRefused(
        () -> migrations.rollback(Orders.PACE, late),
        "the greatest value of public.orders.id is 2147483650",
        "it bakes again, and can only be contracted");

    assertThat(state()).isEqualTo(MigrationState.BAKING);
    assertThat(migrations.resume(Orders.PACE, SILENT)).isEqualTo(new MigrationOutcome.Baking(1));
    assertThat(count("select count(*) from public.orders where id = 2147483650")).isEqualTo(1);
  }

  @Test
  void statusTellsHowFarEachStepIs() throws SQLException {
    List<MigrationStatus> seen = new ArrayList<>();
    MigrationListener looking =
        new MigrationListener() {
          @Override
          public void progressed(Step step, long rows) {
            if (step.title().equals("fill orders.id__new") && seen.isEmpty()) {
              heard(ignored -> seen.add(migrations.status().orElseThrow()), step);
            }
          }
        };
    MigrationPlan plan = Orders.plan();

    migrations.apply(plan, Orders.PACE, looking);

    MigrationStatus status = seen.get(0);
    assertThat(status.state()).isEqualTo(MigrationState.APPLYING);
    assertThat(status.fingerprint()).isEqualTo(plan.fingerprint());
    assertThat(status.runner()).isPresent();
    assertThat(status.steps())
        .extracting(StepStatus::state)
        .startsWith(StepState.DONE, StepState.DONE, StepState.DOING, StepState.PENDING);
    assertThat(status.steps().get(2).rowsDone()).isEqualTo(60);
    assertThat(status.steps().get(2).rowsEstimated()).isEqualTo(Orders.ROWS);
    assertThat(status.limits())
        .containsExactly(
            new LimitStatus(
                "public.orders.id",
                OptionalLong.of(Orders.ROWS),
                Integer.MAX_VALUE,
                Optional.empty()));
    assertThat(status.limits().get(0).left())
        .isEqualTo(OptionalLong.of(Integer.MAX_VALUE - Orders.ROWS));
  }

  @Test
  void statusIsForRolesThatMayReadItAndNothingElse() throws SQLException {
    migrations.apply(Orders.plan(), Orders.PACE, SILENT);
    DATABASE.execute(
        """
        do $$ begin create role status_reader login; exception when duplicate_object then end $$;
        grant usage on schema mintmark to status_reader;
        grant select on all tables in schema mintmark to status_reader;
        """);

    MigrationStatus status =
        Migrations.over(DATABASE.dataSource("status_reader")).status().orElseThrow();

    assertThat(status.state()).isEqualTo(MigrationState.BAKING);
    assertThat(status.limits().get(0).unknown().orElseThrow()).contains("permission denied");
  }

  @Test
  void statusDoesNotWaitBehindALock() throws SQLException {
    migrations.apply(Orders.plan(), Orders.PACE, SILENT);

    try (Connection other = other("lock table public.orders in access exclusive mode")) {
      assertThat(migrations.status().orElseThrow().limits().get(0).unknown().orElseThrow())
          .contains("lock timeout");
      other.rollback();
    }
  }

  @Test
  void statusReportsWhyTheRunOfAnotherSessionWaits() throws SQLException {
    List<MigrationStatus> waiting = new ArrayList<>();
    try (Connection other = other("select txid_current()")) {
      migrations.apply(
          Orders.plan(),
          throttled(Duration.ofMillis(1), Long.MAX_VALUE),
          whileWaiting(
              new ArrayList<>(),
              step -> {
                MigrationStatus status = migrations.status().orElseThrow();
                if (status.waits().isPresent()) {
                  waiting.add(status);
                  other.rollback();
                }
              }));
    }

    MigrationStatus status = waiting.get(0);
    MigrationStatus.Wait wait = status.waits().orElseThrow();
    assertThat(wait.reason()).contains("(the other)").endsWith("expected 1ms at most");
    assertThat(status.steps().get(wait.step() - 1).work()).isEqualTo(Step.Work.BACKFILL);
    assertThat(wait.since()).isBefore(status.read());
    assertThat(migrations.status().orElseThrow().waits()).as("the run has ended").isEmpty();
    assertThat(DATABASE.number("select count(*) from mintmark.key_migration_wait")).isZero();
  }

  @Test
  void statusReportsNoWaitOfARunThatDied() throws SQLException {
    migrations.apply(Orders.plan(), Orders.PACE, SILENT);
    DATABASE.execute(
        "insert into mintmark.key_migration_wait values (1, 1, 'a standby', now(), now())");

    assertThat(migrations.status().orElseThrow().waits()).as("no run").isEmpty();

    DATABASE.execute("update mintmark.key_migration_wait set noted_at = now() - interval '1 h'");
    List<Boolean> waits = new ArrayList<>();
    migrations.rollback(
        Orders.PACE,
        atStart(
            Phase.SWITCH,
            step -> waits.add(migrations.status().orElseThrow().waits().isPresent())));
    assertThat(waits).as("of an earlier run").containsOnly(false);
  }

  @Test
  void createsTheTableOfWaitsThatAnEarlierVersionDidNotHave() throws SQLException {
    migrations.apply(Orders.plan(), Orders.PACE, SILENT);
    migrations.rollback(Orders.PACE, SILENT);
    DATABASE.execute("drop table mintmark.key_migration_wait");

    assertThat(migrations.status().orElseThrow().state()).isEqualTo(MigrationState.ROLLED_BACK);
    assertThat(migrations.apply(Orders.plan(), Orders.PACE, SILENT))
        .isEqualTo(new MigrationOutcome.Baking(2));
    assertThat(DATABASE.number("select count(*) from mintmark.key_migration_wait")).isZero();
  }

  @Test
  void listsAllMigrations() throws SQLException {
    assertThat(migrations.list()).isEmpty();
    migrations.apply(Orders.plan(), Orders.PACE, SILENT);
    migrations.rollback(Orders.PACE, SILENT);
    migrations.apply(Orders.plan(), Orders.PACE, SILENT);

    assertThat(migrations.list())
        .extracting(MigrationSummary::migration, MigrationSummary::state, MigrationSummary::tables)
        .containsExactly(
            tuple(2L, MigrationState.BAKING, List.of("public.orders")),
            tuple(1L, MigrationState.ROLLED_BACK, List.of("public.orders")));
    assertThat(migrations.list().get(0).stepsDone()).isEqualTo(Orders.stepsToBake().size());
    assertThat(migrations.status(1).orElseThrow().state()).isEqualTo(MigrationState.ROLLED_BACK);
    assertThat(migrations.status(3)).isEmpty();
  }

  @Test
  void rightsNameWhatARoleLacks() throws SQLException {
    migrations.apply(Orders.plan(), Orders.PACE, SILENT);
    DATABASE.execute(
        """
        do $$ begin create role rights_reader login; exception when duplicate_object then end $$;
        grant usage on schema mintmark to rights_reader;
        """);

    assertThat(migrations.rights(List.of("public.orders")).areSufficient()).isTrue();
    assertThat(
            Migrations.over(DATABASE.dataSource("rights_reader")).rights(List.of("public.orders")))
        .isEqualTo(
            new RunRights(
                "rights_reader",
                List.of("public.orders"),
                List.of(
                    "mintmark.key_migration",
                    "mintmark.key_migration_step",
                    "mintmark.key_migration_wait")));
  }

  @Test
  void batchesWaitForTransactionsThatAreTooOld() throws SQLException {
    List<String> reasons = new ArrayList<>();
    Pace pace = throttled(Duration.ofMillis(1), Long.MAX_VALUE);
    try (Connection other = other("select txid_current()")) {
      migrations.apply(Orders.plan(), pace, whileWaiting(reasons, step -> other.rollback()));
    }

    assertThat(reasons)
        .singleElement()
        .asString()
        .matches("the transaction of process \\d+ \\(the other\\) is .* old: expected 1ms at most");
  }

  @Test
  void batchesWaitWhileTooMuchIsLogged() throws SQLException {
    List<String> reasons = new ArrayList<>();
    List<Step> steps = new ArrayList<>(Orders.stepsToBake());
    steps.add(4, slow());

    migrations.apply(
        Orders.plan(steps),
        throttled(Duration.ofDays(1), 100_000),
        whileWaiting(reasons, step -> {}));

    assertThat(reasons)
        .isNotEmpty()
        .allSatisfy(why -> assertThat(why).contains("bytes of write-ahead log a second"));
  }

  /** Three batches, half a second one after the other, that write a megabyte each. */
  private static Step slow() {
    return new Step(
        Phase.BACKFILL,
        Step.Work.BACKFILL,
        "write much",
        "pg_catalog.pg_class",
        List.of(
            """
            with at as (select coalesce(?::text[], '{}') as cursor, ?::integer as size)
            select
              1 as seen,
              count(pg_logical_emit_message(true, '', repeat('x', 1000000))) as changed,
              case when cardinality(cursor) < 2 then cursor || pg_sleep(0.5)::text end as cursor
            from at
            group by cursor
            """),
        List.of(),
        List.of(),
        Estimate.NOTHING);
  }

  @Test
  @Tag("long")
  void batchesWaitForStandbysThatStandStill() throws Exception {
    List<String> reasons = new ArrayList<>();
    Pace pace =
        new Pace(
            Orders.PACE.lockTimeout(),
            Orders.PACE.lockPatience(),
            Orders.PACE.batch(),
            Orders.PACE.batchRowsMax(),
            Duration.ofMillis(400),
            Duration.ofDays(1),
            Long.MAX_VALUE);
    try (Standby standby = Standby.start();
        Connection replaying = standby.connect();
        Statement statement = replaying.createStatement()) {
      statement.execute("select pg_wal_replay_pause()");

      Migrations.over(standby.primary())
          .apply(
              new MigrationPlan(List.of(slow()), List.of(), List.of(), List.of()),
              pace,
              whileWaiting(reasons, step -> statement.execute("select pg_wal_replay_resume()")));
    }

    assertThat(reasons)
        .isNotEmpty()
        .allSatisfy(
            why -> assertThat(why).matches("a standby is .* behind: expected 400ms at most"));
  }

  private static Pace throttled(Duration transactionAgeMax, long walBytesPerSecondMax) {
    return new Pace(
        Orders.PACE.lockTimeout(),
        Orders.PACE.lockPatience(),
        Orders.PACE.batch(),
        Orders.PACE.batchRowsMax(),
        Orders.PACE.replicaLagMax(),
        transactionAgeMax,
        walBytesPerSecondMax);
  }

  @Test
  void roleThatCannotSeeOthersSaysSoOnce() throws SQLException {
    DATABASE.execute(
        """
        do $$ begin create role migrator login; exception when duplicate_object then end $$;
        grant create on schema public to migrator;
        alter table public.orders owner to migrator;
        create schema mintmark authorization migrator;
        """);
    DATABASE.execute("grant create on database %s to migrator".formatted(DATABASE.name()));
    List<String> reasons = new ArrayList<>();

    Migrations.over(DATABASE.dataSource("migrator"))
        .apply(Orders.plan(), Orders.PACE, whileWaiting(reasons, step -> {}));

    assertThat(reasons).singleElement().asString().contains("grant pg_read_all_stats");
  }

  @Test
  void triggersOfOthersFindWhatTheyFindElsewhere() throws SQLException {
    DATABASE.execute(
        """
        drop table if exists public.audit;
        create table public.audit (id bigint);
        create or replace function public.audit_orders() returns trigger language plpgsql as $$
        begin
          insert into audit values (new.id);
          return null;
        end
        $$;
        create trigger audit_orders after update on public.orders
          for each row execute function public.audit_orders();
        alter table public.orders enable always trigger audit_orders;
        """);

    migrations.apply(Orders.plan(), Orders.PACE, SILENT);
    DATABASE.execute("drop function public.audit_orders() cascade");

    assertThat(count("select count(*) from public.audit")).isEqualTo(Orders.ROWS);
  }

  @Test
  void sessionIsGivenBackAsItWas() throws SQLException {
    try (var pool = DATABASE.connectionPool(1)) {
      Migrations.over(pool).apply(Orders.plan(), Orders.PACE, SILENT);

      try (Connection connection = pool.getConnection();
          Statement statement = connection.createStatement();
          var row =
              statement.executeQuery(
                  "select current_setting('row_security'), (select count(*) from pg_locks"
                      + " where locktype = 'advisory' and pid = pg_backend_pid())")) {
        row.next();
        assertThat(row.getString(1)).isEqualTo("on");
        assertThat(row.getLong(2)).isZero();
      }
    }
  }
}
