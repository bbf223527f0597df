package dev.mintmark.jackson;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.BeanPropertyWriter;

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
  static boolean isBeingWritten(SerializationContext context) {
    return context.getAttribute(WRITES_NEW_FACES) != null;
  }

  @Override
  public void serializeAsProperty(
      Object bean, JsonGenerator generator, SerializationContext context) throws Exception {
    Object before = context.getAttribute(WRITES_NEW_FACES);
    context.setAttribute(WRITES_NEW_FACES, true);
    try {
      super.serializeAsProperty(bean, generator, context);
    } finally {
      context.setAttribute(WRITES_NEW_FACES, before);
    }
  }

  /** An object that is written as an array has no room for it: clients count its elements. */
  @Override
  public void serializeAsElement(
      Object bean, JsonGenerator generator, SerializationContext context) {}
}
