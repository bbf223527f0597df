package dev.mintmark.client;

import org.jspecify.annotations.Nullable;

/**
 * A request had no result. Each class of exception says why. Any request can be repeated, whatever
 * the exception: a client that holds a value already gets the same one.
 */
public abstract sealed class MintmarkException extends RuntimeException
    permits AnswerException, InterruptedCallException, ProblemException, UnavailableException {
  private static final long serialVersionUID = 1L;

  MintmarkException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
