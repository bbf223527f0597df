package dev.mintmark.app.cli.id;

import dev.mintmark.app.service.MintRequest;
import dev.mintmark.catalog.CatalogReader;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select a collection. */
final class CollectionOptions {
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

  /** Returns what the collection declares, if one is given. */
  Optional<MintRequest> minting() {
    return Optional.ofNullable(collection)
        .map(name -> MintRequest.of(CatalogReader.read(catalogFile), name));
  }
}
