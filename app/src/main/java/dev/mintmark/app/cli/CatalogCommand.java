package dev.mintmark.app.cli;

import dev.mintmark.Catalog;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.view.CatalogJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.catalog.CatalogException;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.catalog.CatalogSchema;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mintmark catalog}: checks the catalog. Needs no database. */
@Command(
    name = "catalog",
    description = "Check the file that declares collections and pools, or print its JSON Schema.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class CatalogCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  /** Prints the help if no subcommand is given. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitStatus.USAGE;
  }

  @Command(
      name = "schema",
      description = {
        "Print the JSON Schema of the catalog, with which editors complete and check it.",
        "Save it as "
            + CatalogSchema.FILE_NAME
            + " in the directory of the catalog and start the catalog with the line:",
        "# yaml-language-server: $$schema=" + CatalogSchema.FILE_NAME
      },
      mixinStandardHelpOptions = true)
  int schema() {
    out().print(CatalogSchema.text());
    out().flush();
    return ExitStatus.DONE;
  }

  @Command(
      name = "check",
      description = {
        "Print what a catalog declares, or the line of its first error, and warnings about names that"
            + " are hard to keep.",
        "Exit status 1 if it has an error."
      },
      mixinStandardHelpOptions = true)
  int check(
      @Parameters(
              paramLabel = "FILE",
              arity = "0..1",
              defaultValue = "mintmark.yaml",
              description = "The catalog. Default: ${DEFAULT-VALUE}")
          Path file,
      @Option(names = "--json", description = "Print the result as JSON.") boolean json) {
    try {
      Catalog catalog = CatalogReader.read(file);
      if (json) {
        Json.print(out(), CatalogJson.Checked.of(file.toString(), catalog));
      } else {
        print(file, catalog);
      }
      return ExitStatus.DONE;
    } catch (CatalogException e) {
      if (json) {
        Json.print(out(), CatalogJson.Checked.of(file.toString(), e));
      } else {
        err().println("mintmark: " + e.getMessage());
      }
      return ExitStatus.NO;
    } finally {
      out().flush();
      err().flush();
    }
  }

  private void print(Path file, Catalog catalog) {
    out()
        .println(
            "%s: namespace %s: %s, %s, %s"
                .formatted(
                    file,
                    catalog.namespace(),
                    counted(catalog.collections().size(), "collection"),
                    counted(catalog.others().size(), "namespace") + " of others",
                    counted(catalog.pools().size(), "pool")));
    catalog.lint().forEach(finding -> err().println("warning: " + file + ": " + finding));
  }

  private static String counted(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
