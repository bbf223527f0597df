package dev.mintmark.jackson;

import dev.mintmark.Puri;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.Deserializers;

/** The deserializers of sealed interfaces, and of their records for unknown types. */
final class MixedDeserializers extends Deserializers.Base {
  private final Map<Class<?>, MixedInterface> byType;
  private final IdText<Puri> puris;

  MixedDeserializers(Map<Class<?>, MixedInterface> byType, IdText<Puri> puris) {
    this.byType = byType;
    this.puris = puris;
  }

  @Override
  public @Nullable ValueDeserializer<?> findBeanDeserializer(
      JavaType type, DeserializationConfig config, BeanDescription.Supplier description) {
    MixedInterface mixed = byType.get(type.getRawClass());
    return mixed == null ? null : new MixedDeserializer(mixed, puris);
  }

  @Override
  public boolean hasDeserializerFor(DeserializationConfig config, Class<?> type) {
    return byType.containsKey(type);
  }
}
