package dev.mintmark.spring;

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
 * Opens faces in path variables, parameters and forms, and shows them in addresses: of classes that
 * are annotated with {@link InCollection}, if the collection has a face. The plain text of such an
 * identifier is malformed.
 */
final class FaceConverter implements ConditionalGenericConverter {
  private final Masks masks;
  private final DeclaredIdTypes types;
  private final Map<Class<?>, Optional<Mask<?>>> known = new ConcurrentHashMap<>();

  FaceConverter(Masks masks, DeclaredIdTypes types) {
    this.masks = masks;
    this.types = types;
  }

  /** Any classes: which of them have a face is known when the first is asked for. */
  @Override
  public @Nullable Set<ConvertiblePair> getConvertibleTypes() {
    return null;
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
    return mask.showAlone((T) id);
  }

  private Optional<Mask<?>> mask(TypeDescriptor type) {
    Class<?> javaType = type.getType();
    InCollection annotation = javaType.getAnnotation(InCollection.class);
    return annotation == null
        ? Optional.empty()
        : known.computeIfAbsent(javaType, each -> find(each, annotation.value()));
  }

  private Optional<Mask<?>> find(Class<?> javaType, String collection) {
    return masks.find(javaType).isEmpty()
        ? Optional.empty()
        : types.find(javaType).map(type -> masks.of(type, collection));
  }

  private static boolean isText(TypeDescriptor type) {
    return type.getType() == String.class;
  }
}
