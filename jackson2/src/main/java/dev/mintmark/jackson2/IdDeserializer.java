package dev.mintmark.jackson2;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import com.fasterxml.jackson.databind.util.AccessPattern;
import dev.mintmark.MalformedIdException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads an identifier from a string, or from a number that is its old face, and nothing else. */
final class IdDeserializer<T> extends JsonDeserializer<T> {
  private final IdText<T> text;

  IdDeserializer(IdText<T> text) {
    this.text = text;
  }

  @Override
  public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
    boolean isNumber = text.isNumber() && parser.hasToken(JsonToken.VALUE_NUMBER_INT);
    if (!isNumber && !parser.hasToken(JsonToken.VALUE_STRING)) {
      throw unexpected(parser, found(parser.currentToken()));
    }
    String found = parser.getText();
    try {
      return text.parse().apply(found);
    } catch (IllegalArgumentException e) {
      throw context
          .weirdStringException(found, text.javaType(), String.valueOf(e.getMessage()))
          .withCause(e);
    }
  }

  @Override
  public Object deserializeWithType(
      JsonParser parser, DeserializationContext context, TypeDeserializer types)
      throws IOException {
    return types.deserializeTypedFromScalar(parser, context);
  }

  /** A primitive that is null or absent would become 0, which is another identifier. */
  @Override
  public @Nullable T getNullValue(DeserializationContext context) throws JsonMappingException {
    if (text.javaType().isPrimitive()) {
      throw unexpected(context.getParser(), "null, or nothing");
    }
    return null;
  }

  @Override
  public AccessPattern getNullAccessPattern() {
    return text.javaType().isPrimitive() ? AccessPattern.DYNAMIC : AccessPattern.CONSTANT;
  }

  private JsonMappingException unexpected(JsonParser parser, String found) {
    MalformedIdException cause =
        new MalformedIdException(
            "malformed %s: expected a JSON string, found %s".formatted(text.name(), found));
    return MismatchedInputException.from(
            parser, text.javaType(), String.valueOf(cause.getMessage()))
        .withCause(cause);
  }

  private static String found(@Nullable JsonToken token) {
    if (token == null) {
      return "nothing";
    }
    return switch (token) {
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
      case VALUE_TRUE, VALUE_FALSE -> "a boolean";
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      default -> token.toString();
    };
  }
}
