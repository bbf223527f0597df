package dev.mintmark.jackson;

import java.io.StringWriter;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteCapability;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Copies JSON with the text of its numbers: {@code 1.50} remains {@code 1.50}, and no digit is
 * lost.
 */
final class JsonCopy {
  /** Without limits: the application's own mapper has checked what is kept. */
  private static final StreamReadConstraints UNLIMITED =
      StreamReadConstraints.builder()
          .maxNestingDepth(Integer.MAX_VALUE)
          .maxNumberLength(Integer.MAX_VALUE)
          .maxStringLength(Integer.MAX_VALUE)
          .maxNameLength(Integer.MAX_VALUE)
          .build();

  private static final JsonMapper MAPPER =
      JsonMapper.builder(JsonFactory.builder().streamReadConstraints(UNLIMITED).build())
          .disable(JsonWriteFeature.ESCAPE_FORWARD_SLASHES)
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS) // If the application reads them.
          .build();

  private JsonCopy() {}

  /** Returns a generator of JSON without whitespace. */
  static JsonGenerator generator(StringWriter text) throws JacksonException {
    return MAPPER.createGenerator(text);
  }

  static JsonParser parser(String text) throws JacksonException {
    return MAPPER.createParser(text);
  }

  /** Writes the current token, and all that follow it in its object, with the end of the object. */
  static void rest(JsonParser parser, JsonGenerator generator) throws JacksonException {
    int depth = 1;
    while (true) {
      token(parser, generator);
      depth += depthChange(parser.currentToken());
      if (depth == 0) {
        return;
      }
      parser.nextToken();
    }
  }

  /** By how much the nesting is deeper after a token. */
  static int depthChange(JsonToken token) {
    return token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
  }

  /** Writes the current token. */
  static void token(JsonParser parser, JsonGenerator generator) throws JacksonException {
    JsonToken token = parser.currentToken();
    switch (token) {
      case START_OBJECT -> generator.writeStartObject();
      case END_OBJECT -> generator.writeEndObject();
      case START_ARRAY -> generator.writeStartArray();
      case END_ARRAY -> generator.writeEndArray();
      case PROPERTY_NAME -> generator.writeName(parser.currentName());
      case VALUE_STRING -> generator.writeString(parser.getString());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser, generator);
      case VALUE_TRUE -> generator.writeBoolean(true);
      case VALUE_FALSE -> generator.writeBoolean(false);
      case VALUE_NULL -> generator.writeNull();
      default ->
          throw MismatchedInputException.from(
              parser, Object.class, "expected JSON, found the token " + token);
    }
  }

  /** Other generators than those of text, as that of a tree, take the exact number. */
  private static void number(JsonParser parser, JsonGenerator generator) throws JacksonException {
    if (generator.has(StreamWriteCapability.CAN_WRITE_FORMATTED_NUMBERS)) {
      generator.writeNumber(parser.getString());
    } else {
      generator.copyCurrentEventExact(parser);
    }
  }
}
