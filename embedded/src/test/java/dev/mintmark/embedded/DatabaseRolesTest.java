package dev.mintmark.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rights of those who have the URL, and of the PostgreSQL process. */
@Timeout(1_200)
@Tag("long")
final class DatabaseRolesTest {
  private static final String OLD_PASSWORD = "printed-by-an-old-version";

  private final Path directory;

  DatabaseRolesTest(@TempDir Path parent) {
    this.directory = parent.resolve("data of ours");
  }

  @Test
  void theUrlIsThatOfARoleThatOwnsNothingButTheDatabase() throws SQLException {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      String url = database.jdbcUrl();

      assertThat(url).contains("/mintmark?user=mintmark&password=");
      assertOwnsNothingButTheDatabase(url);
      assertThat(query(database.superuserUrl(), "show is_superuser")).isEqualTo("on");
      assertThat(url).doesNotContain(password(database.superuserUrl()));
      assertSeesActivityAndMayBackfillQuietly(database);
    }
  }

  @Test
  void aLoginTakesOneIterationAndThatOfARoleOfTheUserAsManyAsEver() throws SQLException {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      String superuser = database.superuserUrl();
      execute(superuser, "create role reader login password 'chosen'");

      assertThat(query(superuser, iterations("mintmark"))).isEqualTo("1");
      assertThat(query(superuser, iterations("reader"))).isEqualTo("4096");
    }
  }

  private static String iterations(String role) {
    return "select substring(rolpassword from '\\$(\\d+):') from pg_authid where rolname = '%s'"
        .formatted(role);
  }

  @Test
  void noFileOfRootCanBeReadOrWrittenThroughTheDatabase() throws Exception {
    assumeTrue(ProcessUser.isRoot(), "PostgreSQL runs as the user who runs this test");
    Path secret = directory.resolveSibling("secret");
    Files.createFile(secret, PosixFilePermissions.asFileAttribute(fromString("rw-------")));
    Files.writeString(secret, "of root");
    Path written = directory.resolveSibling("authorized_keys");
    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      String superuser = database.superuserUrl();

      assertThatThrownBy(() -> query(superuser, "select pg_read_file('/etc/shadow')"))
          .hasMessageContaining("Permission denied");
      assertThatThrownBy(() -> query(superuser, "select pg_read_file('%s')".formatted(secret)))
          .hasMessageContaining("Permission denied");
      assertThatThrownBy(
              () -> execute(superuser, "copy (select 'owned') to '%s'".formatted(written)))
          .hasMessageContaining("Permission denied");
      assertThatThrownBy(() -> execute(superuser, "copy (select 1) to program 'cat /etc/shadow'"))
          .hasMessageContaining("failed");
      execute(superuser, "create table who (line text); copy who from program 'id -u; env'");
      assertThat(query(superuser, "select string_agg(line, ' ') from who"))
          .startsWith("65534 ")
          .doesNotContain("HOME=", "USER=");
      assertThat(database.warning()).isEmpty();
      assertThat(Files.getOwner(directory.resolve("postgresql-18")).getName()).isEqualTo("nobody");
      for (String ours : List.of("password", "superuser-password", "postgresql.log", "")) {
        assertThat(Files.getOwner(directory.resolve(ours)).getName()).as(ours).isEqualTo("root");
      }
      long postmaster =
          Long.parseLong(
              Files.readAllLines(directory.resolve("postgresql-18/postmaster.pid")).get(0));
      assertThat(Files.readString(Path.of("/proc/%d/status".formatted(postmaster))))
          .containsPattern("Uid:\\s65534\\s65534\\s65534\\s65534")
          .containsPattern("NoNewPrivs:\\s1");
    }
  }

  /** Where an earlier upgrade was interrupted: before or after its transaction. */
  @ParameterizedTest
  @ValueSource(strings = {"begun", "committed"})
  void aDirectoryOfAnEarlierVersionIsUpgraded(String interrupted) throws Exception {
    setUpAsBefore();
    if (interrupted.equals("begun")) {
      Files.writeString(directory.resolve("superuser-password.unfinished"), "cut");
      Files.writeString(directory.resolve("superuser-password.next"), "next\n");
    } else if (interrupted.equals("committed")) {
      EmbeddedDatabase.start(directory).close();
      Files.move(
          directory.resolve("superuser-password"), directory.resolve("superuser-password.next"));
    }

    try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
      String url = database.jdbcUrl();
      assertThat(url).endsWith("user=mintmark&password=" + OLD_PASSWORD);
      assertThat(query(database.superuserUrl(), "show is_superuser")).isEqualTo("on");
      assertThat(password(database.superuserUrl())).isNotEqualTo(OLD_PASSWORD);
      assertOwnsNothingButTheDatabase(url);
      execute(
          url,
          """
          insert into mintmark.meats (name) values ('beef');
          alter table mintmark.meats add column grams int;
          create or replace view mintmark.names as select name from mintmark.meats;
          alter function mintmark.twice(mintmark.positive) stable;
          alter type mintmark.cut add value 'fillet';
          alter domain mintmark.positive set default 1;
          alter sequence mintmark.numbers restart;
          drop materialized view mintmark.counts;
          alter schema mintmark rename to ours
          """);
      assertThat(query(url, "select count(*) from ours.meats")).isEqualTo("2");
      assertThat(query(url, "select count(*) from pg_roles where rolname ~ '^mintmark'"))
          .isEqualTo("2");
      assertThat(directory.resolve("superuser-password.next")).doesNotExist();
    }
    assertThat(Files.readString(directory.resolve("postgresql.log")))
        .doesNotContain(
            OLD_PASSWORD, Files.readString(directory.resolve("superuser-password")).strip());
  }

  /** Sets the directory up as versions did that let every client be the superuser. */
  private void setUpAsBefore() throws Exception {
    DataDirectory data = DataDirectory.prepare(directory);
    data.createLog();
    Files.createFile(
        data.passwordFile(), PosixFilePermissions.asFileAttribute(fromString("rw-------")));
    Files.writeString(data.passwordFile(), OLD_PASSWORD + "\n");
    PostgresCluster cluster = new PostgresCluster(data.cluster(), data.log());
    ServerUser user = ServerUser.of(PostgresBinaries.unpacked(), data.cluster());
    cluster.initialise(user, "mintmark", data.passwordFile(), List.of());
    int port =
        cluster.start(
            user, Map.of("listen_addresses", "127.0.0.1", "unix_socket_directories", "/tmp"));
    execute(
        DatabaseRoles.url(port, "postgres", "mintmark", OLD_PASSWORD), "create database mintmark");
    execute(
        DatabaseRoles.url(port, "mintmark", "mintmark", OLD_PASSWORD),
        """
        create schema mintmark;
        create domain mintmark.positive as int check (value > 0);
        create type mintmark.cut as enum ('steak');
        create table mintmark.meats (id bigserial primary key, name text unique);
        insert into mintmark.meats (name) values ('ham');
        create view mintmark.names as select name from mintmark.meats;
        create materialized view mintmark.counts as select count(*) from mintmark.meats;
        create sequence mintmark.numbers;
        create function mintmark.twice(n mintmark.positive) returns int
        language sql immutable return n * 2
        """);
    cluster.stop();
    if (ProcessUser.isRoot()) {
      assertThat(new ProcessBuilder("chown", "-R", "0:0", directory.toString()).start().waitFor())
          .isZero();
    }
  }

  private static void assertSeesActivityAndMayBackfillQuietly(EmbeddedDatabase database)
      throws SQLException {
    try (Connection other = DriverManager.getConnection(database.superuserUrl());
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("select 1");
      String url = database.jdbcUrl();
      assertThat(
              query(
                  url,
                  "select count(xact_start) from pg_stat_activity where usename ="
                      + " 'mintmark_superuser'"))
          .isEqualTo("1");
      assertThat(query(url, "select set_config('session_replication_role', 'replica', true)"))
          .isEqualTo("replica");
    }
  }

  private static void assertOwnsNothingButTheDatabase(String url) throws SQLException {
    assertThat(query(url, "show is_superuser")).isEqualTo("off");
    assertThat(
            query(
                url,
                "select string_agg(datname, ' ') from pg_database where pg_has_role(datdba, 'usage')"))
        .isEqualTo("mintmark");
    for (String refused :
        List.of(
            "select pg_read_file('/etc/passwd')",
            "create table if not exists t (line text); copy t from program 'id'",
            "copy (select 'owned') to '/tmp/owned-by-mintmark'",
            "create role another superuser",
            "create database another",
            "alter role mintmark superuser",
            "set role mintmark_superuser",
            "select * from pg_authid")) {
      assertThatThrownBy(() -> execute(url, refused))
          .as(refused)
          .hasMessageContaining("permission denied");
    }
    execute(url, "create schema theirs; drop schema theirs");
  }

  private static String password(String url) {
    return url.substring(url.indexOf("&password=") + "&password=".length());
  }

  private static java.util.Set<java.nio.file.attribute.PosixFilePermission> fromString(
      String permissions) {
    return PosixFilePermissions.fromString(permissions);
  }

  private static void execute(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return String.valueOf(rows.getString(1));
    }
  }
}
