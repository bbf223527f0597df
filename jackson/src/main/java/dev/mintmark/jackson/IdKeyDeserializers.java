package dev.mintmark.jackson;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.deser.KeyDeserializers;

/** The deserializers of identifiers that are keys of maps. */
final class IdKeyDeserializers implements KeyDeserializers {
  private final IdTexts texts;

  IdKeyDeserializers(IdTexts texts) {
    this.texts = texts;
  }

  @Override
  public @Nullable KeyDeserializer findKeyDeserializer(
      JavaType type, DeserializationConfig config, BeanDescription.Supplier description) {
    return texts.find(type.getRawClass()).map(IdKeyDeserializer::new).orElse(null);
  }
}
