package dev.mintmark.jackson;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.KeyDeserializer;

/** Reads an identifier from the key of a map. */
final class IdKeyDeserializer extends KeyDeserializer {
  private final IdText<?> text;

  IdKeyDeserializer(IdText<?> text) {
    this.text = text;
  }

  @Override
  public Object deserializeKey(String key, DeserializationContext context) throws JacksonException {
    try {
      return text.parse().apply(key);
    } catch (IllegalArgumentException e) {
      throw context
          .weirdKeyException(text.javaType(), key, String.valueOf(e.getMessage()))
          .withCause(e);
    }
  }
}
