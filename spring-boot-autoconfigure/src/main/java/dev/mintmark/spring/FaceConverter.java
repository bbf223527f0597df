package dev.mintmark.spring;

import dev.mintmark.InCollection;
import dev.mintmark.Mask;
import dev.mintmark.Masks;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Opens faces in path variables, parameters and forms, and shows them in addresses: of classes that
 * are annotated with {@link InCollection}, if the collection has a face. The plain text of such an
 * identifier is malformed.
 */
final class FaceConverter extends TextConverter<Mask<?>> {
  private final Masks masks;
  private final DeclaredIdTypes types;
  private final Map<Class<?>, Optional<Mask<?>>> known = new ConcurrentHashMap<>();

  FaceConverter(Masks masks, DeclaredIdTypes types) {
    this.masks = masks;
    this.types = types;
  }

  @Override
  Optional<Mask<?>> find(Class<?> javaType) {
    InCollection annotation = javaType.getAnnotation(InCollection.class);
    return annotation == null
        ? Optional.empty()
        : known.computeIfAbsent(javaType, each -> find(each, annotation.value()));
  }

  @Override
  Object read(Mask<?> mask, String text) {
    return mask.open(text);
  }

  @Override
  String write(Mask<?> mask, Object id) {
    return show(mask, id);
  }

  @SuppressWarnings("unchecked") // The mask was found for the class of the identifier.
  private static <T> String show(Mask<T> mask, Object id) {
    return mask.showAlone((T) id);
  }

  private Optional<Mask<?>> find(Class<?> javaType, String collection) {
    return masks.find(javaType).isEmpty()
        ? Optional.empty()
        : types.find(javaType).map(type -> masks.of(type, collection));
  }
}
