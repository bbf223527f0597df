package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.service.NamedBlock;
import dev.mintmark.postgres.pool.Pools;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mintmark pool}: manages pools of scarce values. */
@Command(
    name = "pool",
    description = "Manage pools of scarce values, their claims and their history.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit status: 0 done, 1 the answer is no (exhausted, quota reached, taken, not open, in use), 2 wrong"
          + " usage, 3 the database or the network failed.",
    })
public final class PoolCommand implements Callable<Integer> {
  /** Its commands, in the order of the help. */
  public static final List<Class<?>> COMMANDS =
      List.of(
          PoolCreateCommand.class,
          PoolChangeCommand.class,
          PoolAddCommand.class,
          PoolDrainCommand.class,
          PoolExcludeCommand.class,
          PoolIncludeCommand.class,
          PoolRemoveCommand.class,
          PoolDeleteCommand.class,
          PoolMoveCommand.class,
          PoolClaimCommand.class,
          PoolRenewCommand.class,
          PoolReleaseCommand.class,
          PoolLabelCommand.class,
          PoolListCommand.class,
          PoolFreeCommand.class,
          PoolGateCommand.class,
          PoolStatsCommand.class,
          PoolUsageCommand.class,
          PoolWatchCommand.class,
          PoolHistoryCommand.class,
          PoolQuarantineCommand.class,
          PoolResumeCommand.class,
          PoolFeedCommand.class,
          PoolAdoptCommand.class,
          PoolImportCommand.class,
          PoolExportCommand.class,
          PoolRefillCommand.class,
          PoolSchemaCommand.class,
          PoolVerifyCommand.class);

  @Spec CommandSpec spec;

  /** Prints the help if no subcommand is given. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitStatus.USAGE;
  }

  /** The pool of a command. */
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
        description = "The block or the name of a list, as shown by pool stats.")
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
        description = "The token of the claim, as shown by pool list --json.")
    long token;

    /** Returns why nothing was changed. */
    String refusal(boolean superseded) {
      return refusal(pool, value, token, superseded);
    }

    static String refusal(
        String pool, @Nullable String value, @Nullable Long token, boolean superseded) {
      return superseded
          ? "pool \"%s\": %s is held by a claim with a token other than %s"
              .formatted(pool, value, token)
          : "pool \"%s\": %s is not held".formatted(pool, value);
    }
  }
}
