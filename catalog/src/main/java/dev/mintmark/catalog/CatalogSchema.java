package dev.mintmark.catalog;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The JSON Schema (draft 2020-12) of a catalog. Editors use it to complete and check a catalog
 * while it is written.
 *
 * <p>The schema accepts every catalog that {@link CatalogReader} reads, except for numbers and
 * names that YAML can write in several ways. Only the reader checks the rules that a schema cannot
 * state: that names, codes, masks and key labels are unique, that a collection has a code only if
 * its namespace has one, that the blocks of a pool are of one family and do not overlap, that
 * another pool can supply a pool with blocks, how long a name is in bytes, the longest duration,
 * and that the files of lists exist.
 */
public final class CatalogSchema {
  /** The name of the file that holds the schema. */
  public static final String FILE_NAME = "mintmark.schema.json";

  private CatalogSchema() {}

  /** Returns the text of the schema. */
  public static String text() {
    try (InputStream in = CatalogSchema.class.getResourceAsStream(FILE_NAME)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
          .replace("\"@kinds@\"", KindConditions.labels())
          .replace("        \"@conditions@\"", KindConditions.conditions());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
