package dev.mintmark.app.cli.id;

import dev.mintmark.CidrBlock;
import dev.mintmark.Ipv6Embedding;
import dev.mintmark.Ipv6Hash;
import dev.mintmark.app.cli.common.Verbosity;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mintmark ipv6}: the IPv6 address of a client. Needs no database. */
@Command(
    name = "ipv6",
    description = {
      "Print the IPv6 address of a client, or the client of an address, without a database.",
      "The number in the low bits is a client that is a number, an IPv4 address, or the SHA-256 of"
          + " the name of a client. A name cannot be read back, and two clients can have one address:"
          + " the odds are printed on stderr."
    },
    footer = {
      "",
      "Examples:",
      "  ${ROOT-COMMAND-NAME} ipv6 --prefix 2001:db8:42::/96 --embed client 500000",
      "  ${ROOT-COMMAND-NAME} ipv6 --prefix 2001:db8:42::/96 --embed ipv4 --extract 2001:db8:42::2d43:5001",
      "  ${ROOT-COMMAND-NAME} ipv6 --prefix 2001:db8:42::/64 --embed hash vm-43943"
    },
    mixinStandardHelpOptions = true)
public final class Ipv6Command implements Callable<Integer> {
  @Spec CommandSpec spec;

  /** The number in the low bits. */
  enum Embedded {
    CLIENT,
    IPV4,
    HASH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Parameters(
      paramLabel = "VALUE",
      arity = "0..*",
      description =
          "The clients or IPv4 addresses; with --extract, IPv6 addresses. Default: the lines of"
              + " stdin")
  List<String> values = List.of();

  @Option(
      names = "--prefix",
      paramLabel = "BLOCK",
      required = true,
      description = "The IPv6 block of the addresses: 2001:db8:42::/96.")
  String prefix;

  @Option(
      names = "--embed",
      paramLabel = "WHAT",
      required = true,
      description =
          "What the low bits hold: ${COMPLETION-CANDIDATES}. hash: the first bits of the SHA-256 of a"
              + " client that is not a number.")
  Embedded embedded;

  @Option(
      names = "--extract",
      description = "Read addresses and print the client or the IPv4 address.")
  boolean extract;

  @Option(
      names = "--clients",
      paramLabel = "COUNT",
      defaultValue = "1000000",
      description =
          "With --embed hash: the number of clients for which the odds are printed. Default:"
              + " ${DEFAULT-VALUE}")
  long clients;

  @Option(names = "--json", description = "Print input, output and error of each as JSON.")
  boolean json;

  @Override
  public Integer call() {
    return TextConversion.run(spec, values, json, conversion());
  }

  private UnaryOperator<String> conversion() {
    CidrBlock block = CidrBlock.parse(prefix);
    if (embedded == Embedded.HASH) {
      return hashed(new Ipv6Hash(block));
    }
    Ipv6Embedding embedding =
        new Ipv6Embedding(
            block,
            embedded == Embedded.IPV4 ? Ipv6Embedding.Source.IPV4 : Ipv6Embedding.Source.CLIENT);
    return extract ? embedding::extract : value -> embedding.addressFor(value, value);
  }

  private UnaryOperator<String> hashed(Ipv6Hash hash) {
    if (extract) {
      throw new ParameterException(
          spec.commandLine(),
          "--extract and --embed hash cannot be combined: a hash does not contain the client");
    }
    Verbosity.notices(spec)
        .println(
            "mintmark: two of %,d clients have one address with a probability of %.2g: keep a unique index"
                .formatted(clients, hash.collisionProbability(clients)));
    return hash::addressFor;
  }
}
