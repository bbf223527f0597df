package dev.mintmark;

/** A mint could not make an identifier that keeps its guarantees. The message has the reason. */
public final class MintException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  public MintException(String message) {
    super(message);
  }
}
