package dev.mintmark.app.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.embedded.StartupException;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user reads whose database cannot be opened. */
@Tag("database")
class DatabaseMessagesTest {
  private static final String URL = OwnDatabases.create();

  /** {@code 127.0.0.1:PORT} */
  private static String authority;

  @BeforeAll
  static void start() {
    authority = URI.create(URL.replaceFirst("jdbc:", "")).getAuthority();
  }

  @Test
  void aWrongPasswordIsToldByTheServer() {
    assertMessage(
        "postgresql://mintmark:wrong@" + authority + "/mintmark",
        "FATAL: password authentication failed for user \"mintmark\"");
  }

  @Test
  void aMissingPasswordIsToldWithWhereItComesFrom() {
    assertMessage(
        "postgresql://mintmark@" + authority + "/mintmark",
        "the server requires a password: set PGPASSWORD, or add a line to ~/.pgpass");
  }

  @Test
  void aHostThatDoesNotExistIsNamed() {
    assertThatThrownBy(() -> open("postgresql://mintmark@nowhere.invalid/mintmark"))
        .isInstanceOf(StartupException.class)
        .hasMessage(
            "database jdbc:postgresql://nowhere.invalid/mintmark: unknown host \"nowhere.invalid\"");
  }

  @Test
  void aDatabaseThatDoesNotExistIsNamed() {
    String login = URL.replaceFirst(".*[?]user=(.*)&password=(.*)", "$1:$2");
    assertThatThrownBy(() -> open("postgresql://" + login + "@" + authority + "/nowhere"))
        .isInstanceOf(StartupException.class)
        .hasMessageEndingWith("/nowhere: FATAL: database \"nowhere\" does not exist");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"select", "create schema mintmark; grant usage on schema mintmark to public"})
  void aRoleThatMayNotCreateTablesIsToldSo(String before) {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        "do $$ begin create role creates_nothing login; exception when duplicate_object then end $$");
    database.execute(before);

    assertThatThrownBy(() -> Database.connect(address(database, "creates_nothing")))
        .isInstanceOf(StartupException.class)
        .hasMessageEndingWith(
            "our tables could not be created: the role lacks the right. Run this as the owner of the database,"
                + " or grant the role create on the database or, if it exists, on the schema mintmark");
  }

  @Test
  void aRightToTheSchemaAloneSuffices() {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        "do $$ begin create role in_schema login; exception when duplicate_object then end $$");
    database.execute("create schema mintmark; grant all on schema mintmark to in_schema");

    Database.connect(address(database, "in_schema")).close();
  }

  @Test
  @Tag("long")
  void whatRefusesTablesIsTold() {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("create schema mintmark");
    database.execute(
        "create function no_tables() returns event_trigger language plpgsql"
            + " as 'begin raise ''no tables, please''; end'");
    database.execute(
        "create event trigger no_tables on ddl_command_start execute function no_tables()");

    assertThatThrownBy(() -> Database.connect(address(database, "postgres")))
        .isInstanceOf(StartupException.class)
        .hasMessageEndingWith(
            "our tables could not be created or upgraded: ERROR: no tables, please");
  }

  @Test
  @Tag("slow")
  void aServerThatRefusesFurtherConnectionsSaysWhy() throws SQLException {
    TestDatabase limited = TestServer.NEWEST.createDatabase();
    limited.execute(
        "do $$ begin create role limited login connection limit 1; exception when duplicate_object then end $$");

    try (Database database = Database.connectAsItIs(address(limited, "limited"));
        HikariDataSource pool = database.connectionPool("few", 2);
        Connection only = pool.getConnection()) {
      assertThat(only.isValid(0)).isTrue();
      assertThatThrownBy(pool::getConnection)
          .hasMessageStartingWith("few - Connection is not available")
          .hasMessageEndingWith(": FATAL: too many connections for role \"limited\"");
    }
  }

  private static DatabaseAddress address(TestDatabase database, String role) {
    return DatabaseAddress.parse(
        "postgresql://%s@127.0.0.1:%d/%s".formatted(role, database.port(), database.name()));
  }

  private static void assertMessage(String url, String reason) {
    assertThatThrownBy(() -> open(url))
        .isInstanceOf(StartupException.class)
        .hasMessage("database jdbc:postgresql://" + authority + "/mintmark: " + reason);
  }

  private static void open(String url) {
    try (Database database = Database.connectAsItIs(DatabaseAddress.parse(url))) {
      var unused = database.connectionPool("test", 1);
    }
  }
}
