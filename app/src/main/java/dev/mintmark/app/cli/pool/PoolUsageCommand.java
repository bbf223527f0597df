package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.service.DurationKey;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.PoolUsageJson;
import dev.mintmark.postgres.pool.Pool;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool usage}. */
@Command(
    name = "usage",
    description = {
      "Show how full a pool was, over time. Running servers record it once a minute.",
      "A line is the fullest minute of a length of time. Minutes are kept for 2 days, hours for 400"
          + " days. In the bars, # is held and ~ is quarantined."
    },
    footer = {
      "",
      "Examples:",
      "  ${ROOT-COMMAND-NAME} pool usage public-ipv4",
      "  ${ROOT-COMMAND-NAME} pool usage public-ipv4 --since 30d --samples 60"
    })
final class PoolUsageCommand extends PoolSubcommand {
  @Mixin PoolCommand.PoolName pool;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      defaultValue = "24h",
      description = "How far to go back, at most 400d. Default: ${DEFAULT-VALUE}")
  String since = "";

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "30",
      description = "The most lines, 1 to 1000. Default: ${DEFAULT-VALUE}")
  int samples;

  @Option(names = "--json", description = "Print the samples as JSON.")
  boolean json;

  @Override
  Work work() {
    Instant until = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Instant from = until.minus(DurationKey.parse("--since", since));
    return pools -> {
      Pool open = pools.open(pool.name);
      show(PoolUsageJson.of(open, from, until, open.survey().usage(from, until, samples)));
      return ExitStatus.DONE;
    };
  }

  private void show(PoolUsageJson usage) {
    if (json) {
      Json.print(out(), usage);
    } else if (usage.samples().isEmpty()) {
      notices().println("nothing was recorded since " + usage.from());
    } else {
      PoolTables.usage(usage).print(spec, usage.samples().stream().map(PoolTexts::describe));
    }
  }
}
