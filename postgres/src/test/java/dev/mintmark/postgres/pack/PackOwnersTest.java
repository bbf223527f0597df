package dev.mintmark.postgres.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Other roles can neither replace nor overload what the pack runs. */
@Tag("long")
class PackOwnersTest {
  private static final Pack PACK = Pack.inSchema(Pack.SCHEMA);

  @OnServers({TestServer.V14, TestServer.V18})
  void aPlantedFunctionIsRefusedAndNotRun(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    String mallory = role(database, "mallory");
    database.execute("create schema ids; grant usage, create on schema ids to " + mallory);
    as(
        database,
        mallory,
        "create function ids.ulid_monotonic() returns uuid language sql as 'select null::uuid'");
    // The version is asked by calling a function, which must not be that of another role.
    as(
        database,
        mallory,
        "create function ids.pack_version() returns integer language plpgsql"
            + " as 'begin raise exception ''called''; end'");
    database.execute("revoke create on schema ids from " + mallory);
    Pack pack = Pack.inSchema("ids");

    assertThatExceptionOfType(PackException.class)
        .isThrownBy(() -> pack.install(database.dataSource()))
        .withMessageContaining(
            "function pack_version() belongs to %1$s, function ulid_monotonic() belongs to %1$s"
                .formatted(mallory));
    assertThatThrownBy(() -> database.execute(pack.sql()))
        .hasMessageContaining("function ulid_monotonic() belongs to " + mallory);

    assertThat(pack.verify(database.dataSource()))
        .contains(new Difference.OwnedByOther("function ulid_monotonic()", mallory));
    assertThat(
            database.number(
                "select count(*) from pg_proc where pronamespace = 'ids'::regnamespace"))
        .isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "alter function mintmark.ulid_uuid(text) owner to ROLE | function ulid_uuid(text)",
        "alter sequence mintmark.ulid_clock owner to ROLE      | sequence ulid_clock",
        "alter domain mintmark.ulid_as_text owner to ROLE      | domain ulid_as_text"
      })
  void anObjectOfAnotherRoleIsReportedAndRefused(String change, String object) throws SQLException {
    TestDatabase database = installed();
    String mallory = role(database, "mallory");
    database.execute(change.replace("ROLE", mallory));

    assertThat(PACK.verify(database.dataSource()))
        .containsExactly(new Difference.OwnedByOther(object, mallory));
    assertThat(PACK.verify(database.dataSource(mallory)))
        .containsExactly(new Difference.OwnedByOther(object, mallory));
    assertThatExceptionOfType(PackException.class)
        .isThrownBy(() -> PACK.install(database.dataSource()))
        .withMessageContaining(object + " belongs to " + mallory);
    assertThatThrownBy(() -> database.execute(PACK.sql()))
        .hasMessageContaining(object + " belongs to " + mallory);
  }

  @Test
  void aRoleThatMayCreateInTheSchemaIsReportedAndRefused() throws SQLException {
    TestDatabase database = installed();
    String mallory = role(database, "mallory");
    database.execute("grant all on schema mintmark to public, " + mallory);

    assertThat(PACK.verify(database.dataSource()))
        .containsExactlyInAnyOrder(
            new Difference.MayCreate("schema mintmark", "PUBLIC"),
            new Difference.MayCreate("schema mintmark", mallory));
    assertThatExceptionOfType(PackException.class)
        .isThrownBy(() -> PACK.install(database.dataSource()))
        .withMessageContaining("PUBLIC may create functions in it")
        .withMessageContaining("revoke create on the schema");
    assertThatThrownBy(() -> database.execute(PACK.sql()))
        .hasMessageContaining(
            "these roles may create functions in the schema mintmark: PUBLIC, " + mallory);
  }

  /** Every role may create in {@code public} by default until PostgreSQL 14. */
  @OnServers({TestServer.V14, TestServer.V18})
  void theSchemaPublicIsRefusedWhileEveryRoleMayCreateInIt(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    Pack pack = Pack.inSchema("public");
    database.execute("grant create on schema public to public");

    assertThatExceptionOfType(PackException.class)
        .isThrownBy(() -> pack.install(database.dataSource()))
        .withMessageContaining("PUBLIC may create functions in it");
    database.execute("revoke create on schema public from public");
    pack.install(database.dataSource());

    assertThat(pack.verify(database.dataSource())).isEmpty();
  }

  @Test
  void anOverloadIsReportedAndThatOfAnotherRoleRefused() throws SQLException {
    TestDatabase database = installed();
    String mallory = role(database, "mallory");
    database.execute(
        "create function mintmark.ulid_text(varchar) returns text language sql return $1");
    Difference own =
        new Difference.NotOfPack("function ulid_text(character varying)", "postgres", true);

    assertThat(PACK.verify(database.dataSource())).containsExactly(own);
    assertThat(PACK.install(database.dataSource()).remaining()).containsExactly(own);

    database.execute("alter function mintmark.ulid_text(varchar) owner to " + mallory);
    assertThatExceptionOfType(PackException.class)
        .isThrownBy(() -> PACK.install(database.dataSource()))
        .withMessageContaining("function ulid_text(character varying) belongs to " + mallory);
    assertThatThrownBy(() -> database.execute(PACK.sql()))
        .hasMessageContaining("function ulid_text(character varying) belongs to " + mallory);
  }

  /** As after a restore by another superuser, or an installation by a member of the owner. */
  @Test
  void theOwnerOfTheSchemaItsMembersAndSuperusersAreTrusted() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    String team = role(database, "team");
    String member = role(database, "member");
    String admin = role(database, "admin");
    database.execute(
        "grant %s to %s; alter role %s superuser; create schema mintmark authorization %1$s"
            .formatted(team, member, admin));

    PACK.install(database.dataSource(member));
    database.execute("alter function mintmark.ulid_text(uuid) owner to " + admin);
    database.execute("alter function mintmark.ulids(bigint) owner to " + team);

    assertThat(PACK.verify(database.dataSource())).isEmpty();
    assertThat(PACK.install(database.dataSource()).differences()).isEmpty();
  }

  @Test
  void theOwnerOfTheDatabaseInstallsIntoPublic() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    String owner = role(database, "owner");
    database.execute("alter database %s owner to %s".formatted(database.name(), owner));
    Pack pack = Pack.inSchema("public");

    pack.install(database.dataSource(owner));

    assertThat(pack.verify(database.dataSource(owner))).isEmpty();
    assertThat(pack.uninstall(database.dataSource(owner))).isInstanceOf(Removal.Removed.class);
  }

  @Test
  void aClockThatIsNotLoggedIsRepaired() throws SQLException {
    TestDatabase database = installed();
    database.execute("alter sequence mintmark.ulid_clock set unlogged");

    assertThat(PACK.verify(database.dataSource()))
        .singleElement()
        .isInstanceOfSatisfying(
            Difference.Changed.class, changed -> assertThat(changed.found()).contains("unlogged"));
    database.execute(PACK.sql());
    assertThat(PACK.verify(database.dataSource())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9223372036854775807",
        "(extract(epoch from now() + interval '25 hours') * 1000)::bigint << 18"
      })
  void aClockThatIsAheadIsReported(String tick) throws SQLException {
    TestDatabase database = installed();
    database.execute("select setval('mintmark.ulid_clock', %s)".formatted(tick));

    assertThat(PACK.verify(database.dataSource()))
        .singleElement()
        .isInstanceOf(Difference.ClockAhead.class);
    database.execute("select setval('mintmark.ulid_clock', 0)");
    assertThat(PACK.verify(database.dataSource())).isEmpty();
  }

  private static TestDatabase installed() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    PACK.install(database.dataSource());
    return database;
  }

  private static String role(TestDatabase database, String name) {
    String role = name + "_" + database.name();
    database.execute("create role " + role + " login");
    return role;
  }

  private static void as(TestDatabase database, String role, String sql) throws SQLException {
    try (Connection connection = database.dataSource(role).getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
