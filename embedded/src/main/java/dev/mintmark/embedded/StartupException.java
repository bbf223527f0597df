package dev.mintmark.embedded;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;

/**
 * The program cannot start with its files, its machine or its database. The message is one line for
 * the user. A stack trace has no further information for them.
 */
public final class StartupException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StartupException(String message) {
    super(message);
  }

  public StartupException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Returns an exception with a description of the failure and the reason from the file system. */
  static StartupException because(String what, IOException e) {
    return new StartupException(what + ": " + reason(e), e);
  }

  /** Returns the reason, because messages of file system exceptions are often only a path. */
  private static String reason(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "a file with this name exists";
    }
    if (e instanceof FileSystemException system && system.getReason() != null) {
      return system.getReason();
    }
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }
}
