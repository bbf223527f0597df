package dev.mintmark.jackson;

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
  private final PuriTexts texts;

  MixedDeserializers(Map<Class<?>, MixedInterface> byType, PuriTexts texts) {
    this.byType = byType;
    this.texts = texts;
  }

  @Override
  public @Nullable ValueDeserializer<?> findBeanDeserializer(
      JavaType type, DeserializationConfig config, BeanDescription.Supplier description) {
    MixedInterface mixed = byType.get(type.getRawClass());
    return mixed == null ? null : new MixedDeserializer(mixed, texts);
  }

  @Override
  public boolean hasDeserializerFor(DeserializationConfig config, Class<?> type) {
    return byType.containsKey(type);
  }
}
