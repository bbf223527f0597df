package dev.mintmark.client;

import org.jspecify.annotations.Nullable;

/**
 * What answered is not a server of Mintmark, or something between changed its answer: the answer is
 * a redirect, HTML of a proxy, malformed JSON, or too large.
 */
public final class AnswerException extends MintmarkException {
  private static final long serialVersionUID = 1L;

  private final int status;

  AnswerException(int status, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  /** The status of the answer. */
  public int status() {
    return status;
  }
}
