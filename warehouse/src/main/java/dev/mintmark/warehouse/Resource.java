package dev.mintmark.warehouse;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Files beside the classes, from which scripts are made. */
final class Resource {
  private Resource() {}

  /** The text of a file of this package. */
  static String text(String name) {
    try (InputStream file = Resource.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalArgumentException("no file " + name + " beside " + Resource.class);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
