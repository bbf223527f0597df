package dev.mintmark.app.access;

/** A token is malformed, is not for this server, is over, or was not signed by its issuer. */
public final class TokenRejectedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TokenRejectedException(String message) {
    super(message);
  }
}
