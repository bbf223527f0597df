package dev.mintmark.jackson2;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.deser.Deserializers;
import dev.mintmark.Puri;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The deserializers of sealed interfaces, and of their records for unknown types. */
final class MixedDeserializers extends Deserializers.Base {
  private final Map<Class<?>, MixedInterface> byType;
  private final IdText<Puri> puris;

  MixedDeserializers(Map<Class<?>, MixedInterface> byType, IdText<Puri> puris) {
    this.byType = byType;
    this.puris = puris;
  }

  @Override
  public @Nullable JsonDeserializer<?> findBeanDeserializer(
      JavaType type, DeserializationConfig config, BeanDescription description) {
    MixedInterface mixed = byType.get(type.getRawClass());
    return mixed == null ? null : new MixedDeserializer(mixed, puris);
  }

  @Override
  public boolean hasDeserializerFor(DeserializationConfig config, Class<?> type) {
    return byType.containsKey(type);
  }
}
