package dev.mintmark.app.cli.common;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** A file, or one of the standard streams, that cannot be read or written. */
public final class FileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean ofBrokenPipe;

  /**
   * One of a file.
   *
   * @param name the file and what it is for: {@code output b.csv}
   */
  public FileException(String name, IOException cause) {
    super(name + ": " + why(cause), cause);
    this.ofBrokenPipe = "Broken pipe".equals(cause.getMessage());
  }

  /** In words: what Java says of some of them is the name of the file, or nothing. */
  private static String why(IOException cause) {
    if (cause instanceof NoSuchFileException) {
      return "there is no such file";
    }
    if (cause instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (cause instanceof ClosedChannelException) {
      return "given up, since the program ends";
    }
    return cause instanceof FileSystemException e && e.getReason() != null
        ? e.getReason()
        : String.valueOf(cause.getMessage());
  }

  /** Whether nobody reads on. */
  public boolean isOfBrokenPipe() {
    return ofBrokenPipe;
  }
}
