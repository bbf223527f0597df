package dev.mintmark.postgres.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.Standby;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Comparing without temporary objects, and repairing objects that cannot be replaced. */
@Tag("long")
class PackRepairTest {
  private static final Pack PACK = Pack.inSchema(Pack.SCHEMA);

  /**
   * The SHA-256 of the script of each version. If the script changes, its version changes, too: an
   * installed pack of the same version would not be upgraded, and an earlier script would replace
   * it.
   */
  private static final Map<Integer, String> SCRIPTS =
      Map.of(7, "c0bd4734b6be195abc6a4bbc9b031e4b0b2c78e84cbc91e88492a1b2d57d2f96");

  @Test
  void theScriptDoesNotChangeWithoutItsVersion() throws Exception {
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest(PACK.sql().getBytes(StandardCharsets.UTF_8));

    assertThat(SCRIPTS).containsEntry(Pack.VERSION, HexFormat.of().formatHex(digest));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "set default 'x'",
        "set not null",
        "drop constraint ulid_as_text_check",
        "add constraint more check (value <> 'a')",
        "drop constraint ulid_as_text_check; alter domain mintmark.ulid_as_text"
            + " add constraint ulid_as_text_check check (value <> 'a')",
        "drop constraint ulid_as_text_check; alter domain mintmark.ulid_as_text"
            + " add constraint ulid_as_text_check check (value ~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$') not valid"
      })
  void aChangedDomainIsAlteredInPlace(String change) throws SQLException {
    for (boolean byScript : List.of(true, false)) {
      TestDatabase database = installed();
      database.execute("create table t (id mintmark.ulid_as_text)");
      database.execute("alter domain mintmark.ulid_as_text " + change);
      assertThat(PACK.verify(database.dataSource()))
          .singleElement()
          .extracting(Difference::object)
          .isEqualTo("domain ulid_as_text");

      if (byScript) {
        database.execute(PACK.sql());
      } else {
        assertThat(PACK.install(database.dataSource()).remaining()).isEmpty();
      }

      assertThat(PACK.verify(database.dataSource())).isEmpty();
      assertThatThrownBy(() -> database.execute("select 'bad'::mintmark.ulid_as_text"))
          .hasMessageContaining("ulid_as_text_check");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "drop domain mintmark.ulid_as_text; create domain mintmark.ulid_as_text as varchar(26)",
        "alter domain mintmark.ulid_as_text drop constraint ulid_as_text_check;"
            + " create table t (id mintmark.ulid_as_text); insert into t values ('bad')"
      })
  void aDomainThatCannotBeAlteredDoesNotBlockTheFunctions(String change) throws SQLException {
    TestDatabase database = installed();
    database.execute(change);
    database.execute("alter function mintmark.ulid_clock_forward() reset all");

    Installation installation = PACK.install(database.dataSource());

    assertThat(installation.remaining())
        .singleElement()
        .extracting(Difference::object)
        .isEqualTo("domain ulid_as_text");
    assertThat(PACK.verify(database.dataSource())).isEqualTo(installation.remaining());
    if (change.contains("insert")) {
      assertThatThrownBy(() -> database.execute("insert into t values ('worse')"))
          .hasMessageContaining("ulid_as_text_check");
      database.execute("delete from t");
      assertThat(PACK.install(database.dataSource()).remaining()).isEmpty();
    }
  }

  @OnServers
  void aRoleThatOnlyReadsVerifies(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    String role = "reader_" + database.name();
    database.execute("create role %s login".formatted(role));
    DataSource reader = readOnly(database, role);
    assertThat(PACK.verify(reader))
        .isNotEmpty()
        .allMatch(difference -> difference instanceof Difference.Missing);

    PACK.install(database.dataSource());
    assertThat(PACK.verify(reader)).isEmpty();

    database.execute(
        "create or replace function mintmark.ulid() returns uuid language sql return gen_random_uuid()");
    database.execute("alter sequence mintmark.ulid_clock cache 20");
    database.execute("alter domain mintmark.ulid_as_text set default 'x'");
    database.execute("drop function mintmark.unprefixed(text, text)");
    assertThat(PACK.verify(reader).stream().map(Difference::object))
        .containsExactlyInAnyOrder(
            "function ulid()",
            "sequence ulid_clock",
            "domain ulid_as_text",
            "function unprefixed(text, text)");
  }

  @Test
  void withoutTempTheRecordIsCompared() throws SQLException {
    TestDatabase database = installed();
    String role = "reader_" + database.name();
    database.execute(
        "create role %s login; revoke temp on database %s from public"
            .formatted(role, database.name()));

    assertThat(PACK.verify(database.dataSource(role))).isEmpty();

    database.execute("comment on function mintmark.pack_version() is null");
    assertThatExceptionOfType(PackException.class)
        .isThrownBy(() -> PACK.verify(database.dataSource(role)))
        .withMessageContaining("verify on the primary with a role that has TEMP");
    assertThat(PACK.verify(database.dataSource())).isEmpty();
    PACK.install(database.dataSource());
    assertThat(PACK.verify(database.dataSource(role))).isEmpty();
  }

  @Test
  void aStandbyVerifies() throws Exception {
    try (Standby standby = Standby.start()) {
      PACK.install(standby.primary());
      standby.catchUp();

      assertThat(PACK.verify(standby.standby())).isEmpty();

      try (Connection connection = standby.connectToPrimary();
          Statement statement = connection.createStatement()) {
        statement.execute("alter function mintmark.ulid_clock_forward() security invoker");
      }
      standby.catchUp();
      assertThat(PACK.verify(standby.standby()).stream().map(Difference::object))
          .containsExactly("function ulid_clock_forward()");
    }
  }

  /** What follows the script in the same transaction runs with the caller's path again. */
  @Test
  void theScriptRestoresTheSearchPath() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("create schema app");
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("set local search_path = app, public");
      statement.execute(PACK.sql());
      statement.execute("create table mine ()");
      connection.commit();
    }
    assertThat(database.text("select to_regclass('app.mine')::text")).isEqualTo("app.mine");
  }

  @Test
  void theScriptRefusesAPathThatItCannotSet() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("create schema evil");
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("set search_path = evil, pg_catalog");
      assertThatThrownBy(
              () -> {
                // As psql without -1: a transaction for each statement.
                for (String part : PACK.sql().split("(?<=\\$path\\$;)", -1)) {
                  statement.execute(part);
                }
              })
          .hasMessageContaining("another schema comes before pg_catalog");
    }
    assertThat(database.number("select count(*) from pg_namespace where nspname = 'mintmark'"))
        .isZero();
  }

  private static TestDatabase installed() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    PACK.install(database.dataSource());
    return database;
  }

  private static DataSource readOnly(TestDatabase database, String role) throws SQLException {
    PGSimpleDataSource dataSource = database.newSessions(role);
    dataSource.setOptions("-c default_transaction_read_only=on");
    return dataSource;
  }
}
