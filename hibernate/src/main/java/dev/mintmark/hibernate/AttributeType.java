package dev.mintmark.hibernate;

import dev.mintmark.IdType;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.UUID;
import org.hibernate.MappingException;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.type.BasicType;
import org.hibernate.type.descriptor.java.JavaType;
import org.jspecify.annotations.Nullable;

/** An attribute and the type of its identifiers, as its Java type knows it. */
record AttributeType(String name, Class<?> javaType, IdType<?> type) {
  /**
   * Finds the type of the attribute for which a generator is created. A {@code UUID} is a UUIDv7.
   *
   * @param member the attribute, which Hibernate 6.6 passes besides the context
   * @throws MappingException if the attribute has no type of Mintmark
   */
  static AttributeType of(
      GeneratorCreationContext context, @Nullable Member member, String annotation) {
    String name = name(context, member);
    JavaType<?> javaType = javaType(context, member);
    if (javaType instanceof IdJavaType<?> id) {
      return new AttributeType(name, id.type().javaType(), id.type());
    }
    if (javaType != null && javaType.getJavaTypeClass() == UUID.class) {
      return new AttributeType(name, UUID.class, IdType.uuidsV7());
    }
    throw new MappingException(
        "%s: %s requires a type of Mintmark or a UUID%s: declare its class with IdTypes"
            .formatted(
                name, annotation, javaType == null ? "" : ", found " + javaType.getTypeName()));
  }

  private static String name(GeneratorCreationContext context, @Nullable Member member) {
    Property property = context.getProperty();
    PersistentClass entity = context.getPersistentClass();
    if (property == null) {
      return member == null
          ? "an attribute of an id"
          : member.getDeclaringClass().getSimpleName() + "." + member.getName();
    }
    // Hibernate 7 knows no entity of an attribute of a composite id.
    String owner =
        entity == null ? property.getValue().getTable().getName() : entity.getEntityName();
    return owner + "." + property.getName();
  }

  private static @Nullable JavaType<?> javaType(
      GeneratorCreationContext context, @Nullable Member member) {
    Property property = context.getProperty();
    if (property != null) {
      return property.getType() instanceof BasicType<?> basic
          ? basic.getJavaTypeDescriptor()
          : null;
    }
    // Hibernate 6.6 knows no property of an attribute of a composite id.
    return member == null
        ? null
        : context
            .getDatabase()
            .getTypeConfiguration()
            .getJavaTypeRegistry()
            .findDescriptor(typeOf(member));
  }

  /** As a {@code Type}: 6.6 finds nothing by a class. */
  private static Type typeOf(Member member) {
    return member instanceof Method method ? method.getReturnType() : ((Field) member).getType();
  }

  /** The message of a mistake in the mapping of this attribute. */
  MappingException mistake(String message) {
    return new MappingException(name + ": " + message);
  }
}
