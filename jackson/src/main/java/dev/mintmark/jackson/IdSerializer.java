package dev.mintmark.jackson;

import dev.mintmark.MalformedIdException;
import dev.mintmark.OldFace;
import org.jspecify.annotations.Nullable;
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
    OldFace<T> old = old(text, context);
    String written = written(text, id, old, generator);
    if (old != null && old.isNumber()) {
      generator.writeNumber(Long.parseLong(written));
    } else {
      generator.writeString(written);
    }
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

  /** The old face, if it is the one to write: until its end, but for the property of the new. */
  static <T> @Nullable OldFace<T> old(IdText<T> text, SerializationContext context) {
    return NewFaceProperty.isBeingWritten(context)
        ? null
        : text.old().filter(OldFace::isWritten).orElse(null);
  }

  static <T> String written(IdText<T> text, T id, @Nullable OldFace<T> old, JsonGenerator generator)
      throws DatabindException {
    try {
      return old == null ? text.format().apply(id) : old.show(id);
    } catch (MalformedIdException e) {
      throw DatabindException.from(generator, String.valueOf(e.getMessage()), e);
    }
  }
}
