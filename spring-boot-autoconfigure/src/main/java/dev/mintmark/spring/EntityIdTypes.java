package dev.mintmark.spring;

import dev.mintmark.IdType;
import dev.mintmark.InCollection;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.persistence.autoconfigure.EntityScanner;
import org.springframework.context.ApplicationContext;

/** The identifier types that only the application knows. */
final class EntityIdTypes {
  private EntityIdTypes() {}

  /**
   * Returns the types that are beans, and those of the records with {@link InCollection} in the
   * packages in which the application has its entities.
   *
   * @throws IllegalArgumentException if a record cannot hold the identifiers of its collection, or
   *     the catalog does not have the collection
   */
  static Collection<IdType<?>> of(ApplicationContext application, DeclaredIdTypes types) {
    Map<Class<?>, IdType<?>> byClass = new LinkedHashMap<>();
    for (Class<?> annotated : annotated(application)) {
      types.find(annotated).ifPresent(type -> byClass.put(annotated, type));
    }
    types.beans().forEach(type -> byClass.put(type.javaType(), type));
    return byClass.values();
  }

  private static Set<Class<?>> annotated(ApplicationContext application) {
    try {
      return new EntityScanner(application).scan(InCollection.class);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("a class beside the entities cannot be loaded", e);
    }
  }
}
