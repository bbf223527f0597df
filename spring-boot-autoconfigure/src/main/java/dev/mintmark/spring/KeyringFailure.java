package dev.mintmark.spring;

/** The keyring of the faces is missing or malformed. The message does not quote secrets. */
final class KeyringFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  KeyringFailure(String message) {
    super(message);
  }

  KeyringFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
