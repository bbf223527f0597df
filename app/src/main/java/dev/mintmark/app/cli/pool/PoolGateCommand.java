package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.FileException;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.PoolGateJson;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolGate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool gate}. */
@Command(
    name = "gate",
    description = {
      "Show or change who may claim values of a pool: named owners, a share of all owners, and how"
          + " fast each owner claims. Other claims are refused; renewals and releases never are.",
      "An option replaces its part of the gate, the other parts stay. A claim without an owner counts"
          + " under the name of its client. Running servers apply the gate within 10 s."
    },
    footer = {
      "",
      "Examples:",
      "  ${ROOT-COMMAND-NAME} pool gate public-ipv4 --owners alpha.txt --rate 10/m",
      "  ${ROOT-COMMAND-NAME} pool gate public-ipv4 --share 5%%",
      "  ${ROOT-COMMAND-NAME} pool gate public-ipv4 --open"
    })
final class PoolGateCommand extends PoolSubcommand {
  private static final String NONE = "none";

  @Mixin PoolCommand.PoolName pool;

  @Option(
      names = "--owner",
      paramLabel = "OWNER",
      description = "Let this owner in. Can be repeated; replaces the owners named before.")
  @Nullable List<String> owners;

  @Option(
      names = "--owners",
      paramLabel = "FILE",
      description = "Let the owners of this file in, one a line; none removes all named owners.")
  @Nullable Path ownersFile;

  @Option(
      names = "--share",
      paramLabel = "PERCENT",
      description = "Let this share of all owners in, written with a percent sign; or none.")
  @Nullable String share;

  @Option(
      names = "--rate",
      paramLabel = "N/TIME",
      description =
          "Let each owner claim N values in a time on each server, for example 10/m; or none.")
  @Nullable String rate;

  @Option(names = "--open", description = "Remove the gate: let everybody in at any rate.")
  boolean isOpen;

  @Option(names = "--json", description = "Print the gate as JSON.")
  boolean json;

  @Override
  Work work() {
    boolean changesPart = owners != null || ownersFile != null || share != null || rate != null;
    if (isOpen && changesPart) {
      throw new IllegalArgumentException(
          "--open cannot be combined with --owner, --owners, --share and --rate");
    }
    Optional<Set<String>> named = named();
    Optional<Optional<Integer>> part = given(share, PoolGate::parseShare);
    Optional<Optional<PoolGate.Rate>> speed = given(rate, PoolGate.Rate::parse);
    return pools -> {
      Pool open = pools.open(pool.name);
      PoolGate before = isOpen ? PoolGate.OPEN : open.gate();
      if (isOpen || changesPart) {
        open.setGate(
            new PoolGate(
                named.orElse(before.owners()),
                part.orElse(before.share()),
                speed.orElse(before.rate())));
      }
      print(open.gate());
      return ExitStatus.DONE;
    };
  }

  private void print(PoolGate gate) {
    if (json) {
      Json.print(out(), PoolGateJson.of(gate));
      return;
    }
    if (gate.isOpen()) {
      out().println("open to everybody");
      return;
    }
    boolean isLimited = !gate.owners().isEmpty() || gate.share().isPresent();
    out()
        .println(
            isLimited
                ? "open to %s of all owners and %s named"
                    .formatted(gate.shareText().orElse("0%"), gate.owners().size())
                : "open to everybody");
    gate.rate().ifPresent(limit -> out().println("at most " + limit + " for each owner"));
    gate.owners().forEach(owner -> out().println("owner " + owner));
  }

  /** Reads the value of an option; an empty one for {@code none}. */
  private static <T> Optional<Optional<T>> given(@Nullable String text, Function<String, T> parse) {
    if (text == null) {
      return Optional.empty();
    }
    return Optional.of(text.equals(NONE) ? Optional.empty() : Optional.of(parse.apply(text)));
  }

  private Optional<Set<String>> named() {
    if (owners == null && ownersFile == null) {
      return Optional.empty();
    }
    Set<String> named = new TreeSet<>();
    if (owners != null) {
      named.addAll(owners);
    }
    if (ownersFile != null && !ownersFile.toString().equals(NONE)) {
      try (Stream<String> lines = Files.lines(ownersFile)) {
        lines.map(String::strip).filter(line -> !line.isEmpty()).forEach(named::add);
      } catch (IOException e) {
        throw new FileException("owners " + ownersFile, e);
      }
    }
    return Optional.of(named);
  }
}
