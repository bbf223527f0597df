package dev.mintmark.hibernate;

import dev.mintmark.IdType;
import java.lang.reflect.AnnotatedElement;
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
import org.hibernate.type.spi.TypeConfiguration;
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
    Member part = partOfId(context, member);
    String name = part == null ? name(context) : name(part);
    JavaType<?> javaType =
        part == null
            ? javaType(context)
            : javaType(name, part, context.getDatabase().getTypeConfiguration());
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

  /**
   * The member if it is a part of a composite id in Hibernate 6.6: the context does not have it.
   */
  private static @Nullable Member partOfId(
      GeneratorCreationContext context, @Nullable Member member) {
    Property property = context.getProperty();
    return property != null && property.getType() instanceof BasicType<?> ? null : member;
  }

  private static String name(Member part) {
    return part.getDeclaringClass().getSimpleName() + "." + part.getName();
  }

  private static String name(GeneratorCreationContext context) {
    Property property = context.getProperty();
    if (property == null) {
      return "an attribute of an id";
    }
    PersistentClass entity = context.getPersistentClass();
    // Hibernate 7 knows no entity of an attribute of a composite id.
    String owner =
        entity == null ? property.getValue().getTable().getName() : entity.getEntityName();
    return owner + "." + property.getName();
  }

  private static @Nullable JavaType<?> javaType(String name, Member part, TypeConfiguration types) {
    Class<?> type =
        part instanceof Method method ? method.getReturnType() : ((Field) part).getType();
    Prefixed prefixed = ((AnnotatedElement) part).getAnnotation(Prefixed.class);
    if (prefixed != null) {
      return new IdJavaType<>(PrefixedBinder.type(name, type.getName(), prefixed));
    }
    // As a Type: 6.6 finds nothing by a class.
    return types.getJavaTypeRegistry().findDescriptor((Type) type);
  }

  private static @Nullable JavaType<?> javaType(GeneratorCreationContext context) {
    Property property = context.getProperty();
    return property != null && property.getType() instanceof BasicType<?> basic
        ? basic.getJavaTypeDescriptor()
        : null;
  }

  /** The message of a mistake in the mapping of this attribute. */
  MappingException mistake(String message) {
    return new MappingException(name + ": " + message);
  }
}
