package dev.mintmark.jackson2;

import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import dev.mintmark.InCollection;
import org.jspecify.annotations.Nullable;

/** Gives properties that are annotated with {@link InCollection} their pURIs. */
@SuppressWarnings("serial") // Jackson declares it serializable; a mapper with a catalog is not.
final class PuriIntrospector extends NopAnnotationIntrospector {
  private final PuriTexts texts;

  PuriIntrospector(PuriTexts texts) {
    this.texts = texts;
  }

  @Override
  public @Nullable Object findSerializer(Annotated property) {
    IdText<?> text = text(property);
    return text == null ? null : new IdSerializer<>(text);
  }

  @Override
  public @Nullable Object findDeserializer(Annotated property) {
    IdText<?> text = text(property);
    return text == null ? null : new IdDeserializer<>(text);
  }

  private @Nullable IdText<?> text(Annotated property) {
    InCollection annotation =
        property instanceof AnnotatedClass ? null : property.getAnnotation(InCollection.class);
    if (annotation == null) {
      return null;
    }
    boolean isSetter =
        property instanceof AnnotatedMethod method && method.getParameterCount() == 1;
    Class<?> javaType =
        isSetter ? ((AnnotatedMethod) property).getRawParameterType(0) : property.getRawType();
    return texts.of(javaType, annotation);
  }
}
