package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.Ports;
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
import org.openqa.selenium.Keys;

/** "Find the row" of the inspector in a browser. */
@Tag("long")
class FindViewIT {
  @RegisterExtension static final ConsoleSession CONSOLE = new ConsoleSession();

  private static final String ULID = "01FZG96YPZK4SANAG1ZM5T2K9Z";

  private static RunningServer server;

  private final InspectorPage page = new InspectorPage(CONSOLE.driver());

  @BeforeAll
  static void serve() throws IOException, SQLException {
    Path catalog =
        Files.writeString(
            CONSOLE.directory().resolve("find.yaml"),
            """
            namespace: shop
            collections:
              payments: { kind: sequence, prefix: PM, table: payments, find: { columns: [id, note, paid] } }
              meats: { kind: uuidv7, table: meats, find: { columns: [cut] } }
              drafts: { kind: uuidv7, table: drafts, find: { columns: [id] } }
            """);
    server = start(catalog, Ports.free());
    try (Connection connection = DriverManager.getConnection(server.databaseUrl());
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          create table payments (id bigint primary key, note text, paid timestamptz);
          insert into payments values (123, repeat('word ', 400), null);
          create table meats (id uuid primary key, cut text);
          insert into meats values ('017fe093-7adf-9932-aaaa-01fd0ba14d3f', '<b>ribs</b>');
          create table drafts (id uuid);
          """);
    }
  }

  private static RunningServer start(Path catalog, int port) {
    return RunningServer.start(
        Mintmark.in(CONSOLE.directory()),
        "--port",
        Integer.toString(port),
        "--catalog",
        catalog.toString(),
        "--data",
        CONSOLE.directory().resolve("find-data").toString());
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void theRowIsShownByTheKeyboardAlone() {
    page.open(server.console(), "id=PM123");
    page.awaitOne("find-row");

    page.tabTo("find-row");
    page.press(Keys.ENTER);

    page.await("an answer", () -> page.rowStatus().startsWith("Found in payments."));
    assertThat(page.rowStatus()).isEqualTo("Found in payments. No row in meats, drafts.");
    assertThat(page.rowValues()).hasSize(3);
    assertThat(page.rowValues().get(0)).isEqualTo("id 123");
    assertThat(page.rowValues().get(1))
        .startsWith("note word")
        .contains("the first 1,000 characters");
    assertThat(page.rowValues().get(2)).isEqualTo("paid null");
    assertThat(page.barriersInBothSchemes()).isEmpty();
    page.emulatePhone();
    assertThat(page.contentWidth()).isLessThanOrEqualTo(page.windowWidth());
  }

  @Test
  void whatIsNotLookedAtIsNotCalledMissing() throws SQLException {
    page.open(server.console(), "id=" + ULID);
    page.awaitOne("find-row");
    try (Connection connection = DriverManager.getConnection(server.databaseUrl());
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("lock table meats in access exclusive mode");
      page.findRow();
      page.await("an answer", () -> page.rowStatus().contains("Not looked at"));
    }

    assertThat(page.rowStatus()).isEqualTo("No row in payments. Not looked at: meats, drafts.");
    assertThat(page.rowsNotLookedAt()).hasSize(2).contains("no_index");
    assertThat(page.rowsNotLookedAt().get(0)).isIn("locked", "timed_out");
    assertThat(page.barriers()).isEmpty();

    page.findRow();
    page.await("the row", () -> page.rowStatus().startsWith("Found in meats."));
    assertThat(page.rowValues()).containsExactly("cut <b>ribs</b>");
  }

  @Test
  void nothingFoundIsSaid() {
    page.open(server.console(), "id=PM124");
    page.awaitOne("find-row");

    page.findRow();

    page.await("an answer", () -> page.rowStatus().equals("No row in payments, meats, drafts."));
    assertThat(page.rowValues()).isEmpty();
  }

  @Test
  void aServerThatIsDownIsSaidAndAskedAgain() {
    page.open(server.console(), "id=PM123");
    page.awaitOne("find-row");
    int port = server.port();
    server.close();
    try {
      page.findRow();
      page.awaitOne("find-row-retry");
      assertThat(page.barriers()).isEmpty();
    } finally {
      server = start(CONSOLE.directory().resolve("find.yaml"), port);
    }

    page.tabTo("find-row-retry");
    page.press(Keys.ENTER);

    page.await("an answer", () -> page.rowStatus().startsWith("Found in payments."));
    assertThat(page.focusedTestId()).isEqualTo("find-row");
  }

  @Test
  void withoutADeclarationThereIsNoAction() {
    page.open(CONSOLE.console(), "id=PM123");
    page.awaitReadingsOf("PM123");
    page.await(
        "the list of collections",
        () -> page.loadedFrom().stream().anyMatch(one -> one.endsWith("/v1/rows/collections")));

    assertThat(CONSOLE.http().get("/v1/rows/collections").json()).isEmpty();
    assertThat(page.hasFindRow()).isFalse();
  }
}
