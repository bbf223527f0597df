package dev.mintmark.app.cli.pool;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.app.cli.pool.PoolCommand.PoolName;
import dev.mintmark.app.view.Ipv6EmbeddingJson;
import dev.mintmark.app.view.PoolDeclarationJson;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool create}. */
@Command(name = "create", description = "Create a pool with all its values free.")
final class PoolCreateCommand extends PoolSubcommand {
  @Mixin PoolName pool;

  @Mixin BlockOptions values;

  @Option(
      names = "--in",
      paramLabel = "NAME",
      description =
          "The database, if there are several: see --pool-database. Default: the first one")
  @Nullable String database;

  @Option(
      names = "--blocks-from",
      paramLabel = "POOL",
      description = {
        "The pool that it gets its blocks from, instead of --block and --list: one that grants runs"
            + " of numbers or prefixes, in this or another database. Requires --keep-free."
      })
  @Nullable String blocksFrom;

  @Option(
      names = "--keep-free",
      paramLabel = "N",
      description = "With fewer free values, it gets another block from the pool --blocks-from.")
  @Nullable Long keepFree;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      description = "random or ascending. Default: random; ascending for runs")
  @Nullable String order;

  @Option(
      names = "--per-client",
      paramLabel = "N",
      description = "The most values that one client may hold. Default: 1")
  @Nullable Integer perClient;

  @Option(
      names = "--per-owner",
      paramLabel = "N",
      description =
          "The most values of one owner; every claim must then name one. Default: no limit")
  @Nullable Integer perOwner;

  @Option(
      names = "--sticky",
      negatable = true,
      description = "Whether a client gets the value that it held last. Default: yes")
  @Nullable Boolean sticky;

  @Option(
      names = "--lease",
      paramLabel = "TIME",
      description = "How long a claim is held unless renewed, for example 30s. Default: none")
  @Nullable String lease;

  @Option(
      names = "--quarantine",
      paramLabel = "TIME",
      description = "How long a value is quarantined after its release. Default: 0s")
  @Nullable String quarantine;

  @Option(
      names = "--history",
      paramLabel = "TIME",
      description = "How long ended claims are kept, or none. Default: 90d")
  @Nullable String history;

  @Option(
      names = "--after-failover",
      paramLabel = "WHAT",
      description =
          "What happens to free values when another server has taken over the database: trust, they"
              + " are granted at once; quarantine, they rest for the longest lease; stop, none is"
              + " granted until pool resume or pool quarantine --all. Default: quarantine with a"
              + " lease, stop without one")
  @Nullable String afterFailover;

  @Option(
      names = "--thresholds",
      paramLabel = "PERCENT",
      split = ",",
      description = "Shares of used values that charts, watches and metrics report. Default: 80,95")
  @Nullable List<Integer> thresholds;

  @Option(
      names = "--ipv6",
      paramLabel = "PREFIX",
      description = "Give every claim an IPv6 address in this prefix.")
  @Nullable String ipv6Prefix;

  @Option(
      names = "--embed",
      paramLabel = "WHAT",
      description = "What follows the prefix: ipv4, the value; or client, a number.")
  @Nullable String ipv6Embeds;

  @Option(names = "--json", description = "Print the pool and its counts as JSON.")
  boolean json;

  @Override
  Work work() {
    if (database != null && !areSeveral()) {
      throw new IllegalArgumentException("--in requires another database: " + NAME_ANOTHER);
    }
    PoolSpec declared =
        new PoolDeclarationJson(
                pool.name,
                database,
                null,
                null,
                null,
                blocksFrom,
                keepFree,
                new ArrayList<>(values.exclude),
                order,
                perClient,
                perOwner,
                sticky,
                lease,
                quarantine,
                history,
                ipv6(),
                afterFailover,
                thresholds == null ? null : new ArrayList<>(thresholds))
            .toSpec(blocks());
    return pools -> {
      if (!pools.create(declared)) {
        return refuse("pool \"" + pool.name + "\" already exists");
      }
      return print(pools.open(pool.name), json);
    };
  }

  private List<Block> blocks() {
    if ((blocksFrom == null) != (keepFree == null)) {
      throw new IllegalArgumentException("--blocks-from and --keep-free require each other");
    }
    if (blocksFrom == null) {
      return values.toBlocks();
    }
    if (!values.isEmpty()) {
      throw new IllegalArgumentException(
          "--blocks-from replaces --block, --list and --exclude: exclude values of that pool");
    }
    return List.of();
  }

  private @Nullable Ipv6EmbeddingJson ipv6() {
    if ((ipv6Prefix == null) != (ipv6Embeds == null)) {
      throw new IllegalArgumentException("--ipv6 and --embed require each other");
    }
    return ipv6Prefix == null ? null : new Ipv6EmbeddingJson(ipv6Prefix, ipv6Embeds);
  }
}
