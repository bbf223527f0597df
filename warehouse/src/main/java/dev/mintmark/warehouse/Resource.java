package dev.mintmark.warehouse;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The resource files from which scripts are generated. */
final class Resource {
  private Resource() {}

  /** Returns the text of a resource file of this package. */
  static String text(String name) {
    try (InputStream file = Resource.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalArgumentException("no resource " + name + " of " + Resource.class);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
