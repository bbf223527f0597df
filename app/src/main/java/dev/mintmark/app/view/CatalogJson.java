package dev.mintmark.app.view;

import dev.mintmark.Catalog;
import dev.mintmark.CatalogFinding;
import dev.mintmark.catalog.CatalogException;
import dev.mintmark.catalog.Location;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of {@code mintmark catalog check} as JSON. */
public final class CatalogJson {
  private CatalogJson() {}

  /**
   * The contents of a file, or its error.
   *
   * @param line the line of the error; null without an error, or if it concerns the whole file
   * @param message the error; null without one
   * @param namespace null if there is an error; the counts are then zero
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
      int formats,
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
          catalog.formats().size(),
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
          0,
          List.of());
    }
  }

  /** A name that is hard to keep. */
  record Finding(String what, String name, String why, String advice) {
    static Finding of(CatalogFinding finding) {
      return new Finding(finding.what(), finding.name(), finding.why(), finding.advice());
    }
  }
}
