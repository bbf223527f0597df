package dev.mintmark.jackson2;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.ser.Serializers;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The serializers of identifiers, as values or as keys. */
final class IdSerializers extends Serializers.Base {
  private final IdTexts texts;
  private final Function<IdText<?>, JsonSerializer<?>> serializer;

  IdSerializers(IdTexts texts, Function<IdText<?>, JsonSerializer<?>> serializer) {
    this.texts = texts;
    this.serializer = serializer;
  }

  @Override
  public @Nullable JsonSerializer<?> findSerializer(
      SerializationConfig config, JavaType type, BeanDescription description) {
    return texts.find(type.getRawClass()).map(serializer).orElse(null);
  }
}
