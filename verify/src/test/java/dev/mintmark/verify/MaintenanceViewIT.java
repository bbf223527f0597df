package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.Ports;
import dev.mintmark.verify.Mintmark.Outcome;
import dev.mintmark.verify.Mintmark.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The doctor and a migration in a browser, on a server with a catalog. */
@Tag("long")
class MaintenanceViewIT {
  @RegisterExtension static final ConsoleSession CONSOLE = new ConsoleSession();

  /** A key that is near its end, with a rate, and what else the doctor finds. */
  private static final String SHOP =
      """
      create table orders (id integer primary key, created_at timestamptz not null, note text);
      insert into orders
        select 1999000000 + i * 1000, now() - (1000 - i) * interval '1 hour', 'note ' || i
        from generate_series(1, 1000) i;
      create table lines (id bigint primary key, order_id integer references orders);
      create sequence behind owned by lines.id;
      alter table lines alter id set default nextval('behind');
      insert into lines (id, order_id) values (7, 1999001000);
      analyze;
      """;

  private static Path directory;
  private static RunningServer server;

  private final MaintenancePage page = new MaintenancePage(CONSOLE.driver());

  @BeforeAll
  static void serve(@TempDir Path temporary) throws IOException, SQLException {
    directory = temporary;
    Files.writeString(
        directory.resolve("mintmark.yaml"),
        """
        namespace: shop
        collections:
          orders: { kind: sequence, table: orders }
        """);
    server = start(Ports.free());
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(SHOP);
    }
  }

  private static RunningServer start(int port) {
    return RunningServer.start(
        Mintmark.in(directory),
        "--port",
        Integer.toString(port),
        "--data",
        directory.resolve("data").toString());
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void theDoctorShowsFindingsTheDayThatAKeyRunsOutAndWhatWasNotLookedAt() throws SQLException {
    page.open(server.console(), "view=doctor");
    page.awaitText("doctor-message", "was not examined");
    assertThat(page.barriers()).isEmpty();

    page.click("doctor-run");
    page.awaitOne("finding");

    assertThat(page.severities()).startsWith("critical").contains("warning");
    assertThat(page.textOf("runs-out")).matches("Runs out 20\\d\\d-\\d\\d-\\d\\d in \\d+ \\w+");
    assertThat(page.textsOf("finding-sql"))
        .anyMatch(sql -> sql.startsWith("select setval(") && sql.endsWith(";"));
    assertThat(page.textOf("doctor-as-of")).contains("mintmark.yaml");
    barriersInEveryLook();

    page.click("severity-warning");
    page.click("severity-notice");
    assertThat(page.severities()).containsOnly("critical");
    assertThat(page.fragment()).contains("severity=critical");
    page.fill("doctor-table", "key-runs");
    assertThat(page.textsOf("finding")).singleElement().asString().contains("public.orders.id");
    page.fill("doctor-table", "no such table");
    assertThat(page.severities()).isEmpty();
    page.open(server.console(), "view=doctor&severity=critical&table=orders");
    page.awaitOne("finding");
    assertThat(page.severities()).containsOnly("critical");

    try (Connection other = locking("lines", "access exclusive")) {
      page.click("doctor-run");
      page.awaitOne("unseen");
      assertThat(page.textsOf("unseen")).anyMatch(text -> text.contains("public.lines"));
      barriersInEveryLook();
      other.rollback();
    }
    assertThat(page.logs()).isEmpty();
  }

  @Test
  void aPlanIsATimelineWithLocksEstimatesAndTheCommand() {
    page.open(server.console(), "view=migrations");
    page.click("plan-run");
    page.awaitOne("plan-total");

    assertThat(page.textsOf("plan-phase")).hasSizeGreaterThan(4);
    assertThat(page.textsOf("plan-step"))
        .anyMatch(
            step ->
                step.contains("public.orders: ACCESS EXCLUSIVE, briefly; blocks reads and writes"));
    assertThat(page.textOf("no-return"))
        .contains("until you contract or until public.orders.id exceeds 2,147,483,647");
    assertThat(page.textOf("apply-command")).matches("mintmark migrate apply --plan [0-9a-f]{16}");
    page.openSql();
    assertThat(page.textOf("step-sql")).endsWith(";");
    barriersInEveryLook();
    assertThat(page.logs()).isEmpty();
  }

  @Test
  void aRunIsFollowedPausedResumedAndRolledBack() throws SQLException {
    page.open(server.console(), "view=migrations");
    page.awaitOne("plan-run");
    Running apply;
    try (Connection other = locking("orders", "access share")) {
      apply =
          Mintmark.in(directory)
              .start("migrate", "apply", "--data", directory.resolve("data").toString());
      page.awaitText("migration-waits", "locked by process");
      assertThat(page.textOf("migration-runner")).contains("works on it");
      assertThat(page.currentPhase()).isEqualTo("expand");
      barriersInEveryLook();

      page.click("migration-pause");
      Outcome paused = apply.await();
      assertThat(paused.status()).isEqualTo(1);
      page.awaitText("migration-runner", "It is paused");
      other.rollback();
    }

    page.click("migration-resume");
    page.awaitText("migration-runner", "Old and new columns are both kept");
    assertThat(page.currentPhase()).isEqualTo("bake");
    assertThat(page.textOf("migration-limit")).contains("exceeds 2,147,483,647");

    page.click("migration-contract");
    page.fill("confirm-table", "lines");
    page.click("confirm-run");
    page.awaitText("confirm-said", "Type public.orders: nothing was done.");
    assertThat(page.barriers()).as("the dialog").isEmpty();
    page.click("confirm-cancel");
    assertThat(page.isDialogOpen()).isFalse();
    assertThat(page.focusedTestId()).isEqualTo("migration-contract");

    page.click("migration-rollback");
    page.type("orders\n");
    page.awaitText("migration-row", "rolled-back");
    assertThat(page.isDialogOpen()).isFalse();
    page.open(server.console(), "view=migrations&migration=1");
    page.awaitMigration("Migration 1: rolled-back");
    barriersInEveryLook();
    page.open(server.console(), "view=migrations&migration=99");
    page.awaitText("migrations-message", "this database has no migration \"99\"");
  }

  @Test
  void aServerThatIsDownIsReportedInBothViews() {
    int port = server.port();
    page.open(server.console(), "view=doctor");
    page.awaitOne("doctor-run");
    server.close();
    page.awaitOne("connection-lost");
    assertThat(page.areChangesAllowed()).isFalse();
    assertThat(page.barriers()).isEmpty();

    page.followView("migrations");
    page.await("the view", () -> page.shownView().contains("migrations"));
    assertThat(page.saysThatTheConnectionIsLost()).isTrue();

    server = start(port);
    page.await("the server", () -> !page.saysThatTheConnectionIsLost());
    page.awaitOne("plan-run");
  }

  private void barriersInEveryLook() {
    assertThat(page.barriersInBothSchemes()).isEmpty();
    page.emulatePhone();
    assertThat(page.barriers()).as("on a phone").isEmpty();
    assertThat(page.contentWidth()).as("on a phone").isLessThanOrEqualTo(page.windowWidth());
    page.endEmulation();
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection(server.databaseUrl());
  }

  /** A transaction that keeps others from a table. */
  private static Connection locking(String table, String mode) throws SQLException {
    Connection connection = connect();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("lock table %s in %s mode".formatted(table, mode));
    }
    return connection;
  }
}
