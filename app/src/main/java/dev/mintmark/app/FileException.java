package dev.mintmark.app;

import java.io.IOException;

/** A file, or one of the standard streams, that cannot be read or written. */
final class FileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean ofBrokenPipe;

  /**
   * One of a file.
   *
   * @param name the file and what it is for: {@code output b.csv}
   */
  FileException(String name, IOException cause) {
    super(name + ": " + cause.getMessage(), cause);
    this.ofBrokenPipe = "Broken pipe".equals(cause.getMessage());
  }

  /** Whether nobody reads on. */
  boolean isOfBrokenPipe() {
    return ofBrokenPipe;
  }
}
