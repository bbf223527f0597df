package dev.mintmark.jackson;

import dev.mintmark.MalformedIdException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;
import tools.jackson.core.type.WritableTypeId;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.jsontype.TypeSerializer;

/** Writes an identifier as a string. */
final class IdSerializer<T> extends ValueSerializer<T> {
  private final IdText<T> text;

  IdSerializer(IdText<T> text) {
    this.text = text;
  }

  @Override
  public void serialize(T id, JsonGenerator generator, SerializationContext context)
      throws JacksonException {
    generator.writeString(written(text, id, generator));
  }

  @Override
  public void serializeWithType(
      T id, JsonGenerator generator, SerializationContext context, TypeSerializer types)
      throws JacksonException {
    WritableTypeId typeId =
        types.writeTypePrefix(generator, context, types.typeId(id, JsonToken.VALUE_STRING));
    serialize(id, generator, context);
    types.writeTypeSuffix(generator, context, typeId);
  }

  @Override
  public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType type)
      throws DatabindException {
    visitor.expectStringFormat(type);
  }

  static <T> String written(IdText<T> text, T id, JsonGenerator generator)
      throws DatabindException {
    try {
      return text.format().apply(id);
    } catch (MalformedIdException e) {
      throw DatabindException.from(generator, String.valueOf(e.getMessage()), e);
    }
  }
}
