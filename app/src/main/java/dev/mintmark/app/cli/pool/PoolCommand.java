package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.service.NamedBlock;
import dev.mintmark.postgres.pool.Pools;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mintmark pool}: scarce identifiers from the command line. */
@Command(
    name = "pool",
    description = "Scarce identifiers: sets of them, who holds which, and who held which.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      PoolCreateCommand.class,
      PoolAddCommand.class,
      PoolDrainCommand.class,
      PoolRemoveCommand.class,
      PoolDeleteCommand.class,
      PoolClaimCommand.class,
      PoolRenewCommand.class,
      PoolReleaseCommand.class,
      PoolListCommand.class,
      PoolStatsCommand.class,
      PoolHistoryCommand.class,
      PoolQuarantineCommand.class,
      PoolFeedCommand.class,
      PoolVerifyCommand.class,
    },
    footer = {
      "",
      "Exit status: 0 done, 1 the answer is no (exhausted, quota reached, taken, in use), 2 wrong"
          + " usage, 3 the database or the network failed.",
    })
public final class PoolCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  /** Without a command of its own: what there is. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitStatus.USAGE;
  }

  /** The pool that a command is about. */
  static final class PoolName {
    @Parameters(index = "0", paramLabel = "POOL", description = "The pool's name.")
    String name;
  }

  /** A block of a pool. */
  static final class PoolBlock {
    @Mixin PoolName pool;

    @Parameters(
        index = "1",
        paramLabel = "BLOCK",
        description = "The block, or the name of a list, as pool stats shows it.")
    String text;

    NamedBlock in(Pools pools) {
      return new NamedBlock(pools.open(pool.name), text);
    }
  }

  /** The claim that is renewed or released. */
  static final class HeldValue {
    @Parameters(index = "0", paramLabel = "POOL", description = "The pool's name.")
    String pool;

    @Parameters(index = "1", paramLabel = "VALUE", description = "The value that is held.")
    String value;

    @Option(
        names = "--token",
        paramLabel = "N",
        required = true,
        description = "The claim's token, as pool list --json shows it.")
    long token;

    /** Why nothing was changed. */
    String refusal(boolean superseded) {
      return superseded
          ? "pool \"%s\": %s is held by a claim with another token than %d"
              .formatted(pool, value, token)
          : "pool \"%s\": %s is held by nobody".formatted(pool, value);
    }
  }
}
