package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.verify.Mintmark.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of exit statuses in docs/errors.md: each example is run. */
class ExitStatusIT {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| (?<status>[0-9]+) \\| [^|]+ \\| `mintmark (?<command>[^`]+)` \\|$");

  /** The signals that end a command, by exit status. */
  private static final Map<Integer, String> SIGNALS = Map.of(130, "INT", 143, "TERM");

  @TempDir Path directory;

  /** A row of the table. */
  record Example(int status, String command) {}

  static List<Example> examples() {
    return ROW.matcher(new Page("docs/errors.md").text())
        .results()
        .map(row -> new Example(Integer.parseInt(row.group(1)), row.group(2)))
        .toList();
  }

  @Test
  void theTableHasEveryStatus() {
    assertThat(examples().stream().map(Example::status))
        .containsExactlyElementsOf(
            Stream.concat(
                    Stream.of(ExitStatus.DONE, ExitStatus.NO, ExitStatus.USAGE, ExitStatus.FAILED),
                    SIGNALS.keySet().stream().sorted())
                .toList());
  }

  @ParameterizedTest
  @MethodSource("examples")
  void anExampleEndsWithItsStatus(Example example) {
    String signal = SIGNALS.get(example.status);
    Mintmark.Running running = Mintmark.in(directory).start(example.command.split(" "));
    if (signal != null) {
      Eventually.present(
          Patience.MAX, () -> Optional.of(running.outSoFar()).filter(out -> !out.isEmpty()));
      Processes.signal(running.process().pid(), signal);
    }

    Outcome outcome = running.await();

    assertThat(outcome.status()).as(outcome.err()).isEqualTo(example.status);
    assertThat(outcome.err().isEmpty())
        .as("a message: " + outcome.err())
        .isEqualTo(example.status == ExitStatus.DONE || signal != null);
    assertThat(outcome.err()).doesNotContain("\tat ");
  }
}
