package dev.mintmark.app.cli.id;

import dev.mintmark.Catalog;
import dev.mintmark.Puris;
import dev.mintmark.app.service.MintRequest;
import dev.mintmark.catalog.CatalogReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select a collection. */
final class CollectionOptions {
  private static final Catalog NONE = new Catalog("undeclared", List.of(), List.of());

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

  /** Returns the collections of pURIs: none if there is no catalog. */
  Puris puris() {
    boolean isThere = collection != null || Files.exists(catalogFile);
    return Puris.of(isThere ? CatalogReader.read(catalogFile) : NONE);
  }

  /** Returns what the collection declares, if one is given. */
  Optional<MintRequest> minting() {
    return Optional.ofNullable(collection)
        .map(name -> MintRequest.of(CatalogReader.read(catalogFile), name));
  }
}
