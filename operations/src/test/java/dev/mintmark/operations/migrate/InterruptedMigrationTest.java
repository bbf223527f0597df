package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs whose session ends before each statement that they send, one after another. */
@Tag("matrix")
class InterruptedMigrationTest {
  /** At least: two transactions, each with a fence, another statement, and a commit. */
  private static final int STATEMENTS_OF_A_STEP = 6;

  private static TestDatabase database;
  private static HikariDataSource connections;
  private static CutConnections cutConnections;

  /**
   * Those that go on: in sessions that know the tables, so that there is time for every statement.
   */
  private static Migrations migrations;

  private static Migrations cut;
  private static String before;
  private static String baking;
  private static String contracted;

  @BeforeAll
  static void runUninterrupted() throws SQLException {
    database = TestServer.NEWEST.createDatabase();
    connections = database.connectionPool(2);
    migrations = Migrations.over(connections);
    cutConnections = new CutConnections(database.dataSource());
    cut = Migrations.over(cutConnections.dataSource());
    Orders.create(database);
    before = Orders.snapshot(connections);
    apply(migrations);
    baking = Orders.snapshot(connections);
    contract(migrations);
    contracted = Orders.snapshot(connections);
    assertThat(Set.of(before, baking, contracted)).hasSize(3);
  }

  @AfterAll
  static void close() throws SQLException {
    cutConnections.close();
    connections.close();
  }

  @BeforeEach
  void createTable() {
    Orders.create(database);
  }

  private interface Run {
    MigrationOutcome with(Migrations migrations) throws SQLException;
  }

  private static MigrationOutcome apply(Migrations migrations) throws SQLException {
    return migrations.apply(Orders.plan(), Orders.PACE, MigrationListener.SILENT);
  }

  private static MigrationOutcome rollback(Migrations migrations) throws SQLException {
    return migrations.rollback(Orders.PACE, MigrationListener.SILENT);
  }

  private static MigrationOutcome contract(Migrations migrations) throws SQLException {
    return migrations.contract(Orders.PACE, MigrationListener.SILENT);
  }

  /** Whether it sends more statements than that; those behind are not sent then. */
  private static boolean isCut(int statements, Run run) {
    cutConnections.cutAfter(statements);
    try {
      run.with(cut);
      return cutConnections.mend();
    } catch (SQLException e) {
      assertThat(cutConnections.mend()).as("is cut: %s", e).isTrue();
      return true;
    }
  }

  /** The same, and goes on as a person would: asks again where it had not begun. */
  private static boolean isCutAndGoesOn(int statements, Run run) throws SQLException {
    MigrationState state = state();
    boolean isCut = isCut(statements, run);
    MigrationState now = state();
    if (now == state) {
      run.with(migrations);
    } else if (!now.isEnd() && now != MigrationState.BAKING) {
      migrations.resume(Orders.PACE, MigrationListener.SILENT);
    }
    return isCut;
  }

  private static MigrationState state() throws SQLException {
    return migrations.status().map(MigrationStatus::state).orElse(MigrationState.ROLLED_BACK);
  }

  @Test
  void goesOnFromEveryStatementForwardsAndBackwards() throws SQLException {
    boolean isCut = true;
    int statements = 0;
    for (; isCut; statements++) {
      isCut = isCutAndGoesOn(statements, InterruptedMigrationTest::apply);
      assertThat(Orders.snapshot(connections))
          .as("applied, cut at %d", statements)
          .isEqualTo(baking);

      isCut |= isCutAndGoesOn(statements, InterruptedMigrationTest::rollback);
      assertThat(Orders.snapshot(connections))
          .as("undone, cut at %d", statements)
          .isEqualTo(before);
    }
    assertThat(statements).isGreaterThan(50);
  }

  @Test
  void goesOnFromEveryStatementOfTheContraction() throws SQLException {
    boolean isCut = true;
    for (int statements = 0; isCut; statements++) {
      Orders.create(database);
      apply(migrations);

      isCut = isCutAndGoesOn(statements, InterruptedMigrationTest::contract);

      assertThat(Orders.snapshot(connections)).as("cut at %d", statements).isEqualTo(contracted);
    }
  }

  @Test
  void isRolledBackFromEveryStep() throws SQLException {
    Set<Long> stepsDone = new HashSet<>();
    boolean isCut = true;
    for (int statements = 0; isCut; statements += STATEMENTS_OF_A_STEP / 2) {
      isCut = isCut(statements, InterruptedMigrationTest::apply);
      if (state() == MigrationState.ROLLED_BACK) {
        continue;
      }
      stepsDone.add(stepsDone());

      rollback(migrations);

      assertThat(Orders.snapshot(connections)).as("cut at %d", statements).isEqualTo(before);
    }
    assertThat(stepsDone).hasSize(Orders.stepsToBake().size() + 1);
  }

  private static long stepsDone() throws SQLException {
    return migrations.status().orElseThrow().steps().stream()
        .filter(step -> step.state() == StepState.DONE)
        .count();
  }
}
