package dev.mintmark.hibernate;

import dev.mintmark.IdType;
import dev.mintmark.SequenceId;
import dev.mintmark.TypeId;
import org.hibernate.MappingException;
import org.hibernate.binder.AttributeBinder;
import org.hibernate.boot.spi.MetadataBuildingContext;
import org.hibernate.mapping.BasicValue;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;

/** Gives an attribute with {@link Prefixed} its type. Stateless. */
public final class PrefixedBinder implements AttributeBinder<Prefixed> {
  /** For Hibernate, which creates it. */
  public PrefixedBinder() {}

  @Override
  public void bind(
      Prefixed prefixed,
      MetadataBuildingContext context,
      PersistentClass entity,
      Property property) {
    String attribute = entity.getEntityName() + "." + property.getName();
    if (!(property.getValue() instanceof BasicValue value)) {
      throw new MappingException(attribute + ": @Prefixed requires a TypeId or a SequenceId");
    }
    IdType<?> type = type(attribute, property.getReturnedClassName(), prefixed);
    value.setExplicitJavaTypeAccess(types -> new IdJavaType<>(type));
  }

  /**
   * Returns the type of an attribute.
   *
   * @throws MappingException if the prefix or the width is out of range, or the class has no prefix
   */
  static IdType<?> type(String attribute, String javaType, Prefixed prefixed) {
    try {
      if (SequenceId.class.getName().equals(javaType)) {
        return IdType.sequences(new SequenceId.Format(prefixed.value(), prefixed.width()));
      }
      if (TypeId.class.getName().equals(javaType)) {
        checkNoWidth(attribute, prefixed);
        return IdType.typeIds(prefixed.value());
      }
    } catch (IllegalArgumentException e) {
      throw new MappingException("%s: @Prefixed: %s".formatted(attribute, e.getMessage()), e);
    }
    throw new MappingException(
        "%s: @Prefixed requires a TypeId or a SequenceId, found %s".formatted(attribute, javaType));
  }

  private static void checkNoWidth(String attribute, Prefixed prefixed) {
    if (prefixed.width() != 0) {
      throw new MappingException(
          "%s: @Prefixed: a TypeId has no width, found width = %s"
              .formatted(attribute, prefixed.width()));
    }
  }
}
