package dev.mintmark.jackson2;

import dev.mintmark.IdType;
import dev.mintmark.Mask;
import dev.mintmark.OldFace;
import java.util.Optional;
import java.util.function.Function;

/**
 * How identifiers of a class are written and read.
 *
 * @param name what messages call one of them
 * @param parse throws an {@link IllegalArgumentException}
 * @param old the face that the collection had before, which {@code parse} reads too
 */
record IdText<T>(
    String name,
    Class<T> javaType,
    Function<T, String> format,
    Function<String, T> parse,
    Optional<OldFace<T>> old) {
  IdText(String name, Class<T> javaType, Function<T, String> format, Function<String, T> parse) {
    this(name, javaType, format, parse, Optional.empty());
  }

  static <T> IdText<T> of(IdType<T> type) {
    return new IdText<>(type.name(), type.javaType(), type::format, type::parse);
  }

  static <T> IdText<T> of(Class<T> javaType, Mask<T> mask) {
    return new IdText<>("face", javaType, mask::show, mask::open, mask.old());
  }

  /** Whether a number in JSON is an identifier. */
  boolean isNumber() {
    return old.filter(OldFace::isNumber).isPresent();
  }
}
