package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.service.ClaimSearch;
import dev.mintmark.app.view.ClaimPageJson;
import dev.mintmark.app.view.Json;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mintmark pool list}. */
@Command(
    name = "list",
    description = "List the pools, or the claims of one in the order of their values.")
final class PoolListCommand extends PoolSubcommand {
  @Parameters(
      paramLabel = "POOL",
      arity = "0..1",
      description = "The pool whose claims are listed.")
  @Nullable String name;

  @Option(names = "--client", paramLabel = "CLIENT", description = "Only this client's.")
  @Nullable String client;

  @Option(names = "--owner", paramLabel = "OWNER", description = "Only this owner's.")
  @Nullable String owner;

  @Option(names = "--after", paramLabel = "VALUE", description = "Only those behind it.")
  @Nullable String after;

  @Option(
      names = "--ipv6",
      paramLabel = "ADDRESS",
      description = "The one that has this IPv6 address, embedded in its pool's prefix.")
  @Nullable String ipv6;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many at most, 1 to 1000. Default: ${DEFAULT-VALUE}")
  int limit;

  @Option(names = "--json", description = "Print them as JSON.")
  boolean json;

  @Override
  Work work() {
    ClaimSearch search =
        new ClaimSearch(
            Optional.ofNullable(client),
            Optional.ofNullable(owner),
            Optional.ofNullable(after),
            Optional.ofNullable(ipv6),
            limit);
    String pool = name;
    if (pool == null) {
      for (String option : List.of("--client", "--owner", "--after", "--ipv6", "--limit")) {
        if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
          throw new IllegalArgumentException(option + " is about claims: name the pool");
        }
      }
      return pools -> printAll(pools, json);
    }
    return pools -> {
      ClaimPageJson page = ClaimPageJson.of(search.in(pools.open(pool)));
      if (json) {
        Json.print(out(), page);
      } else {
        page.claims().forEach(claim -> out().println(PoolTexts.describe(claim)));
      }
      return ExitStatus.DONE;
    };
  }
}
