package dev.mintmark.jackson2;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.ser.Serializers;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The serializers of records for unknown types. */
final class MixedSerializers extends Serializers.Base {
  private final Map<Class<?>, UnknownRecord> byType;

  MixedSerializers(Map<Class<?>, UnknownRecord> byType) {
    this.byType = byType;
  }

  @Override
  public @Nullable JsonSerializer<?> findSerializer(
      SerializationConfig config, JavaType type, BeanDescription description) {
    UnknownRecord unknown = byType.get(type.getRawClass());
    return unknown == null ? null : new UnknownSerializer(unknown);
  }
}
