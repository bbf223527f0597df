package dev.mintmark.client;

/**
 * The thread was interrupted while it waited for an answer, or before the next attempt. It is still
 * interrupted. It is not known whether the request took effect.
 */
public final class InterruptedCallException extends MintmarkException {
  private static final long serialVersionUID = 1L;

  InterruptedCallException(InterruptedException cause) {
    super("interrupted while waiting for the server", cause);
  }
}
