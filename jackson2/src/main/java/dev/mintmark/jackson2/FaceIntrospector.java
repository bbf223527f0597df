package dev.mintmark.jackson2;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.PropertyName;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import dev.mintmark.Face;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives classes of identifiers that have faces, and properties that are annotated with {@link
 * Face}, their serializers and deserializers. Jackson prefers those of annotations to those of
 * modules, so the order of modules does not matter.
 */
@SuppressWarnings("serial") // Jackson declares it serializable; a mapper with faces is not.
final class FaceIntrospector extends NopAnnotationIntrospector {
  private final Faces faces;
  private final NewFaceNames names;

  FaceIntrospector(Faces faces, NewFaceNames names) {
    this.faces = faces;
    this.names = names;
  }

  @Override
  public @Nullable Object findSerializer(Annotated property) {
    IdText<?> text = text(property, false);
    return text == null ? null : new IdSerializer<>(text);
  }

  @Override
  public @Nullable Object findContentSerializer(Annotated property) {
    IdText<?> text = text(property, true);
    return text == null ? null : new IdSerializer<>(text);
  }

  @Override
  public @Nullable Object findDeserializer(Annotated property) {
    IdText<?> text = text(property, false);
    return text == null ? null : new IdDeserializer<>(text);
  }

  @Override
  public @Nullable Object findContentDeserializer(Annotated property) {
    IdText<?> text = text(property, true);
    return text == null ? null : new IdDeserializer<>(text);
  }

  @Override
  public @Nullable List<PropertyName> findPropertyAliases(Annotated property) {
    return names.find(property);
  }

  /** The text of a class, of a property, or of the elements of one that holds several. */
  private @Nullable IdText<?> text(Annotated property, boolean ofContent) {
    if (property instanceof AnnotatedClass) {
      return ofContent ? null : faces.find(property.getRawType()).orElse(null);
    }
    Face face = property.getAnnotation(Face.class);
    if (face == null) {
      return null;
    }
    JavaType type = type(property);
    JavaType content = holdsObjects(type) ? type.getContentType() : null;
    if ((content != null) != ofContent) {
      return null;
    }
    return faces.of((content == null ? type : content).getRawClass(), face);
  }

  private static JavaType type(Annotated property) {
    boolean isSetter =
        property instanceof AnnotatedMethod method && method.getParameterCount() == 1;
    return isSetter ? ((AnnotatedMethod) property).getParameterType(0) : property.getType();
  }

  /**
   * Jackson asks arrays of primitives for no serializer of their elements, so they have no face.
   */
  private static boolean holdsObjects(JavaType type) {
    return type.isCollectionLikeType()
        || type.isReferenceType()
        || (type.isArrayType() && !type.getContentType().isPrimitive());
  }
}
