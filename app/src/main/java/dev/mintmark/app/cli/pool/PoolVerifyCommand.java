package dev.mintmark.app.cli.pool;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Quoted;
import dev.mintmark.app.cli.common.DatabaseOptions;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.Requirements;
import dev.mintmark.app.cli.common.Verbosity;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.view.Json;
import dev.mintmark.testkit.PoolVerification;
import dev.mintmark.testkit.PoolVerification.Check;
import dev.mintmark.testkit.PoolVerification.Outcome;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mintmark pool verify}: runs the fault checks against a database. */
@Command(
    name = "verify",
    description = {
      "Inject faults into its own pools and check that no value is held twice and none is lost.",
      "Ends only its own sessions and removes the pools it created. Exit status 1 if a check fails."
    },
    mixinStandardHelpOptions = true)
final class PoolVerifyCommand implements Callable<Integer> {
  private static final int SECONDS_MAX = 3_600;

  /** Connections of all instances, one for the listener, and some to replace broken ones. */
  private static final int CONNECTIONS = 14;

  /** Nine digits: people type seeds in again. */
  private static final int SEEDS = 1_000_000_000;

  @Spec CommandSpec spec;

  @Mixin DatabaseOptions databaseOptions;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "The duration of each random check in seconds, 1 to 3600. Default: ${DEFAULT-VALUE}")
  int seconds;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "The seed of the random workload. Default: a random one, which is printed")
  @Nullable Long seed;

  @Option(
      names = "--only",
      paramLabel = "CHECK",
      description = "The check to run, by its name in the results. Repeatable. Default: all")
  List<String> only = new ArrayList<>();

  @Option(
      names = "--through",
      paramLabel = "API",
      defaultValue = "java",
      description =
          "What is checked: java, the library, or sql, the functions claim_value, renew_value and"
              + " release_value. Default: ${DEFAULT-VALUE}")
  String through;

  @Option(names = "--json", description = "Print the checks as JSON.")
  boolean json;

  /** The JSON output. */
  private record Report(long seed, int seconds, boolean passed, List<CheckReport> checks) {}

  private record CheckReport(
      String name,
      String sentence,
      String outcome,
      List<String> findings,
      Map<String, Long> figures) {
    static CheckReport of(Check check) {
      return new CheckReport(
          check.name(), check.sentence(), outcomeOf(check), check.findings(), check.figures());
    }
  }

  @Override
  public Integer call() {
    if (seconds < 1 || seconds > SECONDS_MAX) {
      throw new IllegalArgumentException(
          "--seconds is %s: expected 1 to %s".formatted(seconds, SECONDS_MAX));
    }
    if (!through.equals("java") && !through.equals("sql")) {
      throw new IllegalArgumentException(
          "--through is %s: expected java or sql".formatted(Quoted.of(through)));
    }
    for (String name : only) {
      if (PoolVerification.presentName(name).isEmpty()) {
        throw new IllegalArgumentException(
            "--only is %s: expected one of %s"
                .formatted(Quoted.of(name), PoolVerification.names()));
      }
    }
    long usedSeed = seed == null ? new SecureRandom().nextInt(SEEDS) : seed;
    PrintWriter notices = Verbosity.notices(spec);
    notices.println("seed " + usedSeed);
    notices.flush();
    List<Check> checks = run(usedSeed);
    boolean passed = checks.stream().noneMatch(check -> check.outcome() == Outcome.FAILED);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(
          out,
          new Report(usedSeed, seconds, passed, checks.stream().map(CheckReport::of).toList()));
    } else {
      out.println(
          passed
              ? "no value was held twice and none was lost"
              : "a check failed; reproduce it with --seed %s --seconds %s"
                  .formatted(usedSeed, seconds));
      out.flush();
    }
    return passed ? ExitStatus.DONE : ExitStatus.NO;
  }

  private List<Check> run(long usedSeed) {
    try (CloseAtExit atExit = new CloseAtExit()) {
      Database database = atExit.open(databaseOptions::openToUse);
      HikariDataSource connections = database.connectionPool("mintmark-verify", CONNECTIONS);
      Requirements.checkPools(connections);
      PoolVerification library =
          PoolVerification.over(connections, usedSeed, Duration.ofSeconds(seconds));
      PoolVerification verification = through.equals("sql") ? library.throughSql() : library;
      atExit.add(verification::close);
      return verification.run(only, this::report);
    }
  }

  /** Prints a check when it ends: as the result or, with JSON, as progress. */
  private void report(Check check) {
    PrintWriter to = json ? Verbosity.notices(spec) : spec.commandLine().getOut();
    to.println("%-18s%-15s%s".formatted(check.name(), outcomeOf(check), check.sentence()));
    if (!json) {
      check
          .figures()
          .forEach(
              (name, value) -> to.println(String.format(Locale.ROOT, "  %-42s%,12d", name, value)));
    }
    check.findings().forEach(finding -> to.println("  " + finding));
    to.flush();
  }

  private static String outcomeOf(Check check) {
    return check.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
