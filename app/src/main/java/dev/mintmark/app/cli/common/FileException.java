package dev.mintmark.app.cli.common;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** A file, or one of the standard streams, that cannot be read or written. */
public final class FileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String name;
  private final boolean ofBrokenPipe;

  /**
   * Creates the exception of a file.
   *
   * @param name the purpose and the path of the file: {@code output b.csv}
   */
  public FileException(String name, IOException cause) {
    super(name + ": " + why(cause), cause);
    this.name = name;
    this.ofBrokenPipe = "Broken pipe".equals(cause.getMessage());
  }

  /**
   * Creates the exception of a file that is not what it should be.
   *
   * @param name the purpose and the path of the file: {@code output b.csv}
   */
  public FileException(String name, String why) {
    super(name + ": " + why);
    this.name = name;
    this.ofBrokenPipe = false;
  }

  /** Returns the reason in words: the message of some exceptions is only the path, or null. */
  private static String why(IOException cause) {
    if (cause instanceof NoSuchFileException) {
      return "no such file";
    }
    if (cause instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (cause instanceof ClosedChannelException) {
      return "not completed: the program is ending";
    }
    return cause instanceof FileSystemException e && e.getReason() != null
        ? e.getReason()
        : String.valueOf(cause.getMessage());
  }

  /** Returns whether this is the file of that name, and a pipe that its reader has closed. */
  public boolean isOfBrokenPipe(String file) {
    return ofBrokenPipe && name.equals(file);
  }
}
