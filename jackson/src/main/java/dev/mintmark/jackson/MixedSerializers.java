package dev.mintmark.jackson;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.Serializers;

/** The serializers of records for unknown types. */
final class MixedSerializers extends Serializers.Base {
  private final Map<Class<?>, UnknownRecord> byType;

  MixedSerializers(Map<Class<?>, UnknownRecord> byType) {
    this.byType = byType;
  }

  @Override
  public @Nullable ValueSerializer<?> findSerializer(
      SerializationConfig config,
      JavaType type,
      BeanDescription.Supplier description,
      JsonFormat.Value format) {
    UnknownRecord unknown = byType.get(type.getRawClass());
    return unknown == null ? null : new UnknownSerializer(unknown);
  }
}
