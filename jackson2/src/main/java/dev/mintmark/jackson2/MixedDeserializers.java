package dev.mintmark.jackson2;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.deser.Deserializers;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The deserializers of sealed interfaces, and of their records for unknown types. */
final class MixedDeserializers extends Deserializers.Base {
  private final Map<Class<?>, MixedInterface> byType;
  private final PuriTexts texts;

  MixedDeserializers(Map<Class<?>, MixedInterface> byType, PuriTexts texts) {
    this.byType = byType;
    this.texts = texts;
  }

  @Override
  public @Nullable JsonDeserializer<?> findBeanDeserializer(
      JavaType type, DeserializationConfig config, BeanDescription description) {
    MixedInterface mixed = byType.get(type.getRawClass());
    return mixed == null ? null : new MixedDeserializer(mixed, texts);
  }

  @Override
  public boolean hasDeserializerFor(DeserializationConfig config, Class<?> type) {
    return byType.containsKey(type);
  }
}
