package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.Confirmation;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.service.PoolSettings;
import dev.mintmark.app.service.SettingsChange;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.PoolChangeJson;
import dev.mintmark.postgres.pool.Pool;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool change}. */
@Command(
    name = "change",
    description = {
      "Change settings of a pool; the others stay. Prints what the change means for claims.",
      "Running servers apply it within 10 s. Blocks and exclusions have commands of their own: add,"
          + " drain, remove, exclude, include. A server that declares the pool in its mintmark.yaml"
          + " sets the settings of the file again when it starts."
    },
    footer = {
      "",
      "Examples:",
      "  ${ROOT-COMMAND-NAME} pool change public-ipv4 --lease 1h --quarantine 10m --plan",
      "  ${ROOT-COMMAND-NAME} pool change public-ipv4 --per-owner none --thresholds 70,90"
    })
final class PoolChangeCommand extends PoolSubcommand {
  @Mixin PoolCommand.PoolName pool;

  @Option(names = "--order", paramLabel = "ORDER", description = "random or ascending.")
  @Nullable String order;

  @Option(
      names = "--per-client",
      paramLabel = "N",
      description = "The most values that one client may hold.")
  @Nullable Integer perClient;

  @Option(
      names = "--per-owner",
      paramLabel = "N",
      description = "The most values of one owner, or none for no limit.")
  @Nullable String perOwner;

  @Option(
      names = "--sticky",
      negatable = true,
      description = "Whether a client gets the value that it held last.")
  @Nullable Boolean sticky;

  @Option(
      names = "--lease",
      paramLabel = "TIME",
      description = "How long a claim is held unless renewed, or none.")
  @Nullable String lease;

  @Option(
      names = "--quarantine",
      paramLabel = "TIME",
      description = "How long a value is quarantined after its release.")
  @Nullable String quarantine;

  @Option(
      names = "--history",
      paramLabel = "TIME",
      description =
          "How long ended claims are kept, or none. If that is shorter than before, the command asks"
              + " for the name of the pool on a terminal.")
  @Nullable String history;

  @Option(
      names = "--after-failover",
      paramLabel = "WHAT",
      description = "What happens to free values after a failover: trust, quarantine or stop.")
  @Nullable String afterFailover;

  @Option(
      names = "--keep-free",
      paramLabel = "N",
      description =
          "Of a pool that gets its blocks from another one: with fewer free values, it gets another"
              + " block. 0: it gets none.")
  @Nullable Long keepFree;

  @Option(
      names = "--thresholds",
      paramLabel = "PERCENT",
      description =
          "Shares of used values that charts, watches and metrics report, as in 80,95; or none.")
  @Nullable String thresholds;

  @Option(names = "--plan", description = "Print what would change, and change nothing.")
  boolean plan;

  @Mixin Confirmation confirmation;

  @Option(names = "--json", description = "Print the changes as JSON.")
  boolean json;

  @Override
  Work work() {
    PoolSettings settings =
        new PoolSettings(
            order,
            perClient,
            perOwner(),
            sticky,
            lease,
            quarantine,
            history,
            afterFailover,
            keepFree,
            thresholds());
    if (settings.isEmpty()) {
      throw new IllegalArgumentException("no setting is given: see pool change --help");
    }
    return pools -> {
      Pool open = pools.open(pool.name);
      SettingsChange planned = SettingsChange.plan(open, settings);
      if (plan) {
        return print(planned);
      }
      if (!isConfirmed(planned)) {
        return ExitStatus.NO;
      }
      return print(SettingsChange.apply(open, settings));
    };
  }

  private boolean isConfirmed(SettingsChange planned) {
    return !planned.deletesHistory()
        || confirmation.allows(
            "this deletes the claims of the pool that ended earlier than the new history time; it"
                + " cannot be undone",
            "the name of the pool",
            List.of(pool.name));
  }

  private int print(SettingsChange change) {
    PoolChangeJson shown = PoolChangeJson.of(change);
    if (json) {
      Json.print(out(), shown);
    } else if (shown.changes().isEmpty()) {
      out().println("nothing changes: the pool has these settings");
    } else {
      PoolTables.changes(shown).print(spec, PoolTexts.changes(shown));
    }
    return ExitStatus.DONE;
  }

  private @Nullable Integer perOwner() {
    if (perOwner == null) {
      return null;
    }
    if (perOwner.equals(PoolSettings.NONE)) {
      return PoolSettings.NO_QUOTA;
    }
    return number("--per-owner", perOwner);
  }

  private @Nullable List<Integer> thresholds() {
    if (thresholds == null) {
      return null;
    }
    return thresholds.equals(PoolSettings.NONE)
        ? List.of()
        : Arrays.stream(thresholds.split(",", -1))
            .map(text -> number("--thresholds", text))
            .toList();
  }

  private static int number(String option, String text) {
    try {
      return Integer.parseInt(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s: expected a whole number or none, found \"%s\"".formatted(option, text), e);
    }
  }
}
