package dev.mintmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.database.OwnDatabases;
import dev.mintmark.app.view.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** What the commands about pools print for people, for scripts and as JSON. */
@Tag("slow")
class PoolListsTest {
  private static final String COLUMNS = "mintmark.stdout-columns";

  private static String database;

  private record Outcome(int status, String out, String err) {
    List<String> lines() {
      return out.lines().toList();
    }

    JsonNode json() {
      return Json.MAPPER.readTree(out);
    }
  }

  @BeforeAll
  static void claimValues() {
    database = OwnDatabases.create();
    run("create", "proxies", "--block", "10.0.0.0/29", "--lease", "1h");
    run("claim", "proxies", "--client", "vm-1", "--owner", "acme", "--value", "10.0.0.1");
    run("claim", "proxies", "--client", "vm-2", "--value", "10.0.0.2");
  }

  @AfterEach
  void leaveTheTerminal() {
    System.clearProperty(COLUMNS);
  }

  @Test
  void listsHaveHeadingsOnATerminal() {
    System.setProperty(COLUMNS, "200");

    assertThat(run("list").lines().get(0)).startsWith("pool     blocks       capacity  free");
    assertThat(run("stats").lines())
        .anyMatch(line -> line.matches("proxies +10.0.0.0/29 +6 +4 +2 +0"));
    assertThat(run("list", "proxies").lines().get(0))
        .matches("value +client  owner +since +until +token");
    assertThat(run("stats", "proxies").lines().get(2)).startsWith("block        use");
    assertThat(run("history", "proxies").lines().get(0)).contains("from").endsWith("ending  token");
    assertThat(run("free", "proxies").lines()).startsWith("value", "10.0.0.3");
  }

  @Test
  void scriptsReadOneEntryALine() {
    assertThat(run("list").lines())
        .containsExactly("proxies  10.0.0.0/29  capacity=6 free=4 held=2 quarantined=0");
    assertThat(run("list", "proxies").lines())
        .hasSize(2)
        .allMatch(
            line -> line.matches("10\\.0\\.0\\.[12]  vm-[12]  .*since .* until .* token \\d+"));
    assertThat(run("free", "proxies").lines()).startsWith("10.0.0.3");
  }

  @Test
  void commandsThatChangeAPoolPrintJson() {
    assertThat(run("create", "q", "--block", "10.1.0.0/31", "--json").json().get("free").asInt())
        .isEqualTo(2);
    assertThat(run("add", "q", "--block", "10.2.0.0/31", "--json").json().get("free").asInt())
        .isEqualTo(4);
    JsonNode claim = run("claim", "q", "--client", "a", "--value", "10.1.0.0", "--json").json();
    JsonNode released =
        run("release", "q", "10.1.0.0", "--token", claim.get("token").asString(), "--json").json();
    assertThat(released.get("value").asString()).isEqualTo("10.1.0.0");
    assertThat(released.get("free_at").asString()).isNotEmpty();
    JsonNode quarantined = run("quarantine", "q", "10.1.0.1", "--for", "1d", "--json").json();
    assertThat(quarantined.get("quarantined").get(0).get("value").asString()).isEqualTo("10.1.0.1");
    JsonNode drained = run("drain", "q", "10.2.0.0/31", "--json").json();
    assertThat(drained.get("draining").asInt()).isEqualTo(2);
    assertThat(run("remove", "q", "10.2.0.0/31", "--json").json().get("blocks")).hasSize(1);
    assertThat(
            run("quarantine", "q", "--all", "--for", "1d", "--json").json().get("name").asString())
        .isEqualTo("q");
    assertThat(run("delete", "q", "--yes", "--json").json().get("capacity").asInt()).isEqualTo(2);
    assertThat(run("stats", "q").err).contains("no pool \"q\"");
  }

  @Test
  void settingsAreChangedAfterAPlan() {
    run("create", "s", "--block", "1..9", "--thresholds", "60,70");

    Outcome plan = run("change", "s", "--lease", "2h", "--thresholds", "none", "--plan");
    assertThat(plan.lines())
        .hasSize(3)
        .anyMatch(line -> line.startsWith("lease  none -> 2h  Claims that are held keep their end"))
        .anyMatch(line -> line.startsWith("after_failover  stop -> quarantine"))
        .anyMatch(line -> line.startsWith("thresholds  [60, 70] -> []"));
    assertThat(run("stats", "s").out).contains("lease none", "thresholds 60% 70%");
    assertThat(run("change", "s", "--lease", "2h", "--thresholds", "none").out).isEqualTo(plan.out);
    assertThat(run("stats", "s").out).contains("lease 2h", "thresholds none");
    assertThat(run("change", "s", "--lease", "2h").out)
        .isEqualTo("nothing changes: the pool has these settings\n");
    JsonNode json = run("change", "s", "--per-owner", "5", "--json").json();
    assertThat(json.at("/changes/0/setting").asString()).isEqualTo("per_owner");
    assertThat(run("change", "s", "--per-owner", "none").status).isZero();

    assertThat(run("change", "s").err).contains("no setting is given");
    assertThat(run("change", "s", "--per-owner", "many").err)
        .contains("--per-owner: expected a whole number or none, found \"many\"");
    assertThat(run("change", "s", "--thresholds", "90,80").err).contains("do not ascend");
    assertThat(run("change", "nowhere", "--lease", "2h").err).contains("no pool \"nowhere\"");
  }

  @Test
  void usageIsShownAsLinesAndAsJson() {
    // A sweep records it.
    run("stats");

    assertThat(run("usage", "proxies", "--since", "10m").lines())
        .isNotEmpty()
        .allMatch(
            line ->
                line.matches(
                    "\\S+Z  \\[#{7}\\.{13}\\]  34%  capacity=6 free=4 held=2 quarantined=0"));
    JsonNode usage = run("usage", "proxies", "--json").json();
    assertThat(usage.at("/samples/0/used_percent").asString()).isEqualTo("33.3");
    assertThat(run("usage", "proxies", "--since", "soon").err).contains("--since");
    assertThat(run("usage", "proxies", "--since", "500d").err).contains("at most 400d later");
    assertThat(run("usage", "proxies", "--samples", "0").err).contains("expected 1 to 1000");
  }

  @Test
  void theDatabaseIsDescribedIfThatIsAskedFor() {
    assertThat(run("list", "-v").err)
        .matches(
            "database jdbc:postgresql://127\\.0\\.0\\.1:\\d+/own\\d+: role mintmark, PostgreSQL 1\\d\\.\\S+, primary\\R");
    assertThat(run("list").err).isEmpty();
  }

  @Test
  void aHeldValueIsANoticeAndAnUnknownPoolAnError() {
    String[] again = {"claim", "proxies", "--client", "vm-1"};

    assertThat(run(again).err).startsWith("mintmark: already held since ");
    assertThat(run("claim", "proxies", "--client", "vm-1", "-q").err).isEmpty();
    assertThat(run("-q", "claim", "proxis", "--client", "vm-1").err)
        .isEqualToIgnoringNewLines("mintmark: no pool \"proxis\": did you mean \"proxies\"?");
  }

  @Test
  void whatNeedsSeveralDatabasesSaysHowToNameThem() {
    for (Outcome outcome :
        List.of(
            run("move", "proxies", "--to", "eu"),
            run("create", "p", "--block", "1..3", "--in", "eu"))) {
      assertThat(outcome.status).as(outcome.err).isEqualTo(2);
      assertThat(outcome.err)
          .contains("requires another database: name it with --pool-database NAME=URL")
          .contains("MINTMARK_DB_EU");
    }
    assertThat(run("list", "--pool-database", "eu").err)
        .startsWith("mintmark: --pool-database: expected NAME=URL");
    assertThat(run("list", "--json").json().path(0).path("database").isNull()).isTrue();
  }

  private static Outcome run(String... arguments) {
    String[] command =
        Stream.of(Stream.of("pool"), Stream.of(arguments), Stream.of("--database-url", database))
            .flatMap(words -> words)
            .toArray(String[]::new);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commandLine =
        MintmarkCommand.commandLine(new ByteArrayOutputStream(), command)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err));
    return new Outcome(commandLine.execute(command), out.toString(), err.toString());
  }
}
