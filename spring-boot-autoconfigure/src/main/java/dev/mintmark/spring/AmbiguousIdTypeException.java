package dev.mintmark.spring;

import dev.mintmark.IdType;

/** Two beans declare the identifiers of one class. */
final class AmbiguousIdTypeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  AmbiguousIdTypeException(Class<?> javaType, IdType<?> one, IdType<?> other) {
    super(
        "two beans of type IdType declare %s: \"%s\" and \"%s\""
            .formatted(javaType.getName(), one, other));
  }
}
