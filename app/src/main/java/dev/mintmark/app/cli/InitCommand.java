package dev.mintmark.app.cli;

import dev.mintmark.Kind;
import dev.mintmark.app.cli.common.Asker;
import dev.mintmark.app.cli.common.CalledAs;
import dev.mintmark.app.cli.common.Confirmation;
import dev.mintmark.app.cli.common.DatabaseOptions;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.FileException;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.operations.doctor.CatalogDraft;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mintmark init}: writes a first catalog. */
@Command(
    name = "init",
    description = {
      "Write a first mintmark.yaml, with comments: a draft of the tables of a database, if one is"
          + " selected, otherwise from three questions on a terminal.",
      "An existing file is not replaced without --force. The database is only read."
    },
    mixinStandardHelpOptions = true)
final class InitCommand implements Callable<Integer> {
  private static final String TEMPLATE =
      """
      # The identifiers of this system. mintmark catalog check reads this file; every part is described in
      # docs/catalog.md. mintmark catalog schema > mintmark.schema.json lets editors complete and check it.
      # yaml-language-server: $schema=mintmark.schema.json

      # Begins the pURIs of this system: %1$s:%2$s:...
      namespace: %1$s

      # A collection is a table with identifiers. mintmark mint --collection %2$s mints one.
      collections:
        %2$s: { kind: %3$s, table: %2$s, column: id }

      # A pool has scarce values, which clients claim: addresses, numbers or names.
      # mintmark serve creates the pools of this file.
      # pools:
      #   workers: { range: 0..1023, lease: 30s }
      """;

  @Spec CommandSpec spec;

  @Mixin DatabaseOptions database;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      defaultValue = "mintmark.yaml",
      description = "The file to write. Default: ${DEFAULT-VALUE}")
  Path file;

  @Option(names = "--stdout", description = "Print the catalog instead of writing a file.")
  boolean printed;

  @Option(names = "--force", description = "Replace an existing file.")
  boolean force;

  @Mixin Confirmation confirmation;

  @Override
  public Integer call() {
    if (!printed && !force && Files.exists(file)) {
      throw exists();
    }
    String yaml = database.named().isPresent() || database.isDataGiven() ? draft() : answered();
    PrintWriter out = spec.commandLine().getOut();
    if (printed) {
      out.print(yaml);
    } else {
      write(yaml);
      out.println("wrote " + file);
      out.println(CalledAs.in("next: mintmark catalog check " + file));
    }
    out.flush();
    return ExitStatus.DONE;
  }

  private String draft() {
    try (CloseAtExit atExit = new CloseAtExit()) {
      Database opened = atExit.open(database::openAsItIs);
      try {
        return CatalogDraftPrinter.yaml(CatalogDraft.of(opened.connection()));
      } catch (SQLException e) {
        throw opened.failure(e);
      }
    }
  }

  /** Asks on a terminal; otherwise, and with {@code --yes}, every answer is the default. */
  private String answered() {
    boolean asks = !confirmation.isGiven() && confirmation.canAsk();
    Asker asker = Asker.of(asks, spec.commandLine().getErr());
    String namespace =
        asker.ask(
            "Namespace, which begins every pURI",
            namespaceOf(file.toAbsolutePath().normalize()),
            text -> checked(text, "things", Kind.UUIDV7.label()));
    String table =
        asker.ask(
            "A table with identifiers",
            "customers",
            text -> checked(namespace, text, Kind.UUIDV7.label()));
    String kind =
        asker.ask(
            "Their kind",
            Kind.UUIDV7.label(),
            text -> checked(namespace, table, Kind.parse(text).label()));
    return checked(namespace, table, kind);
  }

  /** Returns the catalog, which the reader accepts. */
  private static String checked(String namespace, String table, String kind) {
    String yaml = TEMPLATE.formatted(namespace, table, kind);
    CatalogReader.read("catalog", yaml);
    return yaml;
  }

  /** The name of the directory as a namespace. */
  static String namespaceOf(Path file) {
    Path directory = file.getParent();
    String name =
        directory == null || directory.getFileName() == null
            ? ""
            : directory.getFileName().toString().toLowerCase(Locale.ROOT);
    String letters = name.replaceAll("[^a-z0-9]", "");
    return letters.matches("[a-z][a-z0-9]{1,30}") ? letters : "acme";
  }

  private void write(String yaml) {
    try {
      if (force) {
        Path beside = Path.of(file + ".new");
        Files.writeString(beside, yaml);
        Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
      } else {
        Files.writeString(file, yaml, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      }
    } catch (FileAlreadyExistsException e) {
      throw exists();
    } catch (IOException e) {
      throw new FileException("catalog " + file, e);
    }
  }

  private IllegalArgumentException exists() {
    return new IllegalArgumentException(
        file + " exists: --force replaces it, --stdout prints the catalog instead");
  }
}
