package dev.mintmark.app.cli.pool;

import dev.mintmark.app.service.LabelCriterion;
import dev.mintmark.app.service.NameCriterion;
import dev.mintmark.postgres.pool.LabelMatch;
import dev.mintmark.postgres.pool.NameMatch;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select claims of a pool: all that fit every option that is given. */
final class ClaimSelection {
  private static final List<String> OPTIONS =
      List.of(
          "--client", "--client-prefix", "--owner", "--owner-prefix", "--label", "--label-prefix");

  @Option(names = "--client", paramLabel = "CLIENT", description = "Only claims of this client.")
  @Nullable String client;

  @Option(
      names = "--client-prefix",
      paramLabel = "PREFIX",
      description = "Only claims of clients whose names begin with this text.")
  @Nullable String clientPrefix;

  @Option(names = "--owner", paramLabel = "OWNER", description = "Only claims of this owner.")
  @Nullable String owner;

  @Option(
      names = "--owner-prefix",
      paramLabel = "PREFIX",
      description = "Only claims of owners whose names begin with this text.")
  @Nullable String ownerPrefix;

  @Option(names = "--label", paramLabel = "KEY:VALUE", description = "Only claims with this label.")
  @Nullable String label;

  @Option(
      names = "--label-prefix",
      paramLabel = "KEY:PREFIX",
      description =
          "Only claims with a label of this key whose value begins with this text. KEY: finds all"
              + " values.")
  @Nullable String labelPrefix;

  /** Returns the names of these options and of others that apply to claims. */
  static List<String> with(String... others) {
    return Stream.concat(OPTIONS.stream(), Stream.of(others)).toList();
  }

  /** Returns the clients that are selected; empty: all. */
  Optional<NameMatch> clients() {
    return NameCriterion.of("--client", client, clientPrefix);
  }

  /** Returns the owners that are selected; empty: all. */
  Optional<NameMatch> owners() {
    return NameCriterion.of("--owner", owner, ownerPrefix);
  }

  /** Returns the labels that are selected; empty: any. */
  Optional<LabelMatch> labels() {
    return LabelCriterion.of("--label", label, labelPrefix);
  }
}
