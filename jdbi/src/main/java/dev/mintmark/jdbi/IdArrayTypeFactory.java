package dev.mintmark.jdbi;

import dev.mintmark.IdType;
import dev.mintmark.Ulid;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.array.SqlArrayType;
import org.jdbi.v3.core.array.SqlArrayTypeFactory;
import org.jdbi.v3.core.array.SqlArrayTypes;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jspecify.annotations.Nullable;

/** Binds arrays and lists of identifiers as arrays of PostgreSQL. */
final class IdArrayTypeFactory implements SqlArrayTypeFactory {
  private final IdColumns columns;

  IdArrayTypeFactory(IdColumns columns) {
    this.columns = columns;
  }

  /** Whether one of these is registered. */
  static boolean isRegistered(ConfigRegistry config) {
    return config.get(SqlArrayTypes.class).findFor(Ulid.class).stream()
        .anyMatch(IdArrayType.class::isInstance);
  }

  @Override
  public Optional<SqlArrayType<?>> build(Type elementType, ConfigRegistry config) {
    return columns.find(elementType).map(column -> new IdArrayType<>(column.type()));
  }

  private record IdArrayType<T>(IdType<T> type) implements SqlArrayType<T> {
    @Override
    public String getTypeName() {
      return type.storage().label();
    }

    @Override
    public @Nullable Object convertArrayElement(@Nullable T id) {
      return id == null ? null : type.toStored(id).toObject();
    }

    /** With it the driver sends numbers and UUIDs in binary format. */
    @Override
    public Class<?> getArrayElementClass() {
      return switch (type.storage()) {
        case UUID -> UUID.class;
        case BIGINT -> Long.class;
        case TEXT -> String.class;
      };
    }
  }
}
