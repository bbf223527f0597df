package dev.mintmark.app.access;

/** A request to create a key was repeated: its first attempt has created one. */
public final class KeyCreatedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param id the key that the first attempt created
   */
  KeyCreatedException(String id) {
    super(
        ("the first request with this Idempotency-Key created the key %s, whose text was shown then"
                + " and is stored nowhere: if it is lost, revoke the key and send the request with"
                + " another Idempotency-Key")
            .formatted(id));
  }
}
