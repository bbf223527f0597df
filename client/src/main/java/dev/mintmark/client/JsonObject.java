package dev.mintmark.client;

import dev.mintmark.Quoted;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/** An object of JSON in an answer. Its accessors fail if a key is missing or has another type. */
final class JsonObject {
  /** A text is not the JSON that was expected. */
  static final class UnreadableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  private static final int DEPTH_MAX = 32;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
          .build();

  private final Map<?, ?> members;

  private JsonObject(Map<?, ?> members) {
    this.members = members;
  }

  /**
   * Reads an object.
   *
   * @throws UnreadableException if the bytes are not one object of JSON
   */
  static JsonObject parse(byte[] bytes) {
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), bytes)) {
      parser.nextToken();
      Object value = value(parser);
      if (parser.nextToken() != null) {
        throw new UnreadableException("something follows the object", null);
      }
      return object(value);
    } catch (JacksonException e) {
      throw new UnreadableException(e.getOriginalMessage(), e);
    }
  }

  private static @Nullable Object value(JsonParser parser) {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw new UnreadableException("the text ends too early", null);
    }
    return switch (token) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
          String name = parser.currentName();
          parser.nextToken();
          members.put(name, value(parser));
        }
        yield members;
      }
      case START_ARRAY -> {
        List<@Nullable Object> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          elements.add(value(parser));
        }
        yield elements;
      }
      case VALUE_STRING -> parser.getString();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw new UnreadableException("the text ends too early", null);
    };
  }

  /**
   * Writes an object.
   *
   * @param members with values that are texts, numbers, lists of texts, or maps of such members
   */
  static byte[] write(Map<String, ?> members) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator generator = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
      write(generator, members);
    }
    return bytes.toByteArray();
  }

  private static void write(JsonGenerator generator, Object value) {
    if (value instanceof Map<?, ?> members) {
      generator.writeStartObject();
      members.forEach(
          (name, member) -> {
            generator.writeName(String.valueOf(name));
            write(generator, member);
          });
      generator.writeEndObject();
    } else if (value instanceof List<?> elements) {
      generator.writeStartArray();
      elements.forEach(element -> write(generator, element));
      generator.writeEndArray();
    } else if (value instanceof Integer number) {
      generator.writeNumber(number);
    } else {
      generator.writeString(value.toString());
    }
  }

  String text(String name) {
    return optionalText(name).orElseThrow(() -> unexpected(name, "a text"));
  }

  Optional<String> optionalText(String name) {
    Object value = members.get(name);
    if (value == null || value instanceof String) {
      return Optional.ofNullable((String) value);
    }
    throw unexpected(name, "a text or null");
  }

  int integer(String name) {
    return optionalInteger(name).orElseThrow(() -> unexpected(name, "a number"));
  }

  Optional<Integer> optionalInteger(String name) {
    Object value = members.get(name);
    if (value == null) {
      return Optional.empty();
    }
    if (value instanceof BigDecimal number) {
      try {
        return Optional.of(number.intValueExact());
      } catch (ArithmeticException e) {
        throw unexpected(name, "an integer");
      }
    }
    throw unexpected(name, "a number or null");
  }

  Instant time(String name) {
    return optionalTime(name).orElseThrow(() -> unexpected(name, "a time"));
  }

  Optional<Instant> optionalTime(String name) {
    try {
      return optionalText(name).map(text -> OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException e) {
      throw unexpected(name, "a time");
    }
  }

  Optional<JsonObject> optionalObject(String name) {
    return Optional.ofNullable(members.get(name)).map(JsonObject::object);
  }

  /** The objects of an array. */
  List<JsonObject> objects(String name) {
    if (members.get(name) instanceof List<?> elements) {
      return elements.stream().map(JsonObject::object).toList();
    }
    throw unexpected(name, "an array");
  }

  /** An object whose values are texts. */
  SortedMap<String, String> texts(String name) {
    SortedMap<String, String> texts = new TreeMap<>();
    JsonObject object = optionalObject(name).orElseThrow(() -> unexpected(name, "an object"));
    object.members.keySet().forEach(key -> texts.put((String) key, object.text((String) key)));
    return texts;
  }

  private static JsonObject object(@Nullable Object value) {
    if (value instanceof Map<?, ?> members) {
      return new JsonObject(members);
    }
    throw new UnreadableException("expected an object", null);
  }

  private UnreadableException unexpected(String name, String expected) {
    return new UnreadableException(
        "%s is %s: expected %s"
            .formatted(name, Quoted.of(String.valueOf(members.get(name))), expected),
        null);
  }
}
