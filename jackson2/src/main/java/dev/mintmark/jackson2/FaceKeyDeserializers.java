package dev.mintmark.jackson2;

import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import java.util.Optional;

/** Opens the faces of keys, whatever other modules a mapper has and in which order. */
@SuppressWarnings("serial") // Jackson declares it serializable; a mapper with faces is not.
final class FaceKeyDeserializers extends BeanDeserializerModifier {
  private final Faces faces;

  FaceKeyDeserializers(Faces faces) {
    this.faces = faces;
  }

  @Override
  public KeyDeserializer modifyKeyDeserializer(
      DeserializationConfig config, JavaType type, KeyDeserializer other) {
    Optional<? extends IdText<?>> face = faces.find(type.getRawClass());
    return face.isPresent() ? new IdKeyDeserializer(face.get()) : other;
  }
}
