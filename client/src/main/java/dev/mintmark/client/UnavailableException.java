package dev.mintmark.client;

/**
 * No server answered before the deadline: connections failed, or answers did not arrive in time.
 * The cause is that of the last attempt. It is not known whether the request took effect.
 */
public final class UnavailableException extends MintmarkException {
  private static final long serialVersionUID = 1L;

  UnavailableException(String message, Exception cause) {
    super(message, cause);
  }
}
