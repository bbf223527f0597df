package dev.mintmark.app.view;

import dev.mintmark.Catalog;
import dev.mintmark.CatalogFinding;
import dev.mintmark.catalog.CatalogException;
import dev.mintmark.catalog.Location;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is to be said of a catalog, as JSON. */
public final class CatalogJson {
  private CatalogJson() {}

  /**
   * What a file declares, or what is wrong with it.
   *
   * @param line where it is wrong; null where nothing is, or the whole file
   * @param message null where nothing is wrong
   * @param namespace null where something is wrong, and then the rest is zero
   */
  public record Checked(
      String file,
      boolean valid,
      @Nullable Integer line,
      @Nullable String message,
      @Nullable String namespace,
      int collections,
      int namespaces,
      int pools,
      List<Finding> findings) {
    public static Checked of(String file, Catalog catalog) {
      return new Checked(
          file,
          true,
          null,
          null,
          catalog.namespace(),
          catalog.collections().size(),
          catalog.others().size(),
          catalog.pools().size(),
          catalog.lint().stream().map(Finding::of).toList());
    }

    public static Checked of(String file, CatalogException e) {
      return new Checked(
          file,
          false,
          e.location().map(Location::line).orElse(null),
          e.getMessage(),
          null,
          0,
          0,
          0,
          List.of());
    }
  }

  /** A name that is worth a second thought. */
  record Finding(String what, String name, String why, String advice) {
    static Finding of(CatalogFinding finding) {
      return new Finding(finding.what(), finding.name(), finding.why(), finding.advice());
    }
  }
}
