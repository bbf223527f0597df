package dev.mintmark.jackson2;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.PropertyName;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;

/**
 * The second property of an identifier whose collection changes its face: {@code id_str} beside
 * {@code id}. It writes the new face, also in a list or a map.
 */
@SuppressWarnings("serial") // Jackson declares it serializable; a mapper with faces is not.
final class NewFaceProperty extends BeanPropertyWriter {
  private static final Object WRITES_NEW_FACES = NewFaceProperty.class;

  NewFaceProperty(BeanPropertyWriter property, String suffix) {
    super(property, PropertyName.construct(property.getName() + suffix));
  }

  /** Whether a property of this class is being written. */
  static boolean isBeingWritten(SerializerProvider context) {
    return context.getAttribute(WRITES_NEW_FACES) != null;
  }

  @Override
  public void serializeAsField(Object bean, JsonGenerator generator, SerializerProvider context)
      throws Exception {
    Object before = context.getAttribute(WRITES_NEW_FACES);
    context.setAttribute(WRITES_NEW_FACES, true);
    try {
      super.serializeAsField(bean, generator, context);
    } finally {
      context.setAttribute(WRITES_NEW_FACES, before);
    }
  }

  /** An object that is written as an array has no room for it: clients count its elements. */
  @Override
  public void serializeAsElement(
      Object bean, JsonGenerator generator, SerializerProvider context) {}
}
