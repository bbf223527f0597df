package dev.mintmark;

/**
 * A text, number or array of bytes that is not the identifier it was taken for. The message quotes
 * it and says where it goes wrong.
 */
public final class MalformedIdException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public MalformedIdException(String message) {
    super(message);
  }
}
