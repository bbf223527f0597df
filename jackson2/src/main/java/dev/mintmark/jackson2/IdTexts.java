package dev.mintmark.jackson2;

import dev.mintmark.IdType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The texts of classes. Thread-safe. */
interface IdTexts {
  /**
   * Returns the text of a class; empty if its objects are not identifiers.
   *
   * @throws IllegalArgumentException if it is declared and cannot be an identifier
   */
  Optional<? extends IdText<?>> find(Class<?> javaType);

  /**
   * Returns types by their classes.
   *
   * @throws IllegalArgumentException if two types have one class
   */
  static Map<Class<?>, IdType<?>> byClass(List<? extends IdType<?>> types) {
    Map<Class<?>, IdType<?>> byClass = new HashMap<>();
    for (IdType<?> type : types) {
      if (byClass.put(type.javaType(), type) != null) {
        throw new IllegalArgumentException(
            "two types of %s: expected one".formatted(type.javaType().getName()));
      }
    }
    return Map.copyOf(byClass);
  }
}
