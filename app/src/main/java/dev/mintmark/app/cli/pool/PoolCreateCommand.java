package dev.mintmark.app.cli.pool;

import dev.mintmark.PoolSpec;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.pool.PoolCommand.PoolName;
import dev.mintmark.app.view.Ipv6EmbeddingJson;
import dev.mintmark.app.view.PoolDeclarationJson;
import dev.mintmark.app.view.PoolJson;
import java.util.ArrayList;
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
      names = "--order",
      paramLabel = "ORDER",
      description = "random or ascending. Default: random, of runs ascending")
  @Nullable String order;

  @Option(
      names = "--per-client",
      paramLabel = "N",
      description = "How many values one client may hold. Default: 1")
  @Nullable Integer perClient;

  @Option(
      names = "--per-owner",
      paramLabel = "N",
      description = "How many values one owner may hold: each claim must name one. Default: any")
  @Nullable Integer perOwner;

  @Option(
      names = "--sticky",
      negatable = true,
      description = "Whether a client is given again what it held last. Default: yes")
  @Nullable Boolean sticky;

  @Option(
      names = "--lease",
      paramLabel = "TIME",
      description = "How long a claim is held unless renewed, as in 30s. Default: none")
  @Nullable String lease;

  @Option(
      names = "--quarantine",
      paramLabel = "TIME",
      description = "How long a value rests after it was given back. Default: 0s")
  @Nullable String quarantine;

  @Option(
      names = "--history",
      paramLabel = "TIME",
      description = "How long it is known who held what, or none. Default: 90d")
  @Nullable String history;

  @Option(
      names = "--ipv6",
      paramLabel = "PREFIX",
      description = "Give every claim an IPv6 address with this prefix.")
  @Nullable String ipv6Prefix;

  @Option(
      names = "--embed",
      paramLabel = "WHAT",
      description = "What stands behind the prefix: ipv4, the value; or client, a number.")
  @Nullable String ipv6Embeds;

  @Override
  Work work() {
    PoolSpec declared =
        new PoolDeclarationJson(
                pool.name,
                null,
                null,
                null,
                new ArrayList<>(values.exclude),
                order,
                perClient,
                perOwner,
                sticky,
                lease,
                quarantine,
                history,
                ipv6())
            .toSpec(values.toBlocks());
    return pools -> {
      if (!pools.create(declared)) {
        return refuse("there is a pool \"" + pool.name + "\" already");
      }
      out().println(PoolTexts.describe(PoolJson.of(pools.open(pool.name))));
      return ExitStatus.DONE;
    };
  }

  private @Nullable Ipv6EmbeddingJson ipv6() {
    if ((ipv6Prefix == null) != (ipv6Embeds == null)) {
      throw new IllegalArgumentException("--ipv6 and --embed are given together");
    }
    return ipv6Prefix == null ? null : new Ipv6EmbeddingJson(ipv6Prefix, ipv6Embeds);
  }
}
