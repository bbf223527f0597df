package dev.mintmark.spring;

import dev.mintmark.Face;
import dev.mintmark.InCollection;
import dev.mintmark.Mask;
import dev.mintmark.Masks;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;

/**
 * Opens faces in path variables, parameters and forms, and shows them in addresses: of records that
 * are annotated with {@link InCollection}, and of parameters with {@link Face}. The plain text of
 * such an identifier is malformed.
 */
final class FaceConverter implements ConditionalGenericConverter {
  private final Masks masks;
  private final DeclaredIdTypes types;
  private final @Nullable Set<ConvertiblePair> pairs;
  private final Map<TypeDescriptor, Optional<Mask<?>>> known = new ConcurrentHashMap<>();

  /**
   * @param pairs the classes that are converted, for which Spring has converters of its own; null
   *     for all others
   */
  FaceConverter(Masks masks, DeclaredIdTypes types, @Nullable Set<ConvertiblePair> pairs) {
    this.masks = masks;
    this.types = types;
    this.pairs = pairs;
  }

  @Override
  public @Nullable Set<ConvertiblePair> getConvertibleTypes() {
    return pairs;
  }

  @Override
  public boolean matches(TypeDescriptor source, TypeDescriptor target) {
    return (isText(source) && mask(target).isPresent())
        || (isText(target) && mask(source).isPresent());
  }

  @Override
  public @Nullable Object convert(
      @Nullable Object source, TypeDescriptor sourceType, TypeDescriptor targetType) {
    if (source == null) {
      return null;
    }
    return isText(sourceType)
        ? mask(targetType).orElseThrow().open(source.toString())
        : show(mask(sourceType).orElseThrow(), source);
  }

  @SuppressWarnings("unchecked") // The mask was found for the class of the identifier.
  private static <T> String show(Mask<T> mask, Object id) {
    return mask.show((T) id);
  }

  private Optional<Mask<?>> mask(TypeDescriptor type) {
    if (!type.hasAnnotation(Face.class)
        && !type.getObjectType().isAnnotationPresent(InCollection.class)) {
      return Optional.empty();
    }
    return known.computeIfAbsent(type, this::find);
  }

  private Optional<Mask<?>> find(TypeDescriptor type) {
    Class<?> javaType = type.getObjectType();
    Face face = type.getAnnotation(Face.class);
    if (face != null) {
      return Optional.of(masks.of(javaType, face.value()));
    }
    // Empty if the collection has no face.
    Optional<? extends Mask<?>> byClass = masks.find(javaType);
    return byClass.flatMap(
        mask ->
            types
                .find(javaType)
                .<Mask<?>>map(
                    own -> masks.of(own, javaType.getAnnotation(InCollection.class).value())));
  }

  private static boolean isText(TypeDescriptor type) {
    return type.getType() == String.class;
  }
}
