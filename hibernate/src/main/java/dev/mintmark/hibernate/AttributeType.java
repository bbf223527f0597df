package dev.mintmark.hibernate;

import dev.mintmark.IdType;
import java.util.UUID;
import org.hibernate.MappingException;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.type.BasicType;
import org.hibernate.type.descriptor.java.JavaType;
import org.jspecify.annotations.Nullable;

/** An attribute and the type of its identifiers, as its Java type knows it. */
record AttributeType(String name, Class<?> javaType, IdType<?> type) {
  /**
   * Finds the type of the attribute for which a generator is created. A {@code UUID} is a UUIDv7.
   *
   * @throws MappingException if the attribute has no type of Mintmark
   */
  static AttributeType of(GeneratorCreationContext context, String annotation) {
    String name =
        context.getPersistentClass().getEntityName() + "." + context.getProperty().getName();
    JavaType<?> javaType = javaType(context);
    if (javaType instanceof IdJavaType<?> id) {
      return new AttributeType(name, id.type().javaType(), id.type());
    }
    if (javaType != null && javaType.getJavaTypeClass() == UUID.class) {
      return new AttributeType(name, UUID.class, IdType.uuidsV7());
    }
    throw new MappingException(
        "%s: %s requires a type of Mintmark or a UUID, found %s: declare its class with IdTypes"
            .formatted(
                name,
                annotation,
                javaType == null
                    ? context.getProperty().getType().getName()
                    : javaType.getTypeName()));
  }

  static @Nullable JavaType<?> javaType(GeneratorCreationContext context) {
    return context.getProperty().getType() instanceof BasicType<?> basic
        ? basic.getJavaTypeDescriptor()
        : null;
  }

  /** The message of a mistake in the mapping of this attribute. */
  MappingException mistake(String message) {
    return new MappingException(name + ": " + message);
  }
}
