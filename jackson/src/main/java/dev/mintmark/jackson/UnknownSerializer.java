package dev.mintmark.jackson;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

/** Writes the JSON that a record for unknown types keeps. */
final class UnknownSerializer extends ValueSerializer<Object> {
  private final UnknownRecord unknown;

  UnknownSerializer(UnknownRecord unknown) {
    this.unknown = unknown;
  }

  @Override
  public void serialize(Object value, JsonGenerator generator, SerializationContext context)
      throws JacksonException {
    try (JsonParser parser = JsonCopy.parser(unknown.json(value))) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw DatabindException.from(
            generator, "%s keeps no JSON object".formatted(unknown.type().getName()));
      }
      JsonCopy.token(parser, generator);
      parser.nextToken();
      JsonCopy.rest(parser, generator);
      if (parser.nextToken() != null) {
        throw DatabindException.from(
            generator, "%s keeps more than a JSON object".formatted(unknown.type().getName()));
      }
    }
  }
}
