package dev.mintmark.app.cli.id;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Form;
import dev.mintmark.IdReader;
import dev.mintmark.IdType;
import dev.mintmark.app.cli.common.CatalogFile;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.SecretOption;
import dev.mintmark.app.service.CollectionForms;
import dev.mintmark.app.service.MintRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mintmark mask}: shows identifiers as masks, and opens masks. Needs no database. */
@Command(
    name = "mask",
    description = "Show identifiers as the masks of their collection, or open masks.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
public final class MaskCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  /** What both commands are told. */
  static final class Options {
    @Parameters(
        index = "0",
        paramLabel = "COLLECTION",
        description = "The collection, as the catalog declares it with a face.")
    String collection = "";

    @Parameters(
        index = "1..*",
        paramLabel = "ID",
        description = "The identifiers or masks. Default: the lines of stdin")
    @Nullable List<String> ids;

    @Option(
        names = "--catalog",
        paramLabel = "FILE",
        defaultValue = "mintmark.yaml",
        description = "The catalog. Default: ${DEFAULT-VALUE}")
    Path catalogFile = Path.of("mintmark.yaml");

    @Mixin SecretOption secret = new SecretOption();

    @Option(names = "--json", description = "Print input, output and error of each as JSON.")
    boolean json;

    private List<String> ids() {
      return ids == null ? List.of() : ids;
    }

    private CollectionForms forms(Catalog catalog) {
      return CollectionForms.of(catalog, secret::keyring);
    }
  }

  /** Prints the help if no subcommand is given. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitStatus.USAGE;
  }

  @Command(
      name = "show",
      description = {
        "Print the mask of each identifier, made with the newest secret.",
        "An identifier may have any form that ${ROOT-COMMAND-NAME} convert reads. Exit status 1 if"
            + " one is not an identifier of the collection: it is reported on stderr with its"
            + " position, and its line is empty."
      },
      footer = {"", "Example: ${ROOT-COMMAND-NAME} mask show payments PM000123"},
      mixinStandardHelpOptions = true)
  int show(@Mixin Options options) {
    Catalog catalog = CatalogFile.read(spec, options.catalogFile);
    CollectionSpec collection = collection(catalog, options);
    IdReader reader = IdReader.of(IdType.of(collection));
    return TextConversion.run(
        subcommand("show"),
        options.ids(),
        options.json,
        options.forms(catalog).writing(Form.MASK, Optional.of(collection), reader));
  }

  @Command(
      name = "open",
      description = {
        "Print the identifier of each mask, in the text of its kind.",
        "A mask of any secret of the keyring opens. Exit status 1 if one does not: it is reported on"
            + " stderr with its position, and its line is empty. That does not replace a check of"
            + " access to the row."
      },
      footer = {
        "",
        "Example: ${ROOT-COMMAND-NAME} mask open payments pay_a3wdgw0zrbmsq56da6a6w62jdy2"
      },
      mixinStandardHelpOptions = true)
  int open(@Mixin Options options) {
    Catalog catalog = CatalogFile.read(spec, options.catalogFile);
    return TextConversion.run(
        subcommand("open"),
        options.ids(),
        options.json,
        options.forms(catalog).opening(collection(catalog, options), Optional.empty()));
  }

  private static CollectionSpec collection(Catalog catalog, Options options) {
    return MintRequest.of(catalog, options.collection).collection().orElseThrow();
  }

  private CommandSpec subcommand(String name) {
    return Objects.requireNonNull(spec.commandLine().getSubcommands().get(name), name)
        .getCommandSpec();
  }
}
