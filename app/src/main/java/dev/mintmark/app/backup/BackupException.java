package dev.mintmark.app.backup;

/** A backup cannot be made, or a file cannot be restored. The message says why, and what to do. */
public final class BackupException extends RuntimeException {
  private static final long serialVersionUID = 1;

  BackupException(String message) {
    super(message);
  }
}
