package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.verify.Mintmark.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What goes on beside a server that runs: its footprint, other commands, a second server. */
class RunningServerIT {
  private static final long RESIDENT_KIB_MAX = 350 * 1024;

  private static Mintmark mintmark;
  private static Path directory;
  private static RunningServer server;

  @BeforeAll
  static void start(@TempDir Path temporary) {
    directory = temporary;
    mintmark = Mintmark.in(directory);
    server = RunningServer.start(mintmark, data());
  }

  @AfterAll
  static void stopAndLeaveNothingBehind() throws IOException {
    server.close();
    assertThat(Processes.in(directory)).isEmpty();
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
            "mintmark: port %s on 127.0.0.1 is taken: stop what listens there, or choose another with --port"
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
