package dev.mintmark.spring;

import org.jspecify.annotations.Nullable;

/** Why an application cannot start, and what to do about it. The message does not quote secrets. */
final class StartFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String remedy;

  StartFailure(String message, String remedy) {
    this(message, remedy, null);
  }

  StartFailure(String message, String remedy, @Nullable Throwable cause) {
    super(message, cause);
    this.remedy = remedy;
  }

  /** What to do about it: whole sentences. */
  String remedy() {
    return remedy;
  }
}
