package dev.mintmark.jooq;

import dev.mintmark.ColumnValue;
import dev.mintmark.IdType;
import dev.mintmark.IdTypes;
import dev.mintmark.Kind;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jooq.impl.AbstractConverter;
import org.jspecify.annotations.Nullable;

/**
 * Converts what a column holds to identifiers and back, for fields of jOOQ.
 *
 * <pre>{@code
 * DataType<Ulid> ulid = SQLDataType.UUID.asConvertedDataType(IdConverter.ofUuid(IdType.ulids()));
 * Field<Ulid> trackId = DSL.field(DSL.name("track_id"), ulid);
 *
 * create.selectFrom("tracks").where(trackId.in(ids));
 * create.selectFrom("tracks").where(trackId.eq(DSL.any(DSL.val(array, ulid.array()))));
 * }</pre>
 *
 * <p>A column that holds an array has {@link #forArrays}. jOOQ's code generator takes a converter
 * as an expression; {@code dev.mintmark.catalog.ForcedTypes} and {@code mintmark catalog jooq}
 * write these for the columns of a catalog.
 *
 * <p>Null is null in both directions. A value that is no identifier of the type fails with a {@link
 * dev.mintmark.MalformedIdException}. Immutable and thread-safe, and not serializable, though jOOQ
 * declares converters to be.
 *
 * @param <D> what jOOQ reads from the column: UUID, Long or String
 * @param <T> the identifiers
 */
public final class IdConverter<D, T> extends AbstractConverter<D, T> {
  @Serial private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // See writeObject.
  private final IdType<T> type;

  @SuppressWarnings("serial")
  private final Function<D, ColumnValue> toColumnValue;

  private IdConverter(
      Kind.Storage storage,
      Class<D> databaseType,
      Function<D, ColumnValue> toColumnValue,
      IdType<T> type) {
    super(databaseType, type.javaType());
    if (type.storage() != storage) {
      throw new IllegalArgumentException(
          "type %s: expected one in %s".formatted(type, storage.label()));
    }
    this.type = type;
    this.toColumnValue = toColumnValue;
  }

  /**
   * Identifiers in a column of {@code uuid}.
   *
   * @throws IllegalArgumentException if the type has another storage
   */
  public static <T> IdConverter<UUID, T> ofUuid(IdType<T> type) {
    return new IdConverter<>(Kind.Storage.UUID, UUID.class, ColumnValue.Uuid::new, type);
  }

  /**
   * Identifiers in a column of {@code bigint}.
   *
   * @throws IllegalArgumentException if the type has another storage
   */
  public static <T> IdConverter<Long, T> ofBigint(IdType<T> type) {
    return new IdConverter<>(Kind.Storage.BIGINT, Long.class, ColumnValue.Bigint::new, type);
  }

  /**
   * Identifiers in a column of {@code text} or {@code varchar}. In a column of {@code char(n)} only
   * those that have all of its characters: blanks that fill it up are refused.
   *
   * @throws IllegalArgumentException if the type has another storage
   */
  public static <T> IdConverter<String, T> ofText(IdType<T> type) {
    return new IdConverter<>(Kind.Storage.TEXT, String.class, ColumnValue.Text::new, type);
  }

  /**
   * As {@link #ofUuid(IdType)}, for the type that is declared for a class.
   *
   * @throws IllegalArgumentException if {@link IdTypes} finds none, or one in another storage
   */
  public static <T> IdConverter<UUID, T> ofUuid(Class<T> javaType) {
    return ofUuid(declared(javaType));
  }

  /**
   * As {@link #ofBigint(IdType)}, for the type that is declared for a class.
   *
   * @throws IllegalArgumentException if {@link IdTypes} finds none, or one in another storage
   */
  public static <T> IdConverter<Long, T> ofBigint(Class<T> javaType) {
    return ofBigint(declared(javaType));
  }

  /**
   * As {@link #ofText(IdType)}, for the type that is declared for a class.
   *
   * @throws IllegalArgumentException if {@link IdTypes} finds none, or one in another storage
   */
  public static <T> IdConverter<String, T> ofText(Class<T> javaType) {
    return ofText(declared(javaType));
  }

  /**
   * As {@link #ofUuid(IdType)}, for a type whose class the compiler does not know, as {@link
   * IdType#of(dev.mintmark.CollectionSpec)} returns it.
   *
   * @throws IllegalArgumentException if the type has another class or storage
   */
  public static <T> IdConverter<UUID, T> ofUuid(Class<T> javaType, IdType<?> type) {
    return ofUuid(typeOf(javaType, type));
  }

  /**
   * As {@link #ofBigint(IdType)}, for a type whose class the compiler does not know.
   *
   * @throws IllegalArgumentException if the type has another class or storage
   */
  public static <T> IdConverter<Long, T> ofBigint(Class<T> javaType, IdType<?> type) {
    return ofBigint(typeOf(javaType, type));
  }

  /**
   * As {@link #ofText(IdType)}, for a type whose class the compiler does not know.
   *
   * @throws IllegalArgumentException if the type has another class or storage
   */
  public static <T> IdConverter<String, T> ofText(Class<T> javaType, IdType<?> type) {
    return ofText(typeOf(javaType, type));
  }

  private static <T> IdType<T> declared(Class<T> javaType) {
    Optional<IdType<T>> type = IdTypes.find(javaType);
    return type.orElseThrow(
        () ->
            new IllegalArgumentException(
                "no type of identifiers is declared for %s: declare one with IdTypes"
                    .formatted(javaType.getName())));
  }

  private static <T> IdType<T> typeOf(Class<T> javaType, IdType<?> type) {
    if (type.javaType() != javaType) {
      throw new IllegalArgumentException(
          "type %s has the class %s: expected %s"
              .formatted(type, type.javaType().getName(), javaType.getName()));
    }
    @SuppressWarnings("unchecked") // Its class was compared.
    IdType<T> typed = (IdType<T>) type;
    return typed;
  }

  /** Reads what the column holds. */
  @Override
  @SuppressWarnings("exports") // Annotations are not needed by users.
  public @Nullable T from(@Nullable D stored) {
    return stored == null ? null : type.fromStored(toColumnValue.apply(stored));
  }

  /** Returns what the column holds. */
  @Override
  @SuppressWarnings("exports")
  public @Nullable D to(@Nullable T id) {
    return id == null ? null : fromType().cast(type.toStored(id).toObject());
  }

  @Serial
  private void writeObject(ObjectOutputStream out) throws NotSerializableException {
    throw new NotSerializableException(IdConverter.class.getName());
  }

  /** For people: {@code ULID in uuid}. */
  @Override
  public String toString() {
    return type.toString();
  }
}
