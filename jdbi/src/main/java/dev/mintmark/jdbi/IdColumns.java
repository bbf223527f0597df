package dev.mintmark.jdbi;

import dev.mintmark.IdType;
import dev.mintmark.IdTypes;
import dev.mintmark.postgres.jdbc.IdColumn;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.generic.GenericTypes;

/** How the identifiers of a class are stored. */
final class IdColumns {
  private final Map<Class<?>, IdColumn<?>> given = new HashMap<>();

  IdColumns(Collection<? extends IdType<?>> types) {
    for (IdType<?> type : types) {
      Class<?> javaType = type.javaType();
      if (isOfJdk(javaType)) {
        throw new IllegalArgumentException(
            "type %s has the class %s of the JDK: map it to a class of your own"
                .formatted(type, javaType.getName()));
      }
      IdColumn<?> other = given.put(javaType, IdColumn.of(type));
      if (other != null) {
        throw new IllegalArgumentException(
            "two types of %s, %s and %s: map one to a class of its own"
                .formatted(javaType.getName(), other, type));
      }
    }
  }

  boolean hasNoTypes() {
    return given.isEmpty();
  }

  /** Returns the column of a class; empty if it is no class of identifiers. */
  Optional<IdColumn<?>> find(Type type) {
    Class<?> javaType = GenericTypes.getErasedType(type);
    IdColumn<?> column = given.get(javaType);
    if (column != null) {
      return Optional.of(column);
    }
    return isOfJdk(javaType)
        ? Optional.empty()
        : IdTypes.find(javaType).map(declared -> IdColumn.of(declared));
  }

  /** Other code reads and writes those, arrays and primitive types too. */
  private static boolean isOfJdk(Class<?> javaType) {
    return javaType.isPrimitive() || javaType.isArray() || javaType.getName().startsWith("java.");
  }
}
