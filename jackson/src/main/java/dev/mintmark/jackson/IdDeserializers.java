package dev.mintmark.jackson;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.Deserializers;

/** The deserializers of identifiers. */
final class IdDeserializers extends Deserializers.Base {
  private final IdTexts texts;

  IdDeserializers(IdTexts texts) {
    this.texts = texts;
  }

  @Override
  public @Nullable ValueDeserializer<?> findBeanDeserializer(
      JavaType type, DeserializationConfig config, BeanDescription.Supplier description) {
    return texts
        .find(type.getRawClass())
        .<ValueDeserializer<?>>map(IdDeserializer::new)
        .orElse(null);
  }

  @Override
  public boolean hasDeserializerFor(DeserializationConfig config, Class<?> type) {
    return texts.find(type).isPresent();
  }
}
