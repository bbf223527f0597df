package dev.mintmark.hibernate;

import dev.mintmark.IdType;
import dev.mintmark.IdTypes;
import dev.mintmark.Ksuid;
import dev.mintmark.NanoId;
import dev.mintmark.ObjectId;
import dev.mintmark.Puri;
import dev.mintmark.SequenceId;
import dev.mintmark.Snowflake;
import dev.mintmark.Tsid;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.Xid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.HibernateException;
import org.hibernate.boot.model.TypeContributions;
import org.hibernate.boot.model.TypeContributor;
import org.hibernate.boot.registry.classloading.spi.ClassLoaderService;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.type.BasicTypeRegistry;
import org.hibernate.type.descriptor.jdbc.JdbcType;
import org.hibernate.type.spi.TypeConfiguration;

/**
 * Registers identifiers as types of Hibernate, without configuration: {@link Ulid}, {@link
 * Snowflake}, {@link Tsid}, {@link Ksuid}, {@link ObjectId}, {@link Xid}, {@link NanoId}, {@link
 * Puri}, and every class that {@link IdTypes} declares. They can be ids, attributes, elements of
 * collections, foreign keys and parameters of queries.
 *
 * <pre>
 *   Java                                     column
 *   Ulid                                     uuid
 *   Snowflake, Tsid                          bigint
 *   Ksuid, ObjectId, Xid, NanoId, Puri       text
 *   TypeId with {@link Prefixed}                    uuid
 *   SequenceId with {@link Prefixed}                bigint
 *   a class of yours that IdTypes declares   as its type is stored
 * </pre>
 *
 * <p>A {@code TypeId} or {@code SequenceId} without {@link Prefixed} fails at start. No type is
 * registered for {@code UUID}, {@code Long}, {@code String} or their arrays: they work as without
 * this library.
 *
 * <p>Hibernate finds this class with {@link java.util.ServiceLoader}.
 */
public final class MintmarkTypes implements TypeContributor {
  private static final List<Class<?>> OWN =
      List.of(
          Ulid.class,
          Snowflake.class,
          Tsid.class,
          Ksuid.class,
          ObjectId.class,
          Xid.class,
          NanoId.class,
          Puri.class);

  /**
   * The setting of Hibernate that has additional types, as a {@link Collection} of {@link IdType}:
   * those that only the program knows. They replace declared ones of the same class, and each has a
   * class of its own, not one of the JDK.
   */
  public static final String TYPES_SETTING = "mintmark.types";

  /** For Hibernate, which creates it. */
  public MintmarkTypes() {}

  @Override
  public void contribute(TypeContributions contributions, ServiceRegistry registry) {
    contributions.contributeJavaType(
        new UndeclaredJavaType<>(TypeId.class, "annotate it with @Prefixed(\"user\")"));
    contributions.contributeJavaType(
        new UndeclaredJavaType<>(
            SequenceId.class, "annotate it with @Prefixed(value = \"PM\", width = 6)"));
    for (IdType<?> type : byClass(registry).values()) {
      contribute(new IdJavaType<>(type), contributions);
    }
  }

  /**
   * Hibernate asks for a basic type where it knows the class alone: for the parameter of a filter.
   */
  private static void contribute(IdJavaType<?> javaType, TypeContributions contributions) {
    contributions.contributeJavaType(javaType);
    TypeConfiguration types = contributions.getTypeConfiguration();
    JdbcType jdbcType = javaType.getRecommendedJdbcType(types.getCurrentBaseSqlTypeIndicators());
    BasicTypeRegistry basicTypes = types.getBasicTypeRegistry();
    basicTypes.register(basicTypes.resolve(javaType, jdbcType), javaType.getTypeName());
  }

  private static Map<Class<?>, IdType<?>> byClass(ServiceRegistry registry) {
    Map<Class<?>, IdType<?>> byClass = new LinkedHashMap<>();
    for (Class<?> own : OWN) {
      byClass.put(own, IdTypes.find(own).orElseThrow());
    }
    // Hibernate's class loader sees the application's class path; ours the modules beside us.
    put(byClass, IdTypes.declared(MintmarkTypes.class.getClassLoader()));
    put(
        byClass,
        registry
            .requireService(ClassLoaderService.class)
            .<List<IdType<?>>>workWithClassLoader(IdTypes::declared));
    put(byClass, types(registry));
    return byClass;
  }

  private static List<IdType<?>> types(ServiceRegistry registry) {
    Object setting =
        registry.requireService(ConfigurationService.class).getSettings().get(TYPES_SETTING);
    if (setting == null) {
      return List.of();
    }
    List<IdType<?>> types = new ArrayList<>();
    for (Object element : setting instanceof Collection<?> several ? several : List.of(setting)) {
      if (!(element instanceof IdType<?> type) || type.javaType().getName().startsWith("java.")) {
        throw new HibernateException(
            "setting %s: expected types of classes of your own, found %s"
                .formatted(TYPES_SETTING, element));
      }
      types.add(type);
    }
    return types;
  }

  private static void put(Map<Class<?>, IdType<?>> byClass, List<IdType<?>> types) {
    types.forEach(type -> byClass.put(type.javaType(), type));
  }
}
