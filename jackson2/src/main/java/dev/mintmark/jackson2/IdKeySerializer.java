package dev.mintmark.jackson2;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import java.io.IOException;

/** Writes an identifier as the key of a map. */
final class IdKeySerializer<T> extends JsonSerializer<T> {
  private final IdText<T> text;

  IdKeySerializer(IdText<T> text) {
    this.text = text;
  }

  @Override
  public void serialize(T id, JsonGenerator generator, SerializerProvider context)
      throws IOException {
    generator.writeFieldName(
        IdSerializer.written(text, id, IdSerializer.old(text, context), generator));
  }
}
