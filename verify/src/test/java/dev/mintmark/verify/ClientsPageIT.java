package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.verify.HttpApi.Answer;
import dev.mintmark.verify.Mintmark.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java, the curl and the requests of docs/clients.md, against a server. */
@Tag("slow")
class ClientsPageIT {
  private static final Page PAGE = new Page("docs/clients.md");

  private static final String END = "end of a command";

  /** A row of the tables of resources. */
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^\\| (?<step>[^|`]+) \\| `(?<method>[A-Z]+) (?<path>/[^`]+)` \\| (?:`(?<body>[^`]+)` )?"
              + "\\| (?<status>\\d{3})(?: `(?<code>[a-z-]+)`)?");

  private static Path directory;
  private static RunningServer server;

  @BeforeAll
  static void start(@TempDir Path temporary) {
    directory = temporary;
    server = RunningServer.start(Mintmark.in(directory), directory.resolve("data"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** On a page, the server listens on the default port. */
  private static String here(String text) {
    return text.replace(":7300", ":" + server.port());
  }

  @Test
  void everyLineOfJavaHasTheResultThatItShows() {
    List<String> statements =
        PAGE.blocks("java").stream()
            .flatMap(block -> PageShell.statements(here(block)).stream())
            .filter(statement -> !statement.isBlank())
            .toList();
    assertThat(statements).hasSizeGreaterThan(9);

    try (PageShell shell =
        new PageShell(
            "dev.mintmark.client.*",
            "java.net.URI",
            "java.time.Duration",
            "java.util.*",
            "java.util.stream.Stream")) {
      statements.forEach(shell::check);
    }
  }

  /** In one shell, because later commands use variables of earlier ones. */
  @Test
  void curlPrintsWhatIsShown() {
    List<ShownCommand> commands = ShownCommand.of(PAGE);
    assertThat(commands).hasSizeGreaterThan(8);
    String script =
        commands.stream()
            .map(command -> here(command.line()) + "; echo '" + END + "'")
            .collect(Collectors.joining("\n", "set -e\n", "\n"));

    Outcome outcome = Mintmark.in(directory).shell(script);

    assertThat(outcome.status()).as(outcome.err()).isZero();
    List<String> printed =
        Arrays.asList(outcome.out().split(END + "\n", -1)).subList(0, commands.size());
    for (int i = 0; i < commands.size(); i++) {
      commands.get(i).assertPrints(printed.get(i).lines().toList());
    }
  }

  @Test
  void resourcesAreCreatedReadUpdatedAndDeletedAsTheTablesSay() {
    assertThat(
            server
                .http()
                .post(
                    "/v1/pools", "{\"name\": \"racks\", \"range\": \"1..9\", \"lease\": \"none\"}")
                .status())
        .isEqualTo(201);
    List<String> steps = new ArrayList<>();
    Optional<Answer> claim = Optional.empty();
    for (MatchResult row : ROW.matcher(PAGE.text()).results().toList()) {
      String step = row.group(1);
      String path = row.group(3).replace("VALUE", claim.map(made -> made.get("value")).orElse(""));

      Answer answer =
          server
              .http()
              .send(
                  row.group(2),
                  path,
                  Optional.ofNullable(row.group(4)),
                  claim.map(made -> made.get("token")));

      assertThat(answer.status())
          .as("%s: %s", step, answer.body())
          .isEqualTo(Integer.parseInt(row.group(5)));
      assertThat(answer.status() < 400 ? "" : answer.get("code"))
          .as(step)
          .isEqualTo(Optional.ofNullable(row.group(6)).orElse(""));
      if (step.equals("create")) {
        claim = Optional.of(answer);
      } else if (List.of("create again", "read").contains(step)) {
        assertThat(answer.json()).as(step).isEqualTo(claim.orElseThrow().json());
      } else if (step.equals("read, by client")) {
        assertThat(answer.json().path("claims").path(0)).isEqualTo(claim.orElseThrow().json());
      }
      steps.add(step);
    }
    assertThat(steps)
        .hasSize(17)
        .contains("delete again", "delete it again")
        .doesNotHaveDuplicates();
  }
}
