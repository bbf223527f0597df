package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.verify.Mintmark.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What goes on beside a server that runs: its footprint, other commands, a second server. */
@Tag("long")
class RunningServerIT {
  private static final long RESIDENT_KIB_MAX = 350 * 1024;

  private static Mintmark mintmark;
  private static Path directory;
  private static RunningServer server;

  @BeforeAll
  static void start(@TempDir Path temporary) {
    directory = temporary;
    mintmark = Mintmark.in(directory);
    server = RunningServer.startAsLaunched(mintmark, "--port", "0", "--data", data().toString());
  }

  @AfterAll
  static void stopAndLeaveNothingBehind() throws IOException {
    server.close();
    assertThat(Processes.leftIn(directory)).isEmpty();
    try (var files = Files.list(directory)) {
      assertThat(files.filter(Files::isDirectory)).containsExactly(data());
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void anIdleServerIsSmall() {
    for (int i = 0; i < 20; i++) {
      assertThat(server.get("/v1/pools").status()).isEqualTo(200);
      assertThat(server.get("/v1/pools/public-ipv4/map").status()).isEqualTo(200);
      assertThat(server.get("/v1/ids?id=01FZG96YPZK4SANAG1ZM5T2K9Z").status()).isEqualTo(200);
    }

    assertThat(server.residentKiB()).isBetween(1L, RESIDENT_KIB_MAX);
  }

  @Test
  void aPortThatIsTakenIsStatus3InOneLine() {
    String port = Integer.toString(server.port());

    Outcome outcome =
        mintmark.run("serve", "--port", port, "--data", directory.resolve("other").toString());

    assertThat(outcome.status()).isEqualTo(3);
    assertThat(outcome.out()).isEmpty();
    assertThat(complaints(outcome))
        .containsExactly(
            "mintmark: port %s on 127.0.0.1 is taken: stop the process that listens there, or select another with --port"
                .formatted(port));
    assertThat(directory.resolve("other")).doesNotExist();
  }

  @Test
  void aDataDirectoryInUseIsStatus3InOneLineThatNamesTheProcess() throws IOException {
    Outcome outcome = mintmark.run("serve", "--port", "0", "--data", data().toString());

    assertThat(outcome.status()).isEqualTo(3);
    assertThat(complaints(outcome))
        .containsExactly(
            "mintmark: the data directory %s is in use by another mintmark (pid %d)"
                .formatted(data().toRealPath(), server.pid()));
    assertThat(server.get("/v1/pools").status()).isEqualTo(200);
  }

  @Test
  void aWrongKeyInTheCatalogIsStatus2InOneLineThatSaysWhere() throws IOException {
    Path catalog = Files.writeString(directory.resolve("wrong.yaml"), "namespace: a\npolls: {}\n");

    Outcome outcome = mintmark.run("serve", "--port", "0", "--catalog", catalog.toString());

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.errLines())
        .singleElement()
        .asString()
        .startsWith("mintmark: " + catalog + ":2: unknown key \"polls\"")
        .contains("did you mean \"pools\"?");
  }

  @Test
  void aPoolIsReleasedInStepsAndItsFreeValuesAreListed() throws IOException {
    Path owners = Files.writeString(directory.resolve("alpha.txt"), "acme\n\numbrella\n");
    pool("create", "steps", "--block", "0..5");

    Outcome gate = pool("gate", "steps", "--owners", owners.toString(), "--rate", "10/m");
    Outcome refused = pool("claim", "steps", "--client", "vm-1", "--owner", "initech");
    Outcome picked = pool("claim", "steps", "--client", "vm-2", "--owner", "acme", "--value", "3");
    Outcome grown = pool("gate", "steps", "--share", "100%", "--json");
    Outcome let = pool("claim", "steps", "--client", "vm-1", "--owner", "initech", "--value", "4");

    assertThat(gate.outLines())
        .containsExactly(
            "open to 0% of all owners and 2 named",
            "at most 10/1m for each owner", "owner acme", "owner umbrella");
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.err())
        .isEqualTo("mintmark: pool \"steps\": not open to owner \"initech\" yet\n");
    assertThat(picked.outLines()).containsExactly("3");
    assertThat(grown.json()).isEqualTo(server.get("/v1/pools/steps/gate").json());
    assertThat(let.status()).isZero();
    assertThat(pool("free", "steps").outLines()).containsExactly("0", "1", "2", "5");
    assertThat(pool("free", "steps", "--after", "0", "--limit", "2", "--json").json())
        .isEqualTo(server.get("/v1/pools/steps/free?after=0&limit=2").json());
    assertThat(pool("gate", "steps", "--open").outLines()).containsExactly("open to everybody");
  }

  @Test
  void poolsAreWorkedOnFromTheCommandLine() {
    Outcome created = pool("create", "codes", "--block", "0..2", "--lease", "1h");
    Outcome again = pool("create", "codes", "--block", "0..2");
    JsonNode claimed =
        pool("claim", "codes", "--client", "vm-1", "--owner", "acme", "--json").json();
    String value = claimed.path("value").stringValue();
    String token = claimed.path("token").stringValue();
    Outcome held = pool("claim", "codes", "--client", "vm-1");
    JsonNode renewed =
        pool("renew", "codes", value, "--token", token, "--lease", "2h", "--json").json();
    JsonNode listed = pool("list", "codes", "--owner", "acme", "--json").json().path("claims");

    assertThat(created.status()).isZero();
    assertThat(created.outLines())
        .containsExactly("codes  0..2  capacity=3 free=3 held=0 quarantined=0");
    assertThat(again.status()).isEqualTo(1);
    assertThat(held.status()).isZero();
    assertThat(held.outLines()).containsExactly(value);
    assertThat(renewed.path("expires_at").stringValue())
        .isGreaterThan(claimed.path("expires_at").stringValue());
    assertThat(listed).containsExactly(renewed);
    assertThat(server.get("/v1/pools/codes/claims/" + value).json())
        .as("HTTP sees what the command line did, in the same words")
        .isEqualTo(renewed);

    assertThat(pool("release", "codes", value, "--token", "0").status()).isEqualTo(1);
    Outcome released = pool("release", "codes", value, "--token", token);
    assertThat(released.status()).isZero();
    assertThat(released.out()).startsWith(value + " released, free from ");
    assertThat(pool("stats", "codes", "--json").json())
        .isEqualTo(server.get("/v1/pools/codes").json());
  }

  @Test
  void aPoolIsDeclaredChangedAndDeletedFromTheCommandLine() throws IOException {
    Path list = Files.writeString(directory.resolve("spring.txt"), "# codes\nA-1\nB-2\n");
    Outcome created =
        pool(
            "create",
            "vouchers",
            "--list",
            list.toString(),
            "--order",
            "ascending",
            "--per-client",
            "2",
            "--no-sticky",
            "--history",
            "30d");
    Outcome several = pool("claim", "vouchers", "--client", "a", "--count", "2");
    Outcome quota = pool("claim", "vouchers", "--client", "a", "--slot", "2");
    Outcome taken = pool("claim", "vouchers", "--client", "b", "--value", "A-1");
    Path more = Files.writeString(directory.resolve("summer.txt"), "C-3\n");
    Outcome added = pool("add", "vouchers", "--list", more.toString());
    Outcome drained = pool("drain", "vouchers", "summer.txt");
    Outcome stillHeld = pool("remove", "vouchers", "spring.txt");
    Outcome removed = pool("remove", "vouchers", "summer.txt");
    Outcome rests = pool("quarantine", "vouchers", "A-1", "--for", "1d");
    Outcome stats = pool("stats", "vouchers");
    Outcome unsure = pool("delete", "vouchers");

    assertThat(created.outLines())
        .containsExactly("vouchers  spring.txt  capacity=2 free=2 held=0 quarantined=0");
    assertThat(several.outLines()).containsExactly("A-1", "B-2");
    assertThat(List.of(quota.status(), taken.status(), stillHeld.status(), rests.status()))
        .containsOnly(1);
    assertThat(quota.err()).contains("client \"a\" may hold 2");
    assertThat(taken.err()).contains("A-1 is held by another client, quarantined or drained");
    assertThat(added.out()).contains("capacity=3 free=1 held=2");
    assertThat(drained.outLines()).last().asString().contains("drained draining=1");
    assertThat(stillHeld.err())
        .contains("spring.txt is not drained (held=2, quarantined=0): drain it first");
    assertThat(removed.outLines()).containsExactly("summer.txt removed from pool \"vouchers\"");
    assertThat(rests.err()).contains("A-1 is held");
    assertThat(stats.out())
        .contains("order ascending, 2 a client, not sticky, lease none, quarantine 0s, history 30d")
        .contains("spring.txt  [####################] 100%");
    assertThat(unsure.status()).isEqualTo(2);
    assertThat(unsure.err()).contains("held=2").contains("confirm with --yes");
    assertThat(pool("delete", "vouchers", "--yes").status()).isZero();
    assertThat(server.get("/v1/pools/vouchers").status()).isEqualTo(404);
  }

  @Test
  void valuesAreExcludedAndIncludedFromTheCommandLine() {
    pool("create", "gates", "--block", "10.0.0.0/29", "--exclude", "10.0.0.6");
    JsonNode held = pool("claim", "gates", "--client", "a", "--value", "10.0.0.1", "--json").json();

    Outcome excluded = pool("exclude", "gates", "10.0.0.1", "10.0.0.4/31");
    Outcome again = pool("exclude", "gates", "10.0.0.5", "--json");
    Outcome listed = pool("list", "gates", "--excluded", "--json");
    Outcome claimed = pool("claim", "gates", "--client", "b", "--value", "10.0.0.4");
    Outcome elsewhere = pool("exclude", "gates", "10.0.1.1");
    Outcome stats = pool("stats", "gates");
    Outcome included = pool("include", "gates", "10.0.0.1", "10.0.0.5");

    assertThat(excluded.status()).isZero();
    assertThat(excluded.outLines())
        .hasSize(2)
        .startsWith("excludes 10.0.0.6/32 10.0.0.1/32 10.0.0.4/31")
        .last()
        .asString()
        .startsWith("held: 10.0.0.1  a  since ");
    assertThat(again.json().path("changed").booleanValue()).isFalse();
    assertThat(again.json().path("held")).isEqualTo(listed.json());
    assertThat(listed.json().path("claims")).containsExactly(held);
    assertThat(claimed.status()).isEqualTo(2);
    assertThat(claimed.errLines())
        .containsExactly("mintmark: pool \"gates\" excludes \"10.0.0.4\"");
    assertThat(elsewhere.status()).isEqualTo(2);
    assertThat(elsewhere.err()).contains("exclusion 10.0.1.1/32 lies in none of its blocks");
    assertThat(stats.out()).contains(", excludes 10.0.0.6/32 10.0.0.1/32 10.0.0.4/31");
    assertThat(included.outLines()).containsExactly("excludes 10.0.0.6/32 10.0.0.4/32");
    assertThat(server.get("/v1/pools/gates/map").get("states")).isEqualTo("hffxfx");
  }

  @Test
  void whoHeldWhatIsTheSameOnTheCommandLineAndOverHttp() {
    pool("create", "told", "--block", "10.0.0.1", "--ipv6", "2001:db8::/96", "--embed", "ipv4");
    JsonNode claim = pool("claim", "told", "--client", "a", "--json").json();
    Outcome behind = pool("list", "told", "--ipv6", claim.path("ipv6").stringValue(), "--json");
    pool("release", "told", "10.0.0.1", "--token", claim.path("token").stringValue());

    Outcome history = pool("history", "told", "--value", "10.0.0.1", "--json");

    assertThat(behind.json().path("claims")).containsExactly(claim);
    assertThat(history.json())
        .isEqualTo(server.get("/v1/pools/told/history?value=10.0.0.1").json());
    assertThat(history.json().path("history").path(0).path("ending").stringValue())
        .isEqualTo("released");
    assertThat(pool("history", "told", "--prune-before", "2999-01-01T00:00:00Z").outLines())
        .containsExactly("1 claims deleted that ended before 2999-01-01T00:00:00Z");
  }

  @Test
  void anExhaustedPoolIsStatus1() {
    assertThat(server.http().post("/v1/pools", "{\"name\": \"one\", \"range\": \"7..7\"}").status())
        .isEqualTo(201);

    assertThat(pool("claim", "one", "--client", "a").outLines()).containsExactly("7");
    Outcome exhausted = pool("claim", "one", "--client", "b");

    assertThat(exhausted.status()).isEqualTo(1);
    assertThat(exhausted.out()).isEmpty();
    assertThat(exhausted.errLines())
        .singleElement()
        .asString()
        .startsWith("mintmark: pool \"one\": exhausted");
  }

  private static Path data() {
    return directory.resolve("data");
  }

  private static Outcome pool(String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "pool";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[all.length - 2] = "--data";
    all[all.length - 1] = data().toString();
    return mintmark.run(all);
  }

  /** What it says on stderr, but for the note that there is no catalog. */
  private static List<String> complaints(Outcome outcome) {
    return outcome.errLines().stream()
        .filter(line -> !line.startsWith("no mintmark.yaml"))
        .toList();
  }
}
