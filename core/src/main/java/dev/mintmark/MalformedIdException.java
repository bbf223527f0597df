package dev.mintmark;

/**
 * A text, number or array of bytes is not an identifier of the expected kind. The message quotes it
 * and has the reason.
 */
public final class MalformedIdException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public MalformedIdException(String message) {
    super(message);
  }
}
