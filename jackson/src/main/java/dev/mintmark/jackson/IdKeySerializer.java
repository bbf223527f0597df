package dev.mintmark.jackson;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

/** Writes an identifier as the key of a map. */
final class IdKeySerializer<T> extends ValueSerializer<T> {
  private final IdText<T> text;

  IdKeySerializer(IdText<T> text) {
    this.text = text;
  }

  @Override
  public void serialize(T id, JsonGenerator generator, SerializationContext context)
      throws JacksonException {
    generator.writeName(IdSerializer.written(text, id, IdSerializer.old(text, context), generator));
  }
}
