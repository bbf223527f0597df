package dev.mintmark.jackson2;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.deser.Deserializers;
import org.jspecify.annotations.Nullable;

/** The deserializers of identifiers. */
final class IdDeserializers extends Deserializers.Base {
  private final IdTexts texts;

  IdDeserializers(IdTexts texts) {
    this.texts = texts;
  }

  @Override
  public @Nullable JsonDeserializer<?> findBeanDeserializer(
      JavaType type, DeserializationConfig config, BeanDescription description) {
    return texts
        .find(type.getRawClass())
        .<JsonDeserializer<?>>map(IdDeserializer::new)
        .orElse(null);
  }

  @Override
  public boolean hasDeserializerFor(DeserializationConfig config, Class<?> type) {
    return texts.find(type).isPresent();
  }
}
