package dev.mintmark.jackson;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.Serializers;

/** The serializers of identifiers, as values or as keys. */
final class IdSerializers extends Serializers.Base {
  private final IdTexts texts;
  private final Function<IdText<?>, ValueSerializer<?>> serializer;

  IdSerializers(IdTexts texts, Function<IdText<?>, ValueSerializer<?>> serializer) {
    this.texts = texts;
    this.serializer = serializer;
  }

  @Override
  public @Nullable ValueSerializer<?> findSerializer(
      SerializationConfig config,
      JavaType type,
      BeanDescription.Supplier description,
      JsonFormat.Value format) {
    return texts.find(type.getRawClass()).map(serializer).orElse(null);
  }
}
