package dev.mintmark.spring;

import dev.mintmark.Catalog;
import dev.mintmark.IdType;
import dev.mintmark.IdTypes;
import dev.mintmark.InCollection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The identifier types of an application by Java class, in this order: the beans of type {@link
 * IdType}, what {@link IdTypes} declares, and records that {@link InCollection} assigns to a
 * collection of the catalog. Read when it is first needed. Safe for use by many threads.
 */
final class DeclaredIdTypes {
  private final ClassLoader loader;
  private final Supplier<List<IdType<?>>> beans;
  private final Supplier<Optional<Catalog>> catalog;
  private final Map<Class<?>, Optional<IdType<?>>> found = new ConcurrentHashMap<>();
  private volatile @Nullable Map<Class<?>, IdType<?>> declared;

  /**
   * @param loader of the application: it sees the user's classes also if those of libraries do not
   * @param beans the types that are beans
   * @param catalog the catalog, if there is one
   */
  DeclaredIdTypes(
      ClassLoader loader, Supplier<List<IdType<?>>> beans, Supplier<Optional<Catalog>> catalog) {
    this.loader = loader;
    this.beans = beans;
    this.catalog = catalog;
  }

  /**
   * Returns the type of a class of the application; empty for Mintmark's own classes, which Spring
   * converts without one.
   *
   * @throws IllegalArgumentException if the class is annotated with a collection that the catalog
   *     does not have, or of which it cannot hold the identifiers
   */
  Optional<IdType<?>> find(Class<?> javaType) {
    if (!mayBeIdentifier(javaType)) {
      return Optional.empty();
    }
    Optional<IdType<?>> known = found.get(javaType);
    if (known == null) {
      known = search(javaType);
      found.put(javaType, known);
    }
    return known;
  }

  /** Returns the beans, but for those of classes of the JDK. */
  List<IdType<?>> beans() {
    return List.copyOf(readBeans().values());
  }

  private Optional<IdType<?>> search(Class<?> javaType) {
    IdType<?> type = declared().get(javaType);
    if (type != null) {
      return Optional.of(type);
    }
    return javaType.isAnnotationPresent(InCollection.class)
        ? catalog.get().map(known -> known.idType(javaType))
        : Optional.empty();
  }

  /** Classes of the JDK have no type, so reading a text or a number does not initialize beans. */
  private static boolean mayBeIdentifier(Class<?> javaType) {
    return !javaType.isPrimitive()
        && !javaType.isArray()
        && !javaType.isEnum()
        && !javaType.getName().startsWith("java.");
  }

  private Map<Class<?>, IdType<?>> declared() {
    Map<Class<?>, IdType<?>> known = declared;
    if (known == null) {
      known = read();
      declared = known;
    }
    return known;
  }

  private Map<Class<?>, IdType<?>> read() {
    Map<Class<?>, IdType<?>> read = new HashMap<>();
    for (IdType<?> type : IdTypes.declared(loader)) {
      read.put(type.javaType(), type);
    }
    read.putAll(readBeans());
    return Map.copyOf(read);
  }

  private Map<Class<?>, IdType<?>> readBeans() {
    Map<Class<?>, IdType<?>> fromBeans = new LinkedHashMap<>();
    for (IdType<?> type : beans.get()) {
      // A bean of a JDK class, such as IdType<UUID>, is for the code that injects it.
      if (mayBeIdentifier(type.javaType())) {
        IdType<?> other = fromBeans.put(type.javaType(), type);
        if (other != null) {
          throw new StartFailure(
              "Two beans of type IdType declare %s: \"%s\" and \"%s\"."
                  .formatted(type.javaType().getName(), type, other),
              "Remove one of the beans, or map one of them to another class.");
        }
      }
    }
    return fromBeans;
  }
}
