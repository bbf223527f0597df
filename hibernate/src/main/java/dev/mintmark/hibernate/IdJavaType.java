package dev.mintmark.hibernate;

import dev.mintmark.ColumnValue;
import dev.mintmark.IdType;
import dev.mintmark.Kind;
import dev.mintmark.Uuids;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.UUID;
import org.hibernate.dialect.Dialect;
import org.hibernate.sql.ast.spi.SqlAppender;
import org.hibernate.type.SqlTypes;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.AbstractClassJavaType;
import org.hibernate.type.descriptor.jdbc.JdbcType;
import org.hibernate.type.descriptor.jdbc.JdbcTypeIndicators;
import org.jspecify.annotations.Nullable;

/**
 * The identifiers of one type as Hibernate binds, reads and compares them: {@code uuid}, {@code
 * bigint} or {@code text}.
 *
 * <p>The order is the order of the column in PostgreSQL: {@code uuid} unsigned, {@code bigint}
 * signed.
 *
 * <p>Immutable, and so safe in any number of threads.
 */
@SuppressWarnings("serial") // Hibernate does not serialize types of a running session factory.
final class IdJavaType<T> extends AbstractClassJavaType<T> {
  /** More than any varchar: the dialect then declares the column as {@code text}. */
  private static final long TEXT_LENGTH = Integer.MAX_VALUE;

  private static final int UUID_BYTES = 16;

  private final IdType<T> type;

  IdJavaType(IdType<T> type) {
    super(type.javaType(), new StoredCopies<>(type), asStored(type));
    this.type = type;
  }

  private static <T> Comparator<T> asStored(IdType<T> type) {
    return switch (type.storage()) {
      case UUID -> Comparator.comparing(id -> (UUID) object(type, id), Uuids.UNSIGNED);
      case BIGINT -> Comparator.comparing(id -> (Long) object(type, id));
      case TEXT -> Comparator.comparing(id -> (String) object(type, id));
    };
  }

  private static <T> Object object(IdType<T> type, T id) {
    return type.toStored(id).toObject();
  }

  /** The type of the identifiers. */
  IdType<T> type() {
    return type;
  }

  @Override
  public JdbcType getRecommendedJdbcType(JdbcTypeIndicators indicators) {
    return indicators.getJdbcType(
        switch (type.storage()) {
          case UUID -> SqlTypes.UUID;
          case BIGINT -> SqlTypes.BIGINT;
          case TEXT -> SqlTypes.VARCHAR;
        });
  }

  @Override
  public long getDefaultSqlLength(Dialect dialect, JdbcType jdbcType) {
    return type.storage() == Kind.Storage.TEXT
        ? TEXT_LENGTH
        : super.getDefaultSqlLength(dialect, jdbcType);
  }

  @Override
  public String toString(T id) {
    return type.format(id);
  }

  @Override
  public T fromString(CharSequence text) {
    return type.parse(text.toString());
  }

  /** How Hibernate writes an attribute of a JSON column: as a column of its own would hold it. */
  @Override
  public void appendEncodedString(SqlAppender appender, T id) {
    appender.append(object(type, id).toString());
  }

  @Override
  public T fromEncodedString(CharSequence text) {
    return type.fromStored(stored(text.toString()));
  }

  @Override
  public T fromEncodedString(CharSequence text, int start, int end) {
    return fromEncodedString(text.subSequence(start, end));
  }

  private ColumnValue stored(String text) {
    return switch (type.storage()) {
      case UUID -> new ColumnValue.Uuid(Uuids.parse(text));
      case BIGINT -> new ColumnValue.Bigint(Long.parseLong(text));
      case TEXT -> new ColumnValue.Text(text);
    };
  }

  /**
   * Returns what a column holds.
   *
   * @throws dev.mintmark.MalformedIdException if the id is of another type, sequence or prefix
   */
  @Override
  public <X> @Nullable X unwrap(@Nullable T id, Class<X> target, WrapperOptions options) {
    if (id == null) {
      return null;
    }
    Object stored = object(type, id);
    if (target.isInstance(stored)) {
      return target.cast(stored);
    }
    if (target.isInstance(id)) {
      return target.cast(id);
    }
    if (target == String.class) {
      return target.cast(stored.toString());
    }
    if (target == byte[].class && stored instanceof UUID uuid) {
      return target.cast(bytes(uuid));
    }
    throw unknownUnwrap(target);
  }

  private static byte[] bytes(UUID uuid) {
    return ByteBuffer.allocate(UUID_BYTES)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .array();
  }

  /**
   * Reads what a column holds.
   *
   * @throws dev.mintmark.MalformedIdException if the value is no identifier of this type
   */
  @Override
  public <X> @Nullable T wrap(@Nullable X value, WrapperOptions options) {
    if (value == null) {
      return null;
    }
    if (getJavaTypeClass().isInstance(value)) {
      return getJavaTypeClass().cast(value);
    }
    ColumnValue stored = stored(value);
    if (stored == null || stored.storage() != type.storage()) {
      throw unknownWrap(value.getClass());
    }
    return type.fromStored(stored);
  }

  private @Nullable ColumnValue stored(Object value) {
    if (value instanceof UUID uuid) {
      return new ColumnValue.Uuid(uuid);
    }
    if (value instanceof byte[] bytes && bytes.length == UUID_BYTES) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      return new ColumnValue.Uuid(new UUID(buffer.getLong(), buffer.getLong()));
    }
    if (value instanceof Number number) {
      return new ColumnValue.Bigint(number.longValue());
    }
    return value instanceof String text ? stored(text) : null;
  }
}
