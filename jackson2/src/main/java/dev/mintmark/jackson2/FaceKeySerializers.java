package dev.mintmark.jackson2;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import java.util.Optional;

/** Writes the faces of keys, whatever other modules a mapper has and in which order. */
@SuppressWarnings("serial") // Jackson declares it serializable; a mapper with faces is not.
final class FaceKeySerializers extends BeanSerializerModifier {
  private final Faces faces;

  FaceKeySerializers(Faces faces) {
    this.faces = faces;
  }

  @Override
  public JsonSerializer<?> modifyKeySerializer(
      SerializationConfig config,
      JavaType type,
      BeanDescription description,
      JsonSerializer<?> other) {
    Optional<? extends IdText<?>> face = faces.find(type.getRawClass());
    return face.isPresent() ? new IdKeySerializer<>(face.get()) : other;
  }
}
