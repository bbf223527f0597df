package dev.mintmark.app.cli;

import dev.mintmark.Block;
import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.CollectionSpec.Reference;
import dev.mintmark.PoolSpec;
import dev.mintmark.app.cli.common.CatalogFile;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.Table;
import dev.mintmark.app.cli.common.Table.Column;
import dev.mintmark.app.view.CatalogJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.catalog.CatalogException;
import dev.mintmark.catalog.CatalogSchema;
import dev.mintmark.catalog.ForcedTypes;
import dev.mintmark.catalog.OpenApiComponents;
import dev.mintmark.catalog.PuriScript;
import dev.mintmark.catalog.ReferenceScript;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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
      Catalog catalog = CatalogFile.read(spec, file);
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
        err().println("mintmark: " + e.getMessage() + CatalogFile.remedy(e).orElse(""));
      }
      return ExitStatus.NO;
    } finally {
      out().flush();
      err().flush();
    }
  }

  @Command(
      name = "jooq",
      description = {
        "Print the forced types of the catalog for jOOQ's code generator: an element <forcedTypes> for"
            + " its <database>. Generated fields have the classes of their identifiers, which"
            + " mintmark-jooq converts.",
        "Foreign keys are not in a catalog: name their columns with --reference."
      },
      mixinStandardHelpOptions = true)
  int jooq(
      @Parameters(
              paramLabel = "FILE",
              arity = "0..1",
              defaultValue = "mintmark.yaml",
              description = "The catalog. Default: ${DEFAULT-VALUE}")
          Path file,
      @Option(
              names = "--class",
              paramLabel = "COLLECTION=CLASS",
              description =
                  "Convert the identifiers of a collection to this class, which IdTypes declares:"
                      + " payments=com.acme.PaymentId. Can be repeated.")
          @Nullable Map<String, String> classes,
      @Option(
              names = "--reference",
              paramLabel = "TABLE.COLUMN=COLLECTION",
              description =
                  "A column that refers to a collection: orders.payment_id=payments. Can be"
                      + " repeated.")
          @Nullable Map<String, String> references) {
    try {
      ForcedTypes types = ForcedTypes.of(CatalogFile.read(spec, file));
      for (Map.Entry<String, String> each : entries(classes)) {
        types = types.withClass(each.getKey(), each.getValue());
      }
      for (Map.Entry<String, String> each : entries(references)) {
        types = types.withReference(each.getValue(), Reference.parse(each.getKey()));
      }
      out().print(types.xml());
      out().flush();
      return ExitStatus.DONE;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine().getSubcommands().get("jooq"), String.valueOf(e.getMessage()), e);
    }
  }

  @Command(
      name = "openapi",
      description = {
        "Print the components of an OpenAPI document for pURIs: a schema for pURIs of any type, and one"
            + " for each collection of the catalog, with their patterns. The output is JSON, which is"
            + " YAML too."
      },
      mixinStandardHelpOptions = true)
  int openapi(
      @Parameters(
              paramLabel = "FILE",
              arity = "0..1",
              defaultValue = "mintmark.yaml",
              description = "The catalog. Default: ${DEFAULT-VALUE}")
          Path file) {
    return print("openapi", file, catalog -> OpenApiComponents.of(catalog).json());
  }

  @Command(
      name = "javascript",
      description = {
        "Print an ES module for browsers that reads the pURIs of the catalog, compact or not:"
            + " readPuri('b.p.123'). It has no dependencies."
      },
      mixinStandardHelpOptions = true)
  int javascript(
      @Parameters(
              paramLabel = "FILE",
              arity = "0..1",
              defaultValue = "mintmark.yaml",
              description = "The catalog. Default: ${DEFAULT-VALUE}")
          Path file) {
    return print("javascript", file, catalog -> PuriScript.of(catalog).text());
  }

  @Command(
      name = "references",
      description = {
        "Print the SQL for references to rows of any collection: codes of the types of the catalog,"
            + " functions between pURIs and references, and the columns of tables. Run it with psql -1,"
            + " and again when the catalog has changed. It requires the SQL pack."
      },
      mixinStandardHelpOptions = true)
  int references(
      @Parameters(
              paramLabel = "FILE",
              arity = "0..1",
              defaultValue = "mintmark.yaml",
              description = "The catalog. Default: ${DEFAULT-VALUE}")
          Path file,
      @Option(
              names = "--column",
              paramLabel = "TABLE.NAME",
              description =
                  "Add the columns of a reference to a table: comments.subject adds subject_type,"
                      + " subject_uuid, subject_number and subject_text. Can be repeated.")
          @Nullable List<String> columns) {
    return print("references", file, catalog -> references(catalog, columns).sql());
  }

  private ReferenceScript references(Catalog catalog, @Nullable List<String> columns) {
    ReferenceScript script = ReferenceScript.of(catalog);
    for (String column : columns == null ? List.<String>of() : columns) {
      try {
        script = script.withColumns(Reference.parse(column));
      } catch (IllegalArgumentException e) {
        throw new ParameterException(
            spec.commandLine().getSubcommands().get("references"),
            String.valueOf(e.getMessage()),
            e);
      }
    }
    return script;
  }

  /** Prints what is made of a catalog. */
  private int print(String command, Path file, Function<Catalog, String> printed) {
    try {
      out().print(printed.apply(CatalogFile.read(spec, file)));
      out().flush();
      return ExitStatus.DONE;
    } catch (CatalogException e) {
      throw new ParameterException(
          spec.commandLine().getSubcommands().get(command),
          e.getMessage() + CatalogFile.remedy(e).orElse(""),
          e);
    }
  }

  private static Set<Map.Entry<String, String>> entries(@Nullable Map<String, String> options) {
    return options == null ? Set.of() : options.entrySet();
  }

  private void print(Path file, Catalog catalog) {
    out()
        .println(
            "%s: namespace %s: %s, %s, %s, %s"
                .formatted(
                    file,
                    catalog.namespace(),
                    counted(catalog.collections().size(), "collection"),
                    counted(catalog.others().size(), "namespace") + " of others",
                    counted(catalog.pools().size(), "pool"),
                    counted(catalog.formats().size(), "format")));
    declarations(catalog).print(spec, Stream.empty());
    catalog.lint().forEach(finding -> err().println("warning: " + file + ": " + finding));
  }

  private static Table declarations(Catalog catalog) {
    Table table =
        Table.of(
            Column.identifier("declares"),
            Column.identifier("name"),
            Column.identifier("kind"),
            Column.text("table"),
            Column.text("values"));
    for (CollectionSpec collection : catalog.collections()) {
      String kind = collection.kind().label();
      table.add("collection", collection.name(), kind, collection.table().orElse(""), "");
    }
    for (PoolSpec pool : catalog.pools()) {
      String blocks =
          pool.source()
              .map(source -> "from " + source.pool())
              .orElseGet(
                  () ->
                      pool.blocks().stream().map(Block::toString).collect(Collectors.joining(" ")));
      table.add("pool", pool.name(), "", "", blocks);
    }
    return table;
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
