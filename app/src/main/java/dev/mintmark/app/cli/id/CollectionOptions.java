package dev.mintmark.app.cli.id;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Puris;
import dev.mintmark.app.cli.common.CatalogFile;
import dev.mintmark.app.service.MintRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that select a collection. */
final class CollectionOptions {
  private static final Catalog NONE = new Catalog("undeclared", List.of(), List.of());

  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  @Option(
      names = "--collection",
      paramLabel = "NAME",
      description = "The collection of the ids, as declared in the catalog.")
  @Nullable String collection;

  @Option(
      names = "--catalog",
      paramLabel = "FILE",
      defaultValue = "mintmark.yaml",
      description = "The catalog. Default: ${DEFAULT-VALUE}")
  Path catalogFile;

  private @Nullable Puris puris;

  /** Returns the collections of pURIs, read once: none if there is no catalog. */
  synchronized Puris puris() {
    if (puris == null) {
      boolean isThere = collection != null || CatalogFile.isPresent(command, catalogFile);
      puris = Puris.of(isThere ? catalog() : NONE);
    }
    return puris;
  }

  /** Reads the catalog. */
  Catalog catalog() {
    return CatalogFile.read(command, catalogFile);
  }

  /** Returns the collection of a name, if there is a catalog that has it. */
  Optional<CollectionSpec> declared(String name) {
    return CatalogFile.isPresent(command, catalogFile)
        ? catalog().collection(name)
        : Optional.empty();
  }

  /** Returns what the collection declares, if one is given. */
  Optional<MintRequest> minting() {
    return Optional.ofNullable(collection).map(name -> MintRequest.of(catalog(), name));
  }
}
