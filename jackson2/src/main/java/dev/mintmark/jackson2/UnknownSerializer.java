package dev.mintmark.jackson2;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import java.io.IOException;

/** Writes the JSON that a record for unknown types keeps. */
final class UnknownSerializer extends JsonSerializer<Object> {
  private final UnknownRecord unknown;

  UnknownSerializer(UnknownRecord unknown) {
    this.unknown = unknown;
  }

  @Override
  public void serialize(Object value, JsonGenerator generator, SerializerProvider context)
      throws IOException {
    try (JsonParser parser = JsonCopy.parser(unknown.json(value))) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw JsonMappingException.from(
            generator, "%s keeps no JSON object".formatted(unknown.type().getName()));
      }
      JsonCopy.token(parser, generator);
      parser.nextToken();
      JsonCopy.rest(parser, generator);
      if (parser.nextToken() != null) {
        throw JsonMappingException.from(
            generator, "%s keeps more than a JSON object".formatted(unknown.type().getName()));
      }
    }
  }
}
