package dev.mintmark.spark.job;

/** The job cannot continue. It can be run again after the problem in the message is solved. */
final class JobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  JobException(String message) {
    super(message);
  }

  JobException(String message, Throwable cause) {
    super(message, cause);
  }
}
