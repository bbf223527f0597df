package dev.mintmark.spring;

import java.util.Optional;

/** Finds out where in the body of a request reading failed. */
interface BodyPointer {
  /**
   * Returns the place as a JSON pointer in a fragment of a URI (RFC 6901): {@code #/items/1/order}.
   *
   * @param failure an exception in the chain of causes
   * @return empty if the exception is not one of the library that this knows
   */
  Optional<String> find(Throwable failure);
}
