package dev.mintmark.spring;

import dev.mintmark.IdType;
import java.util.Optional;

/**
 * Reads and writes the canonical text of the application's own identifier classes: in configuration
 * properties and, where no face is declared, in requests. Mintmark's own classes need no converter,
 * because Spring uses their {@code valueOf(String)}.
 */
final class IdTypeConverter extends TextConverter<IdType<?>> {
  private final DeclaredIdTypes types;

  IdTypeConverter(DeclaredIdTypes types) {
    this.types = types;
  }

  @Override
  Optional<? extends IdType<?>> find(Class<?> javaType) {
    return types.find(javaType);
  }

  @Override
  Object read(IdType<?> type, String text) {
    return type.parse(text);
  }

  @Override
  String write(IdType<?> type, Object id) {
    return format(type, id);
  }

  private static <T> String format(IdType<T> type, Object id) {
    return type.format(type.javaType().cast(id));
  }
}
