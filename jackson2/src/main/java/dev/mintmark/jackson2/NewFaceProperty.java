package dev.mintmark.jackson2;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.PropertyName;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonObjectFormatVisitor;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.util.NameTransformer;

/**
 * An identifier whose collection changes its face: {@code id} and after it {@code id_str}, which
 * has the new face, also in a list or a map. Jackson sees one property, so that a filter, a view or
 * a list of names includes both or neither. An object that is written as an array has no room for
 * the second: clients count its elements.
 */
@SuppressWarnings("serial") // Jackson declares it serializable; a mapper with faces is not.
final class NewFaceProperty extends BeanPropertyWriter {
  private static final Object WRITES_NEW_FACES = NewFaceProperty.class;

  private final BeanPropertyWriter second;

  NewFaceProperty(BeanPropertyWriter property, String suffix) {
    super(property);
    this.second = new Second(property, PropertyName.construct(property.getName() + suffix));
  }

  private NewFaceProperty(
      BeanPropertyWriter property, PropertyName name, BeanPropertyWriter second) {
    super(property, name);
    this.second = second;
  }

  /** Whether the new face of a property is being written. */
  static boolean isBeingWritten(SerializerProvider context) {
    return context.getAttribute(WRITES_NEW_FACES) != null;
  }

  @Override
  public BeanPropertyWriter rename(NameTransformer transformer) {
    PropertyName name = PropertyName.construct(transformer.transform(getName()));
    return new NewFaceProperty(this, name, second.rename(transformer));
  }

  @Override
  public void assignSerializer(JsonSerializer<Object> serializer) {
    super.assignSerializer(serializer);
    second.assignSerializer(serializer);
  }

  @Override
  public void assignNullSerializer(JsonSerializer<Object> serializer) {
    super.assignNullSerializer(serializer);
    second.assignNullSerializer(serializer);
  }

  @Override
  public void assignTypeSerializer(TypeSerializer serializer) {
    super.assignTypeSerializer(serializer);
    second.assignTypeSerializer(serializer);
  }

  @Override
  public void setNonTrivialBaseType(JavaType type) {
    super.setNonTrivialBaseType(type);
    second.setNonTrivialBaseType(type);
  }

  @Override
  public void depositSchemaProperty(JsonObjectFormatVisitor visitor, SerializerProvider context)
      throws JsonMappingException {
    super.depositSchemaProperty(visitor, context);
    second.depositSchemaProperty(visitor, context);
  }

  @Override
  public void serializeAsField(Object bean, JsonGenerator generator, SerializerProvider context)
      throws Exception {
    super.serializeAsField(bean, generator, context);
    Object before = context.getAttribute(WRITES_NEW_FACES);
    context.setAttribute(WRITES_NEW_FACES, true);
    try {
      second.serializeAsField(bean, generator, context);
    } finally {
      context.setAttribute(WRITES_NEW_FACES, before);
    }
  }

  /** The property of the new face. */
  @SuppressWarnings("serial") // Jackson declares it serializable; a mapper with faces is not.
  private static final class Second extends BeanPropertyWriter {
    Second(BeanPropertyWriter property, PropertyName name) {
      super(property, name);
    }

    @Override
    protected BeanPropertyWriter _new(PropertyName name) {
      return new Second(this, name);
    }
  }
}
