package dev.mintmark.spring;

import dev.mintmark.IdType;
import dev.mintmark.IdTypes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The identifier types of an application by Java class: the beans of type {@link IdType}, and what
 * {@link IdTypes} declares. Of two types of one class the bean is used. Read when it is first
 * needed. Safe for use by many threads.
 */
final class DeclaredIdTypes {
  private final ClassLoader loader;
  private final Supplier<List<IdType<?>>> beans;
  private volatile @Nullable Map<Class<?>, IdType<?>> types;

  /**
   * @param loader of the application: it sees the user's classes also if those of libraries do not
   * @param beans the types that are beans
   */
  DeclaredIdTypes(ClassLoader loader, Supplier<List<IdType<?>>> beans) {
    this.loader = loader;
    this.beans = beans;
  }

  /**
   * Returns the type of a class of the application; empty for Mintmark's own classes, which Spring
   * converts without one.
   */
  Optional<IdType<?>> find(Class<?> javaType) {
    return mayBeIdentifier(javaType)
        ? Optional.ofNullable(types().get(javaType))
        : Optional.empty();
  }

  /** Returns all of them. */
  List<IdType<?>> all() {
    return List.copyOf(types().values());
  }

  /** Classes of the JDK have no type, so reading a text or a number does not initialize beans. */
  private static boolean mayBeIdentifier(Class<?> javaType) {
    return !javaType.isPrimitive()
        && !javaType.isArray()
        && !javaType.isEnum()
        && !javaType.getName().startsWith("java.");
  }

  private Map<Class<?>, IdType<?>> types() {
    Map<Class<?>, IdType<?>> known = types;
    if (known == null) {
      known = read();
      types = known;
    }
    return known;
  }

  private Map<Class<?>, IdType<?>> read() {
    Map<Class<?>, IdType<?>> read = new HashMap<>();
    for (IdType<?> type : IdTypes.declared(loader)) {
      read.put(type.javaType(), type);
    }
    Map<Class<?>, IdType<?>> fromBeans = new HashMap<>();
    for (IdType<?> type : beans.get()) {
      // A bean of a JDK class, such as IdType<UUID>, is for the code that injects it.
      if (mayBeIdentifier(type.javaType())) {
        IdType<?> other = fromBeans.put(type.javaType(), type);
        if (other != null) {
          throw new AmbiguousIdTypeException(type.javaType(), type, other);
        }
      }
    }
    read.putAll(fromBeans);
    return Map.copyOf(read);
  }
}
