package dev.mintmark.jackson;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
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

  private static final class IdKeyDeserializer extends KeyDeserializer {
    private final IdText<?> text;

    IdKeyDeserializer(IdText<?> text) {
      this.text = text;
    }

    @Override
    public Object deserializeKey(String key, DeserializationContext context)
        throws JacksonException {
      try {
        return text.parse().apply(key);
      } catch (IllegalArgumentException e) {
        throw context
            .weirdKeyException(text.javaType(), key, String.valueOf(e.getMessage()))
            .withCause(e);
      }
    }
  }
}
