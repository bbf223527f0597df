package dev.mintmark.jackson2;

import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.KeyDeserializer;
import java.io.IOException;

/** Reads an identifier from the key of a map. */
final class IdKeyDeserializer extends KeyDeserializer {
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
