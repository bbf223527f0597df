package dev.mintmark.jackson2;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.type.WritableTypeId;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import dev.mintmark.MalformedIdException;
import dev.mintmark.OldFace;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writes an identifier as a string. */
final class IdSerializer<T> extends JsonSerializer<T> {
  private final IdText<T> text;

  IdSerializer(IdText<T> text) {
    this.text = text;
  }

  @Override
  public void serialize(T id, JsonGenerator generator, SerializerProvider context)
      throws IOException {
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
      T id, JsonGenerator generator, SerializerProvider context, TypeSerializer types)
      throws IOException {
    WritableTypeId typeId =
        types.writeTypePrefix(generator, types.typeId(id, JsonToken.VALUE_STRING));
    serialize(id, generator, context);
    types.writeTypeSuffix(generator, typeId);
  }

  @Override
  public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType type)
      throws JsonMappingException {
    visitor.expectStringFormat(type);
  }

  /** The old face, if it is the one to write: until its end, but for the property of the new. */
  static <T> @Nullable OldFace<T> old(IdText<T> text, SerializerProvider context) {
    return NewFaceProperty.isBeingWritten(context)
        ? null
        : text.old().filter(OldFace::isWritten).orElse(null);
  }

  static <T> String written(IdText<T> text, T id, @Nullable OldFace<T> old, JsonGenerator generator)
      throws JsonMappingException {
    try {
      return old == null ? text.format().apply(id) : old.show(id);
    } catch (MalformedIdException e) {
      throw JsonMappingException.from(generator, String.valueOf(e.getMessage()), e);
    }
  }
}
