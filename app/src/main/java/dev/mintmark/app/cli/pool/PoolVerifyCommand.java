package dev.mintmark.app.cli.pool;

import dev.mintmark.Quoted;
import dev.mintmark.app.cli.common.DatabaseOptions;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.view.Json;
import dev.mintmark.postgres.pool.PoolVerification;
import dev.mintmark.postgres.pool.PoolVerification.Check;
import dev.mintmark.postgres.pool.PoolVerification.Outcome;
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

/** {@code mintmark pool verify}: the fault checks, against whatever database is named. */
@Command(
    name = "verify",
    description = {
      "Plant faults in pools of its own and check that no value is held twice and none is lost.",
      "Ends sessions of its own only, and removes the pools it made. Exit status 1 where it finds"
          + " something."
    },
    mixinStandardHelpOptions = true)
final class PoolVerifyCommand implements Callable<Integer> {
  private static final int SECONDS_MAX = 3_600;

  /** Those of all instances, one for what listens, and some for what replaces the broken ones. */
  private static final int CONNECTIONS = 14;

  /** Seeds are typed in again: nine digits are enough. */
  private static final int SEEDS = 1_000_000_000;

  @Spec CommandSpec spec;

  @Mixin DatabaseOptions databaseOptions;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "For how long each check works that works at random, 1 to 3600. Default: ${DEFAULT-VALUE}")
  int seconds;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "What is random goes by it. Default: one that is drawn, and printed")
  @Nullable Long seed;

  @Option(
      names = "--only",
      paramLabel = "CHECK",
      description = "One of the checks, as it is called in the results. Repeatable. Default: all")
  List<String> only = new ArrayList<>();

  @Option(names = "--json", description = "Print the checks as JSON.")
  boolean json;

  /** What is printed as JSON. */
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
          "--seconds is %d: expected 1 to %d".formatted(seconds, SECONDS_MAX));
    }
    for (String name : only) {
      if (!PoolVerification.names().contains(name)) {
        throw new IllegalArgumentException(
            "--only is %s: expected one of %s"
                .formatted(Quoted.of(name), PoolVerification.names()));
      }
    }
    long usedSeed = seed == null ? new SecureRandom().nextInt(SEEDS) : seed;
    PrintWriter err = spec.commandLine().getErr();
    err.println("seed " + usedSeed);
    err.flush();
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
              : "something is wrong; to have it again: --seed %d --seconds %d"
                  .formatted(usedSeed, seconds));
      out.flush();
    }
    return passed ? ExitStatus.DONE : ExitStatus.NO;
  }

  private List<Check> run(long usedSeed) {
    try (CloseAtExit atExit = new CloseAtExit()) {
      Database database = atExit.add(databaseOptions.openToUse());
      PoolVerification verification =
          PoolVerification.over(
              database.connectionPool("mintmark-verify", CONNECTIONS),
              usedSeed,
              Duration.ofSeconds(seconds));
      atExit.add(verification::close);
      return verification.run(only, this::tell);
    }
  }

  /** Each check as it is over: the results where they are for people, else as progress. */
  private void tell(Check check) {
    PrintWriter to = json ? spec.commandLine().getErr() : spec.commandLine().getOut();
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
