package dev.mintmark.spark.job;

/** The job cannot go on; once what the message says is put right, it can be run again. */
final class JobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  JobException(String message) {
    super(message);
  }

  JobException(String message, Throwable cause) {
    super(message, cause);
  }
}
