package dev.mintmark.jackson;

import java.util.Optional;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;

/** Opens the faces of keys, whatever other modules a mapper has and in which order. */
@SuppressWarnings("serial") // Jackson declares it serializable; a mapper with faces is not.
final class FaceKeyDeserializers extends ValueDeserializerModifier {
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
