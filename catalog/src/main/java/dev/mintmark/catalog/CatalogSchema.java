package dev.mintmark.catalog;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * What a catalog may have, as a JSON Schema (draft 2020-12), by which editors complete it and check
 * it while it is written.
 *
 * <p>It accepts every catalog that {@link CatalogReader} reads, but for numbers and names that YAML
 * writes in several ways. It cannot say what one part of a catalog means to another: that names,
 * codes, masks and key labels are given once, that a code of a collection goes with one of its
 * namespace, that the blocks of a pool are of one family and do not overlap, how long a name is in
 * bytes, what the longest duration is, or that the files of lists are there. The reader checks
 * those.
 */
public final class CatalogSchema {
  /** What the schema is called where it is kept as a file. */
  public static final String FILE_NAME = "mintmark.schema.json";

  private CatalogSchema() {}

  /** Returns the text of the schema. */
  public static String text() {
    try (InputStream in = CatalogSchema.class.getResourceAsStream(FILE_NAME)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
