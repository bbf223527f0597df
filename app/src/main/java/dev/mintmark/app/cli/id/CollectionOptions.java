package dev.mintmark.app.cli.id;

import dev.mintmark.app.service.MintRequest;
import dev.mintmark.catalog.CatalogReader;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which collection a command works for. */
final class CollectionOptions {
  @Option(
      names = "--collection",
      paramLabel = "NAME",
      description = "The collection of the catalog that the ids belong to.")
  @Nullable String collection;

  @Option(
      names = "--catalog",
      paramLabel = "FILE",
      defaultValue = "mintmark.yaml",
      description = "Where collections are declared. Default: ${DEFAULT-VALUE}")
  Path catalogFile;

  /** What the collection declares, if one is named. */
  Optional<MintRequest> minting() {
    return Optional.ofNullable(collection)
        .map(name -> MintRequest.of(CatalogReader.read(catalogFile), name));
  }
}
