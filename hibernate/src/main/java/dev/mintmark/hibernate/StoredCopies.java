package dev.mintmark.hibernate;

import dev.mintmark.ColumnValue;
import dev.mintmark.IdType;
import java.io.Serializable;
import java.util.UUID;
import org.hibernate.SharedSessionContract;
import org.hibernate.type.descriptor.java.ImmutableMutabilityPlan;
import org.jspecify.annotations.Nullable;

/**
 * What a cache of Hibernate keeps of an identifier: what its column holds. So a class of an
 * application does not have to be {@link Serializable}, and an entry is small.
 */
@SuppressWarnings("serial") // Hibernate does not serialize types of a running session factory.
final class StoredCopies<T> extends ImmutableMutabilityPlan<T> {
  private final IdType<T> type;

  StoredCopies(IdType<T> type) {
    this.type = type;
  }

  @Override
  public @Nullable Serializable disassemble(@Nullable T id, SharedSessionContract session) {
    return id == null ? null : (Serializable) type.toStored(id).toObject();
  }

  @Override
  public @Nullable T assemble(@Nullable Serializable cached, SharedSessionContract session) {
    return cached == null ? null : type.fromStored(stored(cached));
  }

  private static ColumnValue stored(Serializable cached) {
    if (cached instanceof UUID uuid) {
      return new ColumnValue.Uuid(uuid);
    }
    return cached instanceof Long number
        ? new ColumnValue.Bigint(number)
        : new ColumnValue.Text((String) cached);
  }
}
