package dev.mintmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.view.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** The settings of {@code serve} from flags, environment and file, and what shows them. */
class ConfigCommandTest {
  @TempDir Path directory;

  private final Map<String, String> environment = new HashMap<>();

  private record Outcome(int status, String out, String err) {
    /** Returns a setting as "value source place". */
    String setting(String name) {
      for (JsonNode setting : Json.MAPPER.readTree(out)) {
        if (setting.path("name").asString().equals(name)) {
          return "%s %s %s"
              .formatted(
                  setting.path("value").asString("-"),
                  setting.path("source").asString(),
                  setting.path("place").asString("-"));
        }
      }
      return "none";
    }
  }

  private Path file(String... lines) {
    try {
      return Files.write(directory.resolve("settings.yaml"), List.of(lines));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs the command as the program does, but with another environment. */
  private Outcome run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine program = MintmarkCommand.commandLine("config");
    program.getCommandSpec().removeSubcommand("config");
    program.addSubcommand(new CommandLine(new ConfigCommand(environment)));
    program.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    // Handlers are those of the command that is called.
    CommandLine config = Objects.requireNonNull(program.getSubcommands().get("config"));
    config.setParameterExceptionHandler(program.getParameterExceptionHandler());
    config.setExecutionExceptionHandler(program.getExecutionExceptionHandler());
    int status =
        program.execute(
            Stream.concat(Stream.of("config"), Stream.of(arguments)).toArray(String[]::new));
    return new Outcome(status, out.toString(), err.toString());
  }

  @Test
  void everySettingHasItsDefault() {
    Outcome outcome = run("--json");

    assertThat(outcome.status).as(outcome.err).isZero();
    assertThat(outcome.setting("port")).isEqualTo("7300 default -");
    assertThat(outcome.setting("listen")).isEqualTo("127.0.0.1 default -");
    assertThat(outcome.setting("data")).isEqualTo(".mintmark default -");
    assertThat(outcome.setting("access-log")).isEqualTo("false default -");
    assertThat(outcome.setting("tls-key")).isEqualTo("- default -");
    assertThat(outcome.out).doesNotContain("help", "verbose", "quiet");
  }

  @Test
  void aFlagIsStrongerThanAVariableAndAVariableThanTheFile() {
    Path file = file("# for tests", "port: 1", "listen: ::1", "drain: 3s", "access-log: true");
    environment.put("MINTMARK_SERVE_PORT", "2");
    environment.put("MINTMARK_SERVE_DRAIN", "4s");
    environment.put("MINTMARK_SERVE_LOG_FORMAT", "json");
    environment.put("MINTMARK_SERVE_CATALOG", "");

    Outcome outcome = run("--json", "--config", file.toString(), "--port", "3", "--no-listen");

    assertThat(outcome.status).as(outcome.err).isZero();
    assertThat(outcome.setting("port")).isEqualTo("3 flag --port");
    assertThat(outcome.setting("no-listen")).isEqualTo("true flag --no-listen");
    assertThat(outcome.setting("config")).isEqualTo(file + " flag --config");
    assertThat(outcome.setting("drain")).isEqualTo("4s environment MINTMARK_SERVE_DRAIN");
    assertThat(outcome.setting("log-format"))
        .isEqualTo("json environment MINTMARK_SERVE_LOG_FORMAT");
    assertThat(outcome.setting("listen")).isEqualTo("::1 file " + file + ":3");
    assertThat(outcome.setting("access-log")).isEqualTo("true file " + file + ":5");
    assertThat(outcome.setting("catalog")).isEqualTo("- default -");
  }

  @Test
  void serveIsGivenWhatIsShown() {
    Path file = file("port: 1", "drain: 3s", "access-log: true", "no-listen: false", "data: d");
    environment.put("MINTMARK_SERVE_CONFIG", file.toString());
    environment.put("MINTMARK_SERVE_LOG_LEVEL", "debug");
    environment.put("PGHOST", "db.example.com");
    CommandLine serve = new CommandLine(new ServeCommand());
    serve.setCaseInsensitiveEnumValuesAllowed(true);
    serve.getCommandSpec().defaultValueProvider(new ServeSettings(environment));

    serve.parseArgs("--drain", "5s");

    ServeCommand command = serve.getCommand();
    assertThat(command.port).isEqualTo(1);
    assertThat(command.drain).isEqualTo("5s");
    assertThat(command.logging.access).isTrue();
    assertThat(command.logging.level.name()).isEqualTo("DEBUG");
    assertThat(command.polls).isFalse();
    assertThat(command.databaseOptions.data).isEqualTo(Path.of("d"));
    assertThat(command.databaseOptions.isDataGiven()).isTrue();
    assertThat(command.address).isEqualTo("127.0.0.1");
  }

  @Test
  void aDirectoryThatIsStrongerThanAnAddressIsUsed() {
    environment.put("MINTMARK_SERVE_DATABASE_URL", "postgresql://u:very-secret@h/d");

    assertThat(run("--json").setting("database-url"))
        .isEqualTo("jdbc:postgresql://h/d environment MINTMARK_SERVE_DATABASE_URL");
    assertThat(run("--json", "--data", "d").setting("database-url")).isEqualTo("- default -");
    environment.put("MINTMARK_SERVE_DATA", "d");
    assertThat(run("--json").setting("database-url")).startsWith("jdbc:postgresql://h/d");
  }

  @Test
  void secretsAreNotShown() {
    environment.put("MINTMARK_SECRET", "a:very-secret");
    environment.put("PGPASSWORD", "very-secret");
    environment.put("PGHOST", "db.example.com");
    environment.put("PATH", "/bin");

    for (Outcome outcome :
        List.of(
            run("--json"),
            run(),
            run("--database-url", "jdbc:postgresql://h/d?user=u&password=very-secret"),
            run("--database-url", "postgresql://u:very-secret@h/d?password=very-secret"),
            run("--check", "--database-url", "postgresql://u:very-secret@@h/d"))) {
      assertThat(outcome.out + outcome.err).doesNotContain("very-secret").isNotEmpty();
    }
    Outcome outcome = run("--json");
    assertThat(outcome.setting("MINTMARK_SECRET")).isEqualTo("(set) environment MINTMARK_SECRET");
    assertThat(outcome.setting("PGPASSWORD")).isEqualTo("(set) environment PGPASSWORD");
    assertThat(outcome.setting("PGHOST")).isEqualTo("db.example.com environment PGHOST");
    assertThat(outcome.setting("PATH")).isEqualTo("none");
  }

  @Test
  void databasesOfPoolsAreShownWithoutTheirLogin() {
    environment.put("MINTMARK_DB_EU", "postgresql://u:very-secret@h/d");
    String us = "us=jdbc:postgresql://h2/d?user=u&password=very-secret";
    String asia = "asia=postgresql://u:very-secret@h3/d";

    Outcome flags = run("--json", "--pool-database", us, "--pool-database", asia);
    Outcome file = run("--json", "--config", file("pool-database: " + us + " " + asia).toString());

    String shown = "asia=jdbc:postgresql://h3/d us=jdbc:postgresql://h2/d ";
    assertThat(flags.setting("pool-database")).isEqualTo(shown + "flag --pool-database");
    assertThat(file.setting("pool-database")).startsWith(shown + "file ");
    assertThat(flags.setting("MINTMARK_DB_EU"))
        .isEqualTo("jdbc:postgresql://h/d environment MINTMARK_DB_EU");
    assertThat(flags.out + flags.err + file.out + file.err).doesNotContain("very-secret");
    assertThat(run("--check", "--pool-database", us).status).isZero();
    environment.put("MINTMARK_DB_EU", "very-secret");
    Outcome wrong = run("--check");
    assertThat(wrong.status).isEqualTo(2);
    assertThat(wrong.err)
        .contains("MINTMARK_DB_EU: malformed database URL")
        .doesNotContain("very-secret");
  }

  @Test
  void aListInAPipeHasALineForEachSetting() {
    Path file = file("port: 1");

    assertThat(run("--config", file.toString()).out.lines())
        .contains("port 1 file " + file + ":1", "drain 0s default", "tls-key - default");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "prot: 1|settings.yaml:1: unknown setting prot: did you mean port?",
        "a: 1|settings.yaml:1: unknown setting a: mintmark config lists the settings",
        "port: x|settings.yaml:1: Invalid value for option '--port'",
        "port:|settings.yaml:1: port: expected one value",
        "port: [1]|settings.yaml:1: port: expected one value",
        "[port]|settings.yaml:1: expected settings as port: 8080",
        "port: 'a|settings.yaml:2: not YAML",
        "access-log: yes|settings.yaml:1: Invalid value for option '--access-log'",
        "log-format: xml|settings.yaml:1: Invalid value for option '--log-format'",
        "log-level: trace|settings.yaml:1: Invalid value for option '--log-level'",
        "config: other.yaml|settings.yaml:1: a file does not name another",
        "help: true|settings.yaml:1: unknown setting help",
        "port: 70000|--port is 70000: expected 0 to 65535",
        "drain: 1d|--drain is 1d: expected at most 10m",
        "behind-proxy: 10.0.0.0|is not a CIDR block",
        "pool-database: eu|--pool-database: expected NAME=URL",
        "tls-key: k.pem|expected both --tls-certificate and --tls-key",
        "listen: 0.0.0.0|keys would cross the network in plain text",
      })
  void checkSaysWhatIsWrongInAFile(String line, String message) {
    Outcome outcome = run("--check", "--config", file(line).toString());

    assertThat(outcome.status).as(outcome.err).isEqualTo(2);
    assertThat(outcome.out).isEmpty();
    assertThat(outcome.err).contains(message).doesNotContain("Exception", "\tat ");
  }

  @Test
  void checkSaysWhatIsWrongElsewhere() {
    assertThat(run("--check", "--prot", "1").err).contains("Unknown option").contains("--port");
    assertThat(run("--check", "--port", "x").err).startsWith("serve: Invalid value for option");
    assertThat(run("--check", "--config", directory.resolve("none.yaml").toString()).status)
        .isEqualTo(2);
    assertThat(run("--check", "--config", file("port: 1", "port: 2").toString()).err)
        .contains("settings.yaml:2: port is set twice");

    environment.put("MINTMARK_SERVE_PROT", "1");
    Outcome unknown = run("--check");
    assertThat(unknown.status).isEqualTo(2);
    assertThat(unknown.err)
        .contains(
            "environment: unknown setting MINTMARK_SERVE_PROT: did you mean MINTMARK_SERVE_PORT?");

    environment.clear();
    environment.put("MINTMARK_SERVE_PORT", "tcp://10.0.0.1:80");
    assertThat(run("--check").err)
        .contains("MINTMARK_SERVE_PORT: Invalid value for option '--port'");
    assertThat(run("--check", "--port", "1").status).isZero();
  }

  @Test
  void checkSaysThatAllIsWell() {
    Outcome outcome = run("--check", "--config", file("port: 0", "log-format: json").toString());

    assertThat(outcome.status).as(outcome.err).isZero();
    assertThat(outcome.out).isEmpty();
    assertThat(outcome.err).contains("settings are valid");
    assertThat(run("--check", "--config", file("# nothing").toString()).status).isZero();
  }

  @Test
  void helpDoesNotReadSettings() {
    StringWriter out = new StringWriter();
    CommandLine program = MintmarkCommand.commandLine("serve").setOut(new PrintWriter(out, true));

    assertThat(program.execute("serve", "--config", file("wrong").toString(), "--help")).isZero();
    assertThat(out.toString()).contains("Default: 7300", "MINTMARK_SERVE_PORT");
  }
}
