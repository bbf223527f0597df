package dev.mintmark.spring;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;

/**
 * Converts identifiers from texts and to texts.
 *
 * @param <S> what knows the texts of a class of identifiers
 */
abstract class TextConverter<S> implements ConditionalGenericConverter {
  /** Returns what knows the texts of a class; empty if it is none of identifiers. */
  abstract Optional<? extends S> find(Class<?> javaType);

  abstract Object read(S texts, String text);

  /** Writes an identifier of the class for which the texts were found. */
  abstract String write(S texts, Object id);

  /** Any classes: which of them are identifiers is known when the first is asked for. */
  @Override
  public final @Nullable Set<ConvertiblePair> getConvertibleTypes() {
    return null;
  }

  @Override
  public final boolean matches(TypeDescriptor source, TypeDescriptor target) {
    return (isText(source) && find(target.getType()).isPresent())
        || (isText(target) && find(source.getType()).isPresent());
  }

  @Override
  public final @Nullable Object convert(
      @Nullable Object source, TypeDescriptor sourceType, TypeDescriptor targetType) {
    if (source == null) {
      return null;
    }
    return isText(sourceType)
        ? read(find(targetType.getType()).orElseThrow(), source.toString())
        : write(find(sourceType.getType()).orElseThrow(), source);
  }

  private static boolean isText(TypeDescriptor type) {
    return type.getType() == String.class;
  }
}
