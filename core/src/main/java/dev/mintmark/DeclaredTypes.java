package dev.mintmark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the types that {@link IdTypes} declare. */
final class DeclaredTypes {
  private static final List<IdType<?>> OWN =
      List.of(
          IdType.ulids(),
          IdType.snowflakes(),
          IdType.tsids(),
          IdType.ksuids(),
          IdType.objectIds(),
          IdType.xids(),
          IdType.nanoIds(),
          IdType.puris());

  private static final ClassValue<Optional<IdType<?>>> BY_CLASS =
      new ClassValue<>() {
        @Override
        protected Optional<IdType<?>> computeValue(Class<?> javaType) {
          return Stream.concat(OWN.stream(), of(javaType.getClassLoader()).stream())
              .filter(type -> type.javaType() == javaType)
              .findFirst();
        }
      };

  private DeclaredTypes() {}

  static <T> Optional<IdType<T>> find(Class<T> javaType) {
    @SuppressWarnings("unchecked") // Its class is the one that was asked for.
    Optional<IdType<T>> found = (Optional<IdType<T>>) (Optional<?>) BY_CLASS.get(javaType);
    return found;
  }

  /** The types that a class loader sees; null is the system's. */
  static List<IdType<?>> of(@Nullable ClassLoader loader) {
    Map<Class<?>, IdTypes> declaredBy = new HashMap<>();
    List<IdType<?>> types = new ArrayList<>();
    for (IdTypes declaration : ServiceLoader.load(IdTypes.class, loader)) {
      for (IdType<?> type : declaration.idTypes()) {
        checkClass(declaration, type);
        IdTypes other = declaredBy.put(type.javaType(), declaration);
        if (other != null) {
          throw new IllegalStateException(
              "two types of %s, by %s and %s: declare one"
                  .formatted(type.javaType().getName(), name(other), name(declaration)));
        }
        types.add(type);
      }
    }
    return List.copyOf(types);
  }

  private static void checkClass(IdTypes declaration, IdType<?> type) {
    String name = type.javaType().getName();
    boolean isOurs = type.javaType().getPackage() == IdType.class.getPackage();
    if (isOurs || name.startsWith("java.") || type.javaType().isPrimitive()) {
      throw new IllegalStateException(
          "%s declares a type of %s: map it to a class of your own"
              .formatted(name(declaration), name));
    }
  }

  private static String name(IdTypes declaration) {
    return declaration.getClass().getName();
  }
}
