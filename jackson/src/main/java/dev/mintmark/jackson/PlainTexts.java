package dev.mintmark.jackson;

import dev.mintmark.Catalog;
import dev.mintmark.IdType;
import dev.mintmark.IdTypes;
import dev.mintmark.InCollection;
import dev.mintmark.Ksuid;
import dev.mintmark.NanoId;
import dev.mintmark.ObjectId;
import dev.mintmark.Puri;
import dev.mintmark.Snowflake;
import dev.mintmark.Tsid;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.Xid;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The texts that identifiers have without a mask. */
final class PlainTexts implements IdTexts {
  private final Map<Class<?>, IdType<?>> given;
  private final Optional<Catalog> catalog;

  /** What each class loader declares: a mapper asks for many classes. */
  private final Map<ClassLoader, Map<Class<?>, IdType<?>>> declared = new ConcurrentHashMap<>();

  PlainTexts(List<? extends IdType<?>> given, Optional<Catalog> catalog) {
    this.given = IdTexts.byClass(given);
    this.catalog = catalog;
  }

  @Override
  public Optional<? extends IdText<?>> find(Class<?> javaType) {
    IdType<?> type = given.get(javaType);
    if (type != null) {
      return Optional.of(IdText.of(type));
    }
    IdText<?> own = Own.TEXTS.get(javaType);
    return own != null ? Optional.of(own) : declared(javaType).or(() -> annotated(javaType));
  }

  private Optional<IdText<?>> declared(Class<?> javaType) {
    ClassLoader loader = javaType.getClassLoader();
    if (loader == null) {
      return Optional.empty();
    }
    return Optional.ofNullable(
            declared
                .computeIfAbsent(loader, each -> IdTexts.byClass(IdTypes.declared(each)))
                .get(javaType))
        .map(IdText::of);
  }

  private Optional<IdText<?>> annotated(Class<?> javaType) {
    return catalog
        .filter(each -> javaType.isAnnotationPresent(InCollection.class))
        .map(each -> IdText.of(each.idType(javaType)));
  }

  /** Those of Mintmark: made when a mapper first looks for one, not when the module is found. */
  private static final class Own {
    static final Map<Class<?>, IdText<?>> TEXTS =
        Stream.of(
                own("ULID", Ulid.class, Ulid::parse),
                own("TypeID", TypeId.class, TypeId::parse),
                own("NanoID", NanoId.class, NanoId::parse),
                own("Snowflake", Snowflake.class, Snowflake::parse),
                own("TSID", Tsid.class, Tsid::parse),
                own("KSUID", Ksuid.class, Ksuid::parse),
                own("ObjectId", ObjectId.class, ObjectId::parse),
                own("Xid", Xid.class, Xid::parse),
                own("pURI", Puri.class, Puri::parse))
            .collect(Collectors.toUnmodifiableMap(IdText::javaType, Function.identity()));

    private Own() {}

    private static <T> IdText<T> own(String name, Class<T> javaType, Function<String, T> parse) {
      return new IdText<>(name, javaType, Object::toString, parse);
    }
  }
}
