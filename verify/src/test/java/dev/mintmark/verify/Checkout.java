package dev.mintmark.verify;

import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout under test. */
public final class Checkout {
  private Checkout() {}

  /** The program as its users start it. */
  static Path launcher() {
    return root().resolve("mintmark");
  }

  /** The folder of the vectors that the tests of all surfaces share. */
  static Path vectors() {
    return root().resolve("vectors");
  }

  public static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.isExecutable(directory.resolve("mintmark"))) {
      directory = directory.getParent();
      if (directory == null) {
        throw new IllegalStateException("no checkout of mintmark around the working directory");
      }
    }
    return directory;
  }
}
