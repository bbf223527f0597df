package dev.mintmark.jackson2;

import com.fasterxml.jackson.databind.JavaType;
import dev.mintmark.Face;
import dev.mintmark.IdType;
import dev.mintmark.InCollection;
import dev.mintmark.Masks;
import dev.mintmark.OldFace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The faces of annotated classes and of annotated properties. */
final class Faces implements IdTexts {
  private final Masks masks;
  private final Map<Class<?>, IdType<?>> given;

  Faces(Masks masks, List<? extends IdType<?>> given) {
    this.masks = masks;
    this.given = IdTexts.byClass(given);
  }

  @Override
  public Optional<? extends IdText<?>> find(Class<?> javaType) {
    InCollection annotation = javaType.getAnnotation(InCollection.class);
    if (annotation == null) {
      return Optional.empty();
    }
    IdType<?> type = given.get(javaType);
    return type == null ? masked(javaType) : masked(type, annotation.value());
  }

  /**
   * Returns the text of a property.
   *
   * @throws IllegalArgumentException if objects of the class cannot have a face of that collection
   */
  IdText<?> of(Class<?> javaType, Face face) {
    IdType<?> type = given.get(javaType);
    return type == null ? property(javaType, face) : property(type, face);
  }

  /**
   * Returns what the name of a property is extended by for the new face, if identifiers of such a
   * collection are its value, its elements or its keys.
   */
  Optional<String> suffix(JavaType type) {
    Optional<String> own = find(type.getRawClass()).flatMap(Faces::suffix);
    return own.or(() -> suffixOf(type.getKeyType())).or(() -> suffixOf(type.getContentType()));
  }

  /** Returns the same of a property that is annotated, or whose elements are meant. */
  Optional<String> suffix(JavaType type, Face face) {
    JavaType content = type.getContentType();
    return suffix(of((content == null ? type : content).getRawClass(), face));
  }

  private Optional<String> suffixOf(@Nullable JavaType part) {
    return part == null ? Optional.empty() : suffix(part);
  }

  private static Optional<String> suffix(IdText<?> text) {
    return text.old().map(OldFace::suffix);
  }

  private <T> Optional<IdText<T>> masked(Class<T> javaType) {
    return masks.find(javaType).map(mask -> IdText.of(javaType, mask));
  }

  private <T> Optional<IdText<T>> masked(IdType<T> type, String collection) {
    return masks.find(type, collection).map(mask -> IdText.of(type.javaType(), mask));
  }

  private <T> IdText<T> property(Class<T> javaType, Face face) {
    return IdText.of(javaType, masks.of(javaType, face.value()));
  }

  private <T> IdText<T> property(IdType<T> type, Face face) {
    return IdText.of(type.javaType(), masks.of(type, face.value()));
  }
}
