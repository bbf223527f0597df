package dev.mintmark.jackson2;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.deser.KeyDeserializers;
import java.io.IOException;
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

  private static final class IdKeyDeserializer extends KeyDeserializer {
    private final IdText<?> text;

    IdKeyDeserializer(IdText<?> text) {
      this.text = text;
    }

    @Override
    public Object deserializeKey(String key, DeserializationContext context) throws IOException {
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
