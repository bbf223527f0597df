package dev.mintmark.jackson;

import dev.mintmark.MalformedIdException;
import dev.mintmark.Puri;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.util.JsonParserSequence;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.util.TokenBuffer;

/**
 * Reads an object of a sealed interface: its record is that of its pURI, and Jackson reads it. What
 * precedes the pURI is buffered; usually it is the first property.
 */
final class MixedDeserializer extends ValueDeserializer<Object> {
  private final MixedInterface mixed;
  private final PuriTexts texts;
  private final IdDeserializer<Puri> puris;
  private final Map<Class<?>, ValueDeserializer<Object>> records = new ConcurrentHashMap<>();

  MixedDeserializer(MixedInterface mixed, PuriTexts texts) {
    this.mixed = mixed;
    this.texts = texts;
    this.puris = new IdDeserializer<>(texts.any());
  }

  @Override
  public Object deserialize(JsonParser parser, DeserializationContext context)
      throws JacksonException {
    if (!parser.isExpectedStartObjectToken()) {
      throw malformed(
          parser, "expected an object with the property \"%s\"".formatted(mixed.property()));
    }
    StringWriter text = new StringWriter();
    try (JsonGenerator kept = JsonCopy.generator(text)) {
      TokenBuffer before = context.bufferForInputBuffering(parser);
      copy(parser, kept, before);
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        copy(parser, kept, before);
        boolean isPuri = mixed.property().equals(parser.currentName());
        parser.nextToken();
        if (isPuri) {
          Optional<Puri> puri = puri(parser, context);
          Optional<Class<?>> type = puri.flatMap(mixed::find);
          if (type.isPresent()) {
            before.copyCurrentEvent(parser);
            return record(type.get(), before, parser, context);
          }
          JsonCopy.rest(parser, kept);
          kept.flush();
          return unknown(puri, text.toString(), context);
        }
        copyValue(parser, kept, before);
      }
    }
    throw malformed(parser, "the object has no property \"%s\"".formatted(mixed.property()));
  }

  /** Empty if its codes are unknown, and if it is not needed to keep the object. */
  private Optional<Puri> puri(JsonParser parser, DeserializationContext context)
      throws JacksonException {
    if (!mixed.unknown().hasPuri()
        && parser.hasToken(JsonToken.VALUE_STRING)
        && texts.hasUnknownCodes(parser.getString())) {
      return Optional.empty();
    }
    if (parser.hasToken(JsonToken.VALUE_NULL)) {
      throw at(malformed(parser, "expected a JSON string, found null"));
    }
    try {
      return Optional.of(puris.deserialize(parser, context));
    } catch (DatabindException e) {
      throw at(e);
    }
  }

  private DatabindException at(DatabindException e) {
    e.prependPath(mixed.type(), mixed.property());
    return e;
  }

  private Object record(
      Class<?> type, TokenBuffer before, JsonParser parser, DeserializationContext context)
      throws JacksonException {
    ValueDeserializer<Object> deserializer = records.get(type);
    if (deserializer == null) {
      deserializer = context.findContextualValueDeserializer(context.constructType(type), null);
      records.put(type, deserializer);
    }
    parser.clearCurrentToken();
    JsonParser whole =
        JsonParserSequence.createFlattened(false, before.asParser(context, parser), parser);
    whole.nextToken();
    return deserializer.deserialize(whole, context);
  }

  private Object unknown(Optional<Puri> puri, String json, DeserializationContext context)
      throws JacksonException {
    try {
      return mixed.unknown().of(puri, json);
    } catch (InvocationTargetException e) {
      throw context.instantiationException(mixed.unknown().type(), e.getCause());
    }
  }

  private static void copyValue(JsonParser parser, JsonGenerator kept, TokenBuffer before)
      throws JacksonException {
    int depth = JsonCopy.depthChange(parser.currentToken());
    copy(parser, kept, before);
    while (depth > 0) {
      parser.nextToken();
      depth += JsonCopy.depthChange(parser.currentToken());
      copy(parser, kept, before);
    }
  }

  private static void copy(JsonParser parser, JsonGenerator kept, TokenBuffer before)
      throws JacksonException {
    JsonCopy.token(parser, kept);
    before.copyCurrentEvent(parser);
  }

  private DatabindException malformed(JsonParser parser, String why) {
    MalformedIdException cause = new MalformedIdException("malformed pURI: " + why);
    DatabindException exception =
        MismatchedInputException.from(parser, mixed.type(), String.valueOf(cause.getMessage()));
    exception.initCause(cause);
    return exception;
  }
}
