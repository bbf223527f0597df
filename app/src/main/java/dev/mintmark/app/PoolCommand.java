package dev.mintmark.app;

import dev.mintmark.DurationText;
import dev.mintmark.Quoted;
import dev.mintmark.app.Main.ExitStatus;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.QuotaReached;
import dev.mintmark.postgres.pool.ClaimResult.ValueTaken;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.ReleaseResult;
import dev.mintmark.postgres.pool.RenewResult;
import dev.mintmark.postgres.pool.Superseded;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mintmark pool}: scarce identifiers from the command line. */
@Command(
    name = "pool",
    description = "Scarce identifiers: create a pool, claim, renew, release, list, stats.",
    mixinStandardHelpOptions = true,
    subcommands = PoolVerifyCommand.class,
    synopsisSubcommandLabel = "COMMAND")
final class PoolCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  /** Without a command of its own: what there is. */
  @Override
  public Integer call() {
    spec.commandLine().usage(err());
    return ExitStatus.USAGE;
  }

  @Command(
      name = "create",
      description = "Create a pool with all its values free.",
      mixinStandardHelpOptions = true)
  int create(
      @Mixin DatabaseOptions database,
      @Parameters(paramLabel = "POOL", description = "Its name.") String name,
      @Option(
              names = "--block",
              paramLabel = "BLOCK",
              required = true,
              split = ",",
              description = "A CIDR block, an address, or a range such as 0..1023. Repeatable.")
          List<@Nullable String> blocks,
      @Option(
              names = "--exclude",
              paramLabel = "BLOCK",
              split = ",",
              description = "A value or block that is never handed out. Repeatable.")
          @Nullable List<@Nullable String> exclude,
      @Option(
              names = "--lease",
              paramLabel = "TIME",
              description = "How long a claim is held unless renewed, as in 30s. Default: none")
          @Nullable String lease,
      @Option(
              names = "--quarantine",
              paramLabel = "TIME",
              description = "How long a value rests after it was given back. Default: 0s")
          @Nullable String quarantine) {
    var declared =
        new PoolJson.Declaration(name, blocks, null, exclude, lease, quarantine, null).toSpec();
    return withPools(
        database,
        pools -> {
          if (!pools.create(declared)) {
            err().println("mintmark: there is a pool \"" + name + "\" already");
            return ExitStatus.NO;
          }
          out().println(describe(PoolJson.Standing.of(pools.open(name))));
          return ExitStatus.DONE;
        });
  }

  @Command(
      name = "claim",
      description = {
        "Claim a value for a client and print it.",
        "A client that holds one is given the same again. Exit status 1 where none is free."
      },
      mixinStandardHelpOptions = true)
  int claim(
      @Mixin DatabaseOptions database,
      @Parameters(paramLabel = "POOL", description = "The pool's name.") String name,
      @Option(
              names = "--client",
              paramLabel = "CLIENT",
              required = true,
              description = "Who will hold it: one machine, one process.")
          String client,
      @Option(names = "--owner", paramLabel = "OWNER", description = "The account on whose behalf.")
          @Nullable String owner,
      @Option(
              names = "--lease",
              paramLabel = "TIME",
              description = "How long unless renewed, as in 30s. Default: as the pool says")
          @Nullable String lease,
      @Option(names = "--json", description = "Print the whole claim as JSON.") boolean json) {
    ClaimRequest request =
        ClaimRequest.of(client)
            .withOwner(Optional.ofNullable(owner))
            .withLease(Optional.ofNullable(lease).map(DurationText::parse));
    return withPools(database, pools -> show(pools.open(name).claim(request), json));
  }

  @Command(
      name = "renew",
      description = "Extend a claim from now.",
      mixinStandardHelpOptions = true)
  int renew(
      @Mixin DatabaseOptions database,
      @Mixin HeldValue held,
      @Option(
              names = "--lease",
              paramLabel = "TIME",
              description = "For how long from now. Default: as the pool says")
          @Nullable String lease,
      @Option(names = "--json", description = "Print the whole claim as JSON.") boolean json) {
    return withPools(
        database,
        pools -> {
          RenewResult result =
              pools
                  .open(held.pool)
                  .renew(
                      held.value, held.token, Optional.ofNullable(lease).map(DurationText::parse));
          if (result instanceof RenewResult.Renewed renewed) {
            printClaim(renewed.claim(), json);
            return ExitStatus.DONE;
          }
          return refuseToken(result instanceof Superseded, held);
        });
  }

  @Command(name = "release", description = "Give a value back.", mixinStandardHelpOptions = true)
  int release(@Mixin DatabaseOptions database, @Mixin HeldValue held) {
    return withPools(
        database,
        pools -> {
          ReleaseResult result = pools.open(held.pool).release(held.value, held.token);
          if (result instanceof ReleaseResult.Released released) {
            out().println(held.value + " released, free from " + released.freeAt());
            return ExitStatus.DONE;
          }
          return refuseToken(result instanceof Superseded, held);
        });
  }

  @Command(
      name = "list",
      description = "List the pools, or the claims of one.",
      mixinStandardHelpOptions = true)
  int list(
      @Mixin DatabaseOptions database,
      @Parameters(
              paramLabel = "POOL",
              arity = "0..1",
              description = "The pool whose claims are listed.")
          @Nullable String name,
      @Option(names = "--client", paramLabel = "CLIENT", description = "Only this client's.")
          @Nullable String client,
      @Option(names = "--owner", paramLabel = "OWNER", description = "Only this owner's.")
          @Nullable String owner,
      @Option(names = "--after", paramLabel = "VALUE", description = "Only those behind it.")
          @Nullable String after,
      @Option(
              names = "--limit",
              paramLabel = "N",
              defaultValue = "1000",
              description = "How many at most, 1 to 1000. Default: ${DEFAULT-VALUE}")
          int limit,
      @Option(names = "--json", description = "Print them as JSON.") boolean json) {
    if (name == null) {
      return stats(database, null, json);
    }
    return withPools(
        database,
        pools -> {
          List<Claim> claims =
              pools
                  .open(name)
                  .claims(
                      Optional.ofNullable(client),
                      Optional.ofNullable(owner),
                      Optional.ofNullable(after),
                      limit);
          if (json) {
            Json.print(out(), PoolJson.Page.of(claims, limit));
          } else {
            claims.forEach(claim -> out().println(describe(claim)));
          }
          return ExitStatus.DONE;
        });
  }

  @Command(
      name = "stats",
      description = "Show how many values are free, held and quarantined.",
      mixinStandardHelpOptions = true)
  int stats(
      @Mixin DatabaseOptions database,
      @Parameters(paramLabel = "POOL", arity = "0..1", description = "One pool. Default: all")
          @Nullable String name,
      @Option(names = "--json", description = "Print them as JSON.") boolean json) {
    return withPools(
        database,
        pools -> {
          pools.sweep();
          List<PoolJson.Standing> standings =
              (name == null ? pools.names() : List.of(name))
                  .stream().map(pools::open).map(PoolJson.Standing::of).toList();
          if (json) {
            Json.print(out(), name == null ? standings : standings.get(0));
          } else {
            standings.forEach(standing -> out().println(describe(standing)));
          }
          return ExitStatus.DONE;
        });
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
  }

  private interface Work {
    int with(Pools pools);
  }

  private int withPools(DatabaseOptions options, Work work) {
    try (CloseAtExit atExit = new CloseAtExit()) {
      Database database = atExit.add(options.openToUse());
      Pools pools = Pools.over(database.connectionPool("mintmark-pool", 1));
      return work.with(pools);
    } finally {
      out().flush();
    }
  }

  private int show(ClaimResult result, boolean json) {
    if (result instanceof Granted granted) {
      printClaim(granted.claim(), json);
      return ExitStatus.DONE;
    }
    if (result instanceof AlreadyHeld held) {
      err().println("mintmark: held already, since " + held.claim().claimedAt());
      printClaim(held.claim(), json);
      return ExitStatus.DONE;
    }
    err().println("mintmark: " + refusal(result));
    return ExitStatus.NO;
  }

  private int refuseToken(boolean superseded, HeldValue held) {
    err()
        .println(
            superseded
                ? "mintmark: pool \"%s\": %s is held by a claim with another token than %d"
                    .formatted(held.pool, held.value, held.token)
                : "mintmark: pool \"%s\": %s is held by nobody".formatted(held.pool, held.value));
    return ExitStatus.NO;
  }

  private void printClaim(Claim claim, boolean json) {
    if (json) {
      Json.print(out(), PoolJson.Held.of(claim));
    } else {
      out().println(claim.value());
    }
  }

  /** Why nothing was granted, here and over HTTP. */
  static String refusal(ClaimResult result) {
    if (result instanceof QuotaReached reached) {
      return "pool \"%s\": %s %s may hold %d values"
          .formatted(
              reached.pool(),
              reached.quota().name().toLowerCase(Locale.ROOT),
              Quoted.of(reached.holder()),
              reached.limit());
    }
    if (result instanceof ValueTaken taken) {
      return "pool \"%s\": %s is not to be had".formatted(taken.pool(), taken.value());
    }
    return describe((Exhausted) result);
  }

  /** What a client that found nothing free is told. */
  private static String describe(Exhausted exhausted) {
    return "pool \"%s\": exhausted at %s, ask again in %s"
        .formatted(exhausted.pool(), exhausted.at(), DurationText.format(exhausted.retryAfter()));
  }

  private static String describe(Claim claim) {
    return claim.value()
        + "  "
        + claim.client()
        + claim.owner().map(owner -> "  owner " + owner).orElse("")
        + "  since "
        + claim.claimedAt()
        + claim.expiresAt().map(end -> "  until " + end).orElse("")
        + "  token "
        + claim.token();
  }

  private static String describe(PoolJson.Standing standing) {
    return "%s  %s  capacity=%d free=%d held=%d quarantined=%d"
        .formatted(
            standing.name(),
            String.join(" ", standing.blocks()),
            standing.capacity(),
            standing.free(),
            standing.held(),
            standing.quarantined());
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
