package dev.mintmark.operations;

import dev.mintmark.fixtures.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Schemas that others have made, with rows: test data beside this class, with their licences. */
public enum SampleSchemas {
  /** A film rental shop: a partitioned table, views, triggers, an enum; eight thousand rows. */
  PAGILA,
  /** A shop for music: generated keys, a table that refers to itself; ten thousand rows. */
  CHINOOK;

  /** Makes the tables of {@code schema} in the schema {@code public} and analyzes them. */
  public static void load(TestDatabase database, SampleSchemas schema) {
    database.execute(schema.file("schema.sql"));
    database.execute(schema.file("data.sql"));
    database.execute("analyze");
  }

  /** The text of a file that is kept with the schema. */
  private String file(String name) {
    String path = "schemas/" + name().toLowerCase(Locale.ROOT) + "/" + name;
    try (InputStream file = SampleSchemas.class.getResourceAsStream(path)) {
      if (file == null) {
        throw new IllegalStateException("no test resource " + path);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
