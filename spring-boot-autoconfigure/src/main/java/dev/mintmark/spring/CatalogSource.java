package dev.mintmark.spring;

import dev.mintmark.Catalog;
import dev.mintmark.catalog.CatalogException;
import dev.mintmark.catalog.CatalogReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

/** The place of the catalog, which is read by Mintmark's reader: YAML 1.2, with lines in errors. */
final class CatalogSource {
  /** Where the catalog is unless a property says so. */
  static final String DEFAULT = "classpath:mintmark.yaml";

  private final String location;
  private final Resource resource;

  private CatalogSource(String location, Resource resource) {
    this.location = location;
    this.resource = resource;
  }

  /**
   * @param location the value of {@code mintmark.catalog}, or null: {@value #DEFAULT}
   */
  static CatalogSource of(@Nullable String location, ResourceLoader loader) {
    String place = location == null || location.isBlank() ? DEFAULT : location;
    return new CatalogSource(place, loader.getResource(place));
  }

  boolean exists() {
    return resource.exists();
  }

  /**
   * Reads the catalog. Lists of pools are relative to its file; those of a catalog in a jar to the
   * working directory.
   *
   * @throws StartFailure if it cannot be read or is not a catalog
   */
  Catalog read() {
    if (!exists()) {
      throw new StartFailure(
          "mintmark.catalog is %s, and there is no such file.".formatted(location),
          "Create the file, or set mintmark.catalog to its location, such as"
              + " file:/etc/shop/mintmark.yaml.");
    }
    try {
      return resource.isFile()
          ? CatalogReader.read(resource.getFile().toPath())
          : CatalogReader.read(location, resource.getContentAsString(StandardCharsets.UTF_8));
    } catch (CatalogException e) {
      throw new StartFailure(
          "The catalog is rejected: " + e.getMessage(),
          "Correct the catalog. The command 'mintmark catalog check' checks the same file.",
          e);
    } catch (IOException e) {
      throw new StartFailure(
          "The catalog %s cannot be read: %s".formatted(location, e.getMessage()),
          "Set mintmark.catalog to a file that the application may read.",
          e);
    }
  }
}
