package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.service.ClaimSearch;
import dev.mintmark.app.view.ClaimPageJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.postgres.pool.ClaimFilter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mintmark pool list}. */
@Command(
    name = "list",
    description = "List the pools, or the claims of a pool in the order of their values.")
final class PoolListCommand extends PoolSubcommand {
  @Parameters(
      paramLabel = "POOL",
      arity = "0..1",
      description = "The pool whose claims are listed.")
  @Nullable String name;

  @Mixin ClaimSelection selection;

  @Option(names = "--after", paramLabel = "VALUE", description = "Only claims with a later value.")
  @Nullable String after;

  @Option(
      names = "--excluded",
      description = "Only claims of excluded values: they were held when they were excluded.")
  boolean excluded;

  @Option(
      names = "--ipv6",
      paramLabel = "ADDRESS",
      description = "Only the claim with this IPv6 address, in the prefix of the pool.")
  @Nullable String ipv6;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description = "The most claims to print, 1 to 1000. Default: ${DEFAULT-VALUE}")
  int limit;

  @Option(names = "--json", description = "Print the list as JSON.")
  boolean json;

  @Override
  Work work() {
    ClaimSearch search =
        new ClaimSearch(
            ClaimFilter.ALL
                .withClient(selection.clients())
                .withOwner(selection.owners())
                .withLabel(selection.labels())
                .withAfter(Optional.ofNullable(after))
                .withExcluded(excluded),
            Optional.ofNullable(ipv6),
            limit);
    String pool = name;
    if (pool == null) {
      for (String option : ClaimSelection.with("--after", "--excluded", "--ipv6", "--limit")) {
        if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
          throw new IllegalArgumentException(option + " applies to claims and requires POOL");
        }
      }
      return pools -> printAll(pools, json);
    }
    return pools -> {
      ClaimPageJson page = ClaimPageJson.of(search.in(pools.open(pool)));
      if (json) {
        Json.print(out(), page);
      } else {
        PoolTables.claims(page.claims())
            .print(spec, page.claims().stream().map(PoolTexts::describe));
      }
      return ExitStatus.DONE;
    };
  }
}
