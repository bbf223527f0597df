package dev.mintmark.postgres.jdbc;

import dev.mintmark.Quoted;
import java.lang.reflect.Array;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The binary format of an array of one dimension: that of {@code array_send}, after the length.
 *
 * @param element the type of its elements
 * @param elementId the number of the declared type of its elements in {@code pg_type}: of a domain
 *     or an enum itself
 */
record CopyArray(CopyType element, int elementId) {
  private static final int NO_DIMENSION = 0;
  private static final int ONE_DIMENSION = 1;

  /** The index of the first element. */
  private static final int LOWER_BOUND = 1;

  /** The accepted classes of values, for messages. */
  String accepted() {
    return "Collection or array of " + element.accepted();
  }

  /**
   * Writes a value with its length.
   *
   * @return false if it is neither a collection nor an array
   * @throws IllegalArgumentException if an element has a class that its type does not accept, or is
   *     out of its range
   */
  boolean put(CopyBuffer buffer, Object value) {
    if (value instanceof Collection<?> collection) {
      putElements(buffer, collection.toArray());
    } else if (value.getClass().isArray()) {
      putElements(buffer, boxed(value));
    } else {
      return false;
    }
    return true;
  }

  private static @Nullable Object[] boxed(Object array) {
    @Nullable Object[] elements = new @Nullable Object[Array.getLength(array)];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = Array.get(array, i);
    }
    return elements;
  }

  private void putElements(CopyBuffer buffer, @Nullable Object[] elements) {
    int start = buffer.startValue();
    buffer.putInt(elements.length == 0 ? NO_DIMENSION : ONE_DIMENSION);
    buffer.putInt(0); // whether there are nulls, which the server sees for itself
    buffer.putInt(elementId);
    if (elements.length > 0) {
      buffer.putInt(elements.length);
      buffer.putInt(LOWER_BOUND);
    }
    for (int i = 0; i < elements.length; i++) {
      putElement(buffer, elements[i], i + 1);
    }
    buffer.endValue(start);
  }

  private void putElement(CopyBuffer buffer, @Nullable Object value, int number) {
    if (value == null) {
      buffer.putInt(CopyType.NULL);
      return;
    }
    boolean isTaken;
    try {
      isTaken = element.put(buffer, value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("element %s: %s".formatted(number, e.getMessage()), e);
    }
    if (!isTaken) {
      throw new IllegalArgumentException(
          "element %s: expected %s, got %s %s"
              .formatted(
                  number,
                  element.accepted(),
                  value.getClass().getSimpleName(),
                  Quoted.of(value.toString())));
    }
  }
}
