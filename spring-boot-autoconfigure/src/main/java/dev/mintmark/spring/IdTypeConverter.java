package dev.mintmark.spring;

import dev.mintmark.IdType;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;

/**
 * Reads and writes the canonical text of the application's own identifier classes: in configuration
 * properties and, where no face is declared, in requests. Mintmark's own classes need no converter,
 * because Spring uses their {@code valueOf(String)}.
 */
final class IdTypeConverter implements ConditionalGenericConverter {
  private final DeclaredIdTypes types;

  IdTypeConverter(DeclaredIdTypes types) {
    this.types = types;
  }

  /** Any classes: which of them are identifiers is known when the first is asked for. */
  @Override
  public @Nullable Set<ConvertiblePair> getConvertibleTypes() {
    return null;
  }

  @Override
  public boolean matches(TypeDescriptor source, TypeDescriptor target) {
    return (isText(source) && types.find(target.getType()).isPresent())
        || (isText(target) && types.find(source.getType()).isPresent());
  }

  @Override
  public @Nullable Object convert(
      @Nullable Object source, TypeDescriptor sourceType, TypeDescriptor targetType) {
    if (source == null) {
      return null;
    }
    return isText(sourceType)
        ? types.find(targetType.getType()).orElseThrow().parse(source.toString())
        : format(types.find(sourceType.getType()).orElseThrow(), source);
  }

  private static <T> String format(IdType<T> type, Object id) {
    return type.format(type.javaType().cast(id));
  }

  private static boolean isText(TypeDescriptor type) {
    return type.getType() == String.class;
  }
}
