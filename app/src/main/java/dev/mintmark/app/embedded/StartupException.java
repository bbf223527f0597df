package dev.mintmark.app.embedded;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;

/**
 * The program cannot start with the files, the machine or the database it was given. The message is
 * one line for the person who started it; a stack trace would tell them nothing more.
 */
public final class StartupException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StartupException(String message) {
    super(message);
  }

  public StartupException(String message, Throwable cause) {
    super(message, cause);
  }

  /** What could not be done, and what the file system had against it. */
  static StartupException because(String what, IOException e) {
    return new StartupException(what + ": " + reason(e), e);
  }

  /** The messages of the JDK's file system exceptions are often a path and nothing else. */
  private static String reason(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "a file is in the way";
    }
    if (e instanceof FileSystemException system && system.getReason() != null) {
      return system.getReason();
    }
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }
}
