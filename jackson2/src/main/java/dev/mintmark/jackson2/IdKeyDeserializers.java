package dev.mintmark.jackson2;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.deser.KeyDeserializers;
import org.jspecify.annotations.Nullable;

/** The deserializers of identifiers that are keys of maps. */
final class IdKeyDeserializers implements KeyDeserializers {
  private final IdTexts texts;

  IdKeyDeserializers(IdTexts texts) {
    this.texts = texts;
  }

  @Override
  public @Nullable KeyDeserializer findKeyDeserializer(
      JavaType type, DeserializationConfig config, BeanDescription description) {
    return texts.find(type.getRawClass()).map(IdKeyDeserializer::new).orElse(null);
  }
}
