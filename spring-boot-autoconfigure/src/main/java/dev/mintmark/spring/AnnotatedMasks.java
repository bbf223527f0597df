package dev.mintmark.spring;

import dev.mintmark.Face;
import dev.mintmark.Mask;
import dev.mintmark.Masks;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The masks of what is annotated with {@link Face}. Safe for use by many threads. */
final class AnnotatedMasks {
  private final Masks masks;
  private final DeclaredIdTypes types;
  private final Map<Place, Mask<?>> known = new ConcurrentHashMap<>();

  private record Place(Class<?> javaType, String collection) {}

  AnnotatedMasks(Masks masks, DeclaredIdTypes types) {
    this.masks = masks;
    this.types = types;
  }

  /**
   * Returns the mask of a class at an annotation.
   *
   * @throws IllegalStateException if the class cannot have the face, or there is no such face
   */
  Mask<?> of(Class<?> javaType, Face face) {
    return known.computeIfAbsent(new Place(javaType, face.value()), this::find);
  }

  private Mask<?> find(Place place) {
    try {
      Optional<Mask<?>> declared =
          types.find(place.javaType).map(type -> masks.of(type, place.collection));
      return declared.isPresent() ? declared.get() : masks.of(place.javaType, place.collection);
    } catch (IllegalArgumentException e) {
      // An error of the application, which Spring would answer as one of the client.
      throw new IllegalStateException(String.valueOf(e.getMessage()), e);
    }
  }
}
