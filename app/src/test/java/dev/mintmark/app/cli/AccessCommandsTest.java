package dev.mintmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.mintmark.app.access.KeyText;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.DatabaseAddress;
import dev.mintmark.app.database.OwnDatabases;
import dev.mintmark.app.database.TableSet;
import dev.mintmark.app.view.Json;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The commands for keys and for the audit, and what other commands leave in it. */
@Tag("slow")
class AccessCommandsTest {
  private static String database;

  @BeforeAll
  static void start() {
    database = OwnDatabases.create();
    Outcome early = run("pool", "create", "early", "--block", "10.9.0.0/29");
    assertThat(early.status).as("without the table of the audit").isZero();
    assertThat(run("key", "create", "--scope", "claim").err)
        .contains("there is no key yet", "mintmark key create --admin");
    assertThat(run("key", "create", "--admin", "--name", "operations").status).isZero();
  }

  private static Outcome run(String... arguments) {
    return runOn(database, arguments);
  }

  private static Outcome runOn(String some, String... arguments) {
    String[] command =
        Stream.concat(Stream.of(arguments), Stream.of("--database-url", some))
            .toArray(String[]::new);
    return Outcome.of(command);
  }

  private static JsonNode lastEntry() {
    return Json.MAPPER.readTree(run("audit", "--limit", "1", "--json").out).path("entries").path(0);
  }

  @Test
  void aKeyIsPrintedOnceListedAndRevoked() {
    Outcome created =
        run(
            "key",
            "create",
            "--scope",
            "claim:p",
            "--scope",
            "pools:read",
            "--owner",
            "acme",
            "--expires",
            "90d",
            "--name",
            "billing");
    KeyText key = KeyText.tryParse(created.out.strip()).orElseThrow();

    assertThat(created.err).contains("This is the only time that the key is shown.");
    assertThat(created.err).doesNotContain(key.text());
    String listed = run("key", "list").out;
    assertThat(listed)
        .contains(key.id() + " \"billing\" scopes=claim:p,pools:read owner=\"acme\" created=")
        .contains(" expires=")
        .doesNotContain(key.text());
    JsonNode entry = lastEntry();
    assertThat(entry.path("action").asString()).isEqualTo("key create");
    assertThat(entry.path("target").asString()).isEqualTo(key.id());
    assertThat(entry.path("actor").asString())
        .isEqualTo("command:" + System.getProperty("user.name"));
    assertThat(entry.path("outcome").asString()).isEqualTo("exit 0");
    Outcome revoked = run("key", "revoke", key.id(), "--json");
    assertThat(revoked.status).isZero();
    assertThat(Json.MAPPER.readTree(revoked.out).path("revoked_at").isNull()).isFalse();
    assertThat(lastEntry().path("action").asString()).isEqualTo("key revoke");
    assertThat(run("key", "revoke", "0000000000").status).isEqualTo(1);
  }

  @Test
  void jsonHasTheTextOfANewKey() {
    JsonNode created = Json.MAPPER.readTree(run("key", "create", "--admin", "--json").out);

    assertThat(KeyText.tryParse(created.path("text").asString())).isPresent();
    assertThat(created.at("/key/scopes/0").asString()).isEqualTo("admin");
    assertThat(created.at("/key/name").asString()).isEqualTo("unnamed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--admin --scope claim",
        "--scope clam",
        "--admin --owner acme",
        "--scope claim --expires yesterday",
        "--scope claim --expires 2001-01-01T00:00:00Z",
        "--scope claim --expires 0s",
      })
  void aMalformedKeyIsWrongUsage(String options) {
    String[] command =
        Stream.concat(
                Stream.of("key", "create"),
                Stream.of(options.split(" ")).filter(option -> !option.isEmpty()))
            .toArray(String[]::new);

    assertThat(run(command).status).isEqualTo(2);
  }

  @Test
  void commandsThatChangePoolsAreAudited() {
    assertThat(run("pool", "create", "p", "--block", "10.0.0.0/29").status).isZero();
    JsonNode created = lastEntry();
    assertThat(run("pool", "list", "p").status).isZero();
    assertThat(run("pool", "gate", "p").status).isZero();
    assertThat(run("pool", "change", "p", "--lease", "1h", "--plan").status).isZero();
    String adoption = "pool adopt p --table missing --value v --client c --dry-run";
    assertThat(run(adoption.split(" ")).err).contains("missing");
    assertThat(lastEntry()).as("reading is not audited").isEqualTo(created);
    assertThat(run("pool", "change", "p", "--lease", "1h", "--yes").status).isZero();
    assertThat(lastEntry().path("action").asString()).isEqualTo("pool change");
    assertThat(run("pool", "claim", "p", "--client", "c").status).isZero();
    JsonNode claimed = lastEntry();
    assertThat(run("pool", "release", "p", "10.0.0.6", "--token", "0").status).isEqualTo(1);
    JsonNode refused = lastEntry();

    assertThat(created.path("action").asString()).isEqualTo("pool create");
    assertThat(created.path("target").asString()).isEqualTo("p");
    assertThat(created.path("detail").asString()).contains("--block 10.0.0.0/29");
    assertThat(created.path("detail").asString())
        .as("the URL may contain a password")
        .doesNotContain("jdbc:");
    assertThat(claimed.path("action").asString()).isEqualTo("pool claim");
    assertThat(refused.path("action").asString()).isEqualTo("pool release");
    assertThat(refused.path("outcome").asString()).isEqualTo("exit 1");
  }

  @Test
  void tablesOfAnEarlierVersionAreUpgradedByTheFirstChange() throws SQLException {
    String old = OwnDatabases.create();
    try (Database tables = Database.connect(DatabaseAddress.parse(old))) {
      tables.migrate(TableSet.ACCESS, "1");

      Outcome created = runOn(old, "pool", "create", "p", "--block", "1..9");

      assertThat(created.status).as(created.err).isZero();
      assertThat(runOn(old, "audit").out).contains("pool create  p  exit 0");
      assertThat(runOn(old, "audit", "--request-id", "none").out).isEmpty();
    }
  }

  /** It would not see the keys. */
  @Test
  void aRoleThatCannotUpgradeTablesWithKeysServesNobody() {
    TestDatabase old = TestServer.NEWEST.createDatabase();
    String url = "jdbc:postgresql://localhost:%d/%s?user=".formatted(old.port(), old.name());
    String guest = "guest_" + old.name();
    try (Database tables = Database.connectAsItIs(DatabaseAddress.parse(url + "postgres"))) {
      tables.migrate(TableSet.POOLS);
      tables.migrate(TableSet.ACCESS, "1");
      old.execute(
          "create role %1$s login; grant usage on schema mintmark to %1$s;".formatted(guest)
              + " grant all on all tables in schema mintmark to %1$s;".formatted(guest)
              + " grant all on all sequences in schema mintmark to %1$s".formatted(guest));

      Outcome refused =
          assertTimeoutPreemptively(
              Patience.MAX,
              () -> Outcome.of("serve", "--port", "0", "--database-url", url + guest));

      assertThat(refused.status).isEqualTo(3);
      assertThat(refused.err).contains("our tables could not be created or upgraded");
    }
  }

  @Test
  void theAuditIsExportedAsCsv() {
    assertThat(run("key", "create", "--admin", "--name", "a,\"b\"").status).isZero();

    List<String> lines = run("audit", "--csv", "--action", "key create").out.lines().toList();

    assertThat(lines.get(0))
        .isEqualTo("id,at,actor,actor_name,source,action,target,detail,outcome,request_id");
    assertThat(lines.get(1)).contains("\"'--admin", "a,\"\"b\"\"").endsWith(",exit 0,");
    assertThat(run("audit", "--csv", "--json").status).isEqualTo(2);
  }

  @Test
  void theAuditIsPruned() throws SQLException {
    try (Connection connection = DriverManager.getConnection(database);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "insert into mintmark.access_audit"
              + " (at, actor, actor_name, source, action, target, detail)"
              + " values ('2001-01-01', 'a', '', '', 'old', '', '')");
    }
    assertThat(run("audit", "--until", "2002-01-01T00:00:00Z").out)
        .contains("old", "unknown outcome");

    Outcome pruned = run("audit", "--prune-before", "2002-01-01T00:00:00Z");

    assertThat(pruned.out).isEqualTo("1 entries deleted from before 2002-01-01T00:00:00Z\n");
    assertThat(run("audit", "--until", "2002-01-01T00:00:00Z").out).isEmpty();
    assertThat(lastEntry().path("action").asString()).isEqualTo("audit");
    assertThat(run("audit", "--prune-before", "2002-01-01T00:00:00Z", "--actor", "a").status)
        .isEqualTo(2);
  }

  @Test
  void aRoleThatMayNotWriteTheAuditChangesNothing() throws SQLException {
    try (Connection connection = DriverManager.getConnection(database);
        Statement statement = connection.createStatement()) {
      statement.execute("alter table mintmark.access_audit rename to hidden");
      statement.execute("create view mintmark.access_audit as select 1 as one");
      try {
        Outcome refused = run("pool", "create", "refused", "--block", "10.5.0.0/29");

        assertThat(refused.status).isEqualTo(3);
        assertThat(refused.err).startsWith("mintmark: keys and audit: ");
        assertThat(run("pool", "list").out).doesNotContain("refused");
      } finally {
        statement.execute("drop view mintmark.access_audit");
        statement.execute("alter table mintmark.hidden rename to access_audit");
      }
    }
  }

  @Test
  void anotherInterfaceIsRefusedWithoutTls() {
    Outcome refused = run("serve", "--listen", "192.0.2.1", "--port", "0");

    assertThat(refused.status).isEqualTo(2);
    assertThat(refused.err)
        .contains("keys would cross the network in plain text: give --tls-certificate");
    assertThat(run("serve", "--tls-key", "key.pem").status).isEqualTo(2);
    assertThat(run("serve", "--behind-proxy", "10.0.0.0").status).isEqualTo(2);
    assertThat(run("serve", "--listen", "not an address").status).isEqualTo(2);
  }
}
