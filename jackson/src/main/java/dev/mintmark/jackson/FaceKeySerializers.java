package dev.mintmark.jackson;

import java.util.Optional;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.ValueSerializerModifier;

/** Writes the faces of keys, whatever other modules a mapper has and in which order. */
@SuppressWarnings("serial") // Jackson declares it serializable; a mapper with faces is not.
final class FaceKeySerializers extends ValueSerializerModifier {
  private final Faces faces;

  FaceKeySerializers(Faces faces) {
    this.faces = faces;
  }

  @Override
  public ValueSerializer<?> modifyKeySerializer(
      SerializationConfig config,
      JavaType type,
      BeanDescription.Supplier description,
      ValueSerializer<?> other) {
    Optional<? extends IdText<?>> face = faces.find(type.getRawClass());
    return face.isPresent() ? new IdKeySerializer<>(face.get()) : other;
  }
}
