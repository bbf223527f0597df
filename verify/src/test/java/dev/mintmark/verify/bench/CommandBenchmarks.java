package dev.mintmark.verify.bench;

import dev.mintmark.fixtures.bench.BenchmarkPage;
import dev.mintmark.fixtures.bench.MeasuredOn;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Measures how long commands of mintmark take to start, beside {@code node -e 0}, and prints a
 * page.
 *
 * <pre>
 *   CommandBenchmarks FILE ROUNDS    /dev/null 15
 * </pre>
 *
 * The page goes to FILE besides. The working directory is that of the checkout.
 */
public final class CommandBenchmarks {
  /** The script says so if a command takes longer than it may; the page says which. */
  private static final int ABOVE_LIMIT = 1;

  private static final String INTRODUCTION =
      """
      # Benchmarks of commands: the time that they take to start

      Commands of `mintmark` are compared with `node -e 0` in the same rounds: every round runs every command once, in turn. A ratio is the
      median of the ratios of %s rounds. Processor time is that of the process and its children. Limits apply to processor time.

      To measure everything again and print this page, run

      ```
      mvn -q -Pcommand-benchmarks -DskipTests -pl verify -am test
      ```

      `-Dcommand-benchmarks.rounds=5` sets the number of rounds; `-Dcommand-benchmarks.write=FILE.md` writes the page to a file, and its
      chart and its figures to `FILE.svg` and `FILE.json`. `verify/src/test/bench/start_times.py` prints the table alone; it can also
      measure `pool list` and the program of an unpacked archive.

      %s
      %s
      """;

  private CommandBenchmarks() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length != 2) {
      throw new IllegalArgumentException("expected FILE ROUNDS: " + args.length);
    }
    String node = output(0, "node", "--version").strip();
    String table =
        output(ABOVE_LIMIT, "python3", "verify/src/test/bench/start_times.py", "--rounds", args[1]);
    String page =
        INTRODUCTION.formatted(
                args[1], BenchmarkPage.COMMANDS.links(), MeasuredOn.here("node " + node).line())
            + table;
    System.out.println(page);
    BenchmarkPage.COMMANDS.write(Path.of(args[0]), page);
  }

  private static String output(int statusMax, String... command)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    if (status > statusMax) {
      throw new IllegalStateException("%s: exit status %s".formatted(List.of(command), status));
    }
    return out;
  }
}
