package dev.mintmark.postgres.jdbc;

import dev.mintmark.ColumnValue;
import dev.mintmark.IdType;
import dev.mintmark.Kind;
import dev.mintmark.MalformedIdException;
import dev.mintmark.NanoId;
import dev.mintmark.Puri;
import dev.mintmark.Puris;
import dev.mintmark.Quoted;
import dev.mintmark.SequenceId;
import dev.mintmark.Snowflake;
import dev.mintmark.TypeId;
import dev.mintmark.TypedCollection;
import dev.mintmark.TypedId;
import dev.mintmark.Ulid;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How the identifiers of one type stand in a column: binds them to the parameters of a statement
 * and reads them from its rows, singly and as arrays.
 *
 * <pre>
 *   Java                                      column
 *   Ulid, UUID, TypeId                        uuid      text, in a column asText()
 *   SequenceId, Snowflake, Tsid               bigint    text, in a column asText()
 *   Ksuid, ObjectId, Xid, NanoId              text
 *   Puri, TypedId of a declared collection    as the catalog has it
 *   any other Puri                            text
 * </pre>
 *
 * <p><b>Null</b> never passes unseen: {@link #read} refuses it, {@link #readOptional} returns it as
 * an empty Optional, {@link #bindOptional} and {@link #bindNull} bind it with the column's type.
 *
 * <p><b>Types.</b> A number is also read from a column of {@code integer}, {@code smallint} or
 * {@code oid}, a text from {@code varchar}, {@code name} and {@code char(n)} too, of which the
 * blanks that fill it up are left out. A domain is what it is made of. Everything else is refused
 * in an {@link SQLDataException} that says which column, what it holds and what was expected:
 * {@code citext}, an enum, and an array of a domain, which is read as {@code ids::uuid[]}.
 *
 * <p><b>One text.</b> What is kept as text is kept in its canonical form, since a look-up would
 * find no other; a column that holds another is refused as well.
 *
 * <p>Immutable, and so safe in any number of threads. It works on any {@link PreparedStatement} and
 * {@link ResultSet} of the PostgreSQL driver, also behind the wrappers of a connection pool.
 *
 * <pre>{@code
 * private static final IdColumn<Ulid> TRACK_ID = IdColumn.ofUlids();
 *
 * TRACK_ID.bind(statement, 1, id);                  // where track_id = ?
 * TRACK_ID.bindArray(statement, 1, ids);            // where track_id = any(?)
 * Ulid id = TRACK_ID.read(row, "track_id");
 * Optional<Ulid> parent = TRACK_ID.readOptional(row, "parent_id");
 * List<Ulid> all = TRACK_ID.readArray(row, "track_ids");
 * }</pre>
 *
 * @param <T> the identifiers
 */
public final class IdColumn<T> {
  private static final String NULL_VALUE_NOT_ALLOWED = "22004";
  private static final String INVALID_TEXT_REPRESENTATION = "22P02";
  private static final String DATATYPE_MISMATCH = "42804";

  private final IdType<T> type;

  private IdColumn(IdType<T> type) {
    this.type = type;
  }

  /** Identifiers of any type in a column of what the type is stored as. */
  public static <T> IdColumn<T> of(IdType<T> type) {
    return new IdColumn<>(type);
  }

  /** ULIDs in a column of {@code uuid}. */
  public static IdColumn<Ulid> ofUlids() {
    return of(IdType.ulids());
  }

  /** UUIDs of any version in a column of {@code uuid}. */
  public static IdColumn<UUID> ofUuids() {
    return of(IdType.uuidsV7());
  }

  /**
   * TypeIDs of one type in a column of {@code uuid}, which does not hold the prefix.
   *
   * @param prefix the type; those of another are refused with a {@link MalformedIdException}
   * @throws IllegalArgumentException if the prefix is malformed
   */
  public static IdColumn<TypeId> ofTypeIds(String prefix) {
    return of(IdType.typeIds(prefix));
  }

  /**
   * Numbers of one sequence in a column of {@code bigint}, which holds neither prefix nor width.
   *
   * @param format those with another prefix are refused with a {@link MalformedIdException}
   */
  public static IdColumn<SequenceId> ofSequenceIds(SequenceId.Format format) {
    return of(IdType.sequences(format));
  }

  /**
   * Snowflakes in a column of {@code bigint}. The column takes their 64 bits for a signed number:
   * one past 2^63-1 comes back as it was, but sorts before all others.
   */
  public static IdColumn<Snowflake> ofSnowflakes() {
    return of(IdType.snowflakes());
  }

  /** NanoIDs of one format in a column of {@code text}. */
  public static IdColumn<NanoId> ofNanoIds(NanoId.Format format) {
    return of(IdType.nanoIds(format));
  }

  /** Whole pURIs in a column of {@code text}, for those who have no catalog. */
  public static IdColumn<Puri> ofPuris() {
    return of(IdType.puris());
  }

  /**
   * Whole pURIs of any collections in a column of {@code text}, each as {@link Puris#resolve} makes
   * it. One that was stored under a name which its collection had earlier is read all the same.
   */
  public static IdColumn<Puri> ofPuris(Puris puris) {
    return of(IdType.puris(puris));
  }

  /**
   * PURIs of one collection in a column of what it is declared to keep. Those of another are
   * refused with a {@link MalformedIdException}.
   */
  public static IdColumn<Puri> ofPuris(TypedCollection<?> collection) {
    return of(collection.puriType());
  }

  /** Identifiers of one collection in a column of what it is declared to keep. */
  public static <T> IdColumn<TypedId<T>> ofTypedIds(TypedCollection<T> collection) {
    return of(collection.idType());
  }

  /**
   * The same identifiers in a column of {@code text} that holds {@link Object#toString} of them:
   * the 26 characters of a ULID, {@code PM000123}, a whole pURI.
   */
  public IdColumn<T> asText() {
    IdType<T> text = type.asText();
    return text == type ? this : of(text);
  }

  /** The type of the identifiers. */
  public IdType<T> type() {
    return type;
  }

  /** What the column holds. */
  public Kind.Storage storage() {
    return type.storage();
  }

  /**
   * Sets a parameter.
   *
   * @param index the first is 1
   * @throws MalformedIdException if the column cannot hold it: it is of another type, sequence or
   *     collection
   */
  public void bind(PreparedStatement statement, int index, T id) throws SQLException {
    requirePresent(id, index);
    switch (storage()) {
      case UUID -> statement.setObject(index, type.toStored(id).toObject());
      case BIGINT -> statement.setLong(index, (Long) type.toStored(id).toObject());
      case TEXT -> statement.setString(index, type.toStored(id).toString());
    }
  }

  private T requirePresent(T id, int index) {
    return Objects.requireNonNull(
        id,
        () ->
            "parameter %s: expected an identifier of type %s, got null: bindOptional and bindNull bind null"
                .formatted(index, type.name()));
  }

  /** Sets a parameter, to null of the column's type where there is no identifier. */
  public void bindOptional(PreparedStatement statement, int index, Optional<? extends T> id)
      throws SQLException {
    if (id.isPresent()) {
      bind(statement, index, id.get());
    } else {
      bindNull(statement, index);
    }
  }

  /** Sets a parameter to null of the column's type. */
  public void bindNull(PreparedStatement statement, int index) throws SQLException {
    statement.setNull(index, Types.OTHER, typeName());
  }

  /**
   * Sets a parameter to an array, as in {@code where id = any(?)}; one of no elements is an array
   * too, and nothing equals any of it.
   *
   * <p>One of texts has the type of what it is compared with or put into, so that a column of
   * {@code varchar} or {@code char(n)} uses its index. Where nothing says which, as in {@code
   * unnest(?)}, write {@code unnest(?::text[])}.
   *
   * @throws MalformedIdException as {@link #bind} throws it
   */
  public void bindArray(PreparedStatement statement, int index, Collection<? extends T> ids)
      throws SQLException {
    Object[] elements =
        ids.stream()
            .map(id -> type.toStored(requirePresent(id, index)).toObject())
            .toArray(this::newElements);
    Array array = statement.getConnection().createArrayOf(typeName(), elements);
    if (storage() == Kind.Storage.TEXT) {
      // As text[], a char(n) would be compared as text, which its index does not serve.
      statement.setObject(index, array.toString(), Types.OTHER);
    } else {
      statement.setArray(index, array);
    }
  }

  /**
   * Reads a column of the row that {@code row} stands on.
   *
   * @param column its label, in either letter case
   * @throws SQLDataException if it is null (SQLSTATE 22004), of another type (42804), or holds what
   *     is no identifier of these (22P02)
   */
  public T read(ResultSet row, String column) throws SQLException {
    return read(row, row.findColumn(column));
  }

  /**
   * Reads a column by its number.
   *
   * @param column the first is 1
   * @throws SQLDataException as {@link #read(ResultSet, String)} throws it
   */
  public T read(ResultSet row, int column) throws SQLException {
    return present(readOptional(row, column), row, column);
  }

  /**
   * Reads a column that may be null; empty where it is.
   *
   * @param column its label, in either letter case
   * @throws SQLDataException as {@link #read(ResultSet, String)} throws it, but for null
   */
  public Optional<T> readOptional(ResultSet row, String column) throws SQLException {
    return readOptional(row, row.findColumn(column));
  }

  /**
   * Reads a column by its number; empty where it is null.
   *
   * @param column the first is 1
   * @throws SQLDataException as {@link #read(ResultSet, String)} throws it, but for null
   */
  public Optional<T> readOptional(ResultSet row, int column) throws SQLException {
    Object value = row.getObject(column);
    if (value == null) {
      return Optional.empty();
    }
    ColumnValue stored = stored(unpadded(value, row, column));
    if (stored == null) {
      throw mismatch(row, column, storage().label());
    }
    return Optional.of(id(stored, row, column));
  }

  /**
   * Reads a column that holds an array of one dimension: {@code uuid[]}, {@code bigint[]} or {@code
   * text[]}.
   *
   * @param column its label, in either letter case
   * @return the identifiers in their order; a list that does not change
   * @throws SQLDataException as {@link #read(ResultSet, String)} throws it, for the array and for
   *     each of its elements
   */
  public List<T> readArray(ResultSet row, String column) throws SQLException {
    return readArray(row, row.findColumn(column));
  }

  /**
   * Reads a column that holds an array, by its number.
   *
   * @param column the first is 1
   * @throws SQLDataException as {@link #readArray(ResultSet, String)} throws it
   */
  public List<T> readArray(ResultSet row, int column) throws SQLException {
    return present(readOptionalArray(row, column), row, column);
  }

  /**
   * Reads a column that holds an array or null; empty where it is null.
   *
   * @param column its label, in either letter case
   * @throws SQLDataException as {@link #readArray(ResultSet, String)} throws it, but for null in
   *     place of the array
   */
  public Optional<List<T>> readOptionalArray(ResultSet row, String column) throws SQLException {
    return readOptionalArray(row, row.findColumn(column));
  }

  /**
   * Reads a column that holds an array or null, by its number.
   *
   * @param column the first is 1
   * @throws SQLDataException as {@link #readOptionalArray(ResultSet, String)} throws it
   */
  public Optional<List<T>> readOptionalArray(ResultSet row, int column) throws SQLException {
    Object value = row.getObject(column);
    if (value == null) {
      return Optional.empty();
    }
    if (!(value instanceof Array array)) {
      throw mismatch(row, column, storage().label() + "[]");
    }
    @Nullable Object[] elements = (Object[]) array.getArray();
    List<T> ids = new ArrayList<>(elements.length);
    for (Object element : elements) {
      if (element == null) {
        throw new SQLDataException(
            "column %s: element %s of the array is null: expected a %s"
                .formatted(label(row, column), ids.size() + 1, type.name()),
            NULL_VALUE_NOT_ALLOWED);
      }
      ColumnValue stored = stored(unpadded(element, row, column));
      if (stored == null) {
        String dimension = element instanceof Object[] ? " of one dimension" : "";
        throw mismatch(row, column, storage().label() + "[]" + dimension);
      }
      ids.add(id(stored, row, column));
    }
    return Optional.of(List.copyOf(ids));
  }

  /** For people: {@code ULID in uuid}. */
  @Override
  public String toString() {
    return type.toString();
  }

  /** The name by which the driver knows the type without asking the server. */
  private String typeName() {
    return switch (storage()) {
      case UUID -> "uuid";
      case BIGINT -> "int8";
      case TEXT -> "text";
    };
  }

  private Object[] newElements(int count) {
    return switch (storage()) {
      case UUID -> new UUID[count];
      case BIGINT -> new Long[count];
      case TEXT -> new String[count];
    };
  }

  /** What the driver makes of a column of this storage, or null of what it makes of another. */
  private @Nullable ColumnValue stored(Object value) {
    return switch (storage()) {
      case UUID -> value instanceof UUID uuid ? new ColumnValue.Uuid(uuid) : null;
      case BIGINT ->
          value instanceof Long || value instanceof Integer || value instanceof Short
              ? new ColumnValue.Bigint(((Number) value).longValue())
              : null;
      case TEXT -> value instanceof String text ? new ColumnValue.Text(text) : null;
    };
  }

  /** A {@code char(n)} without the blanks that fill it up, which are no part of its value. */
  private static Object unpadded(Object value, ResultSet row, int column) throws SQLException {
    if (!(value instanceof String text) || !text.endsWith(" ")) {
      return value;
    }
    String typeName = row.getMetaData().getColumnTypeName(column);
    if (!typeName.equals("bpchar") && !typeName.equals("_bpchar")) {
      return value;
    }
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == ' ') {
      end--;
    }
    return text.substring(0, end);
  }

  private T id(ColumnValue stored, ResultSet row, int column) throws SQLException {
    try {
      return type.fromStored(stored);
    } catch (IllegalArgumentException e) {
      throw new SQLDataException(
          "column %s: %s".formatted(label(row, column), e.getMessage()),
          INVALID_TEXT_REPRESENTATION,
          e);
    }
  }

  private <V> V present(Optional<V> value, ResultSet row, int column) throws SQLException {
    if (value.isEmpty()) {
      throw new SQLDataException(
          "column %s is null: expected %s of a %s"
              .formatted(label(row, column), storage().label(), type.name()),
          NULL_VALUE_NOT_ALLOWED);
    }
    return value.get();
  }

  private SQLDataException mismatch(ResultSet row, int column, String expected)
      throws SQLException {
    return new SQLDataException(
        "column %s: expected %s of a %s, found %s %s"
            .formatted(
                label(row, column),
                expected,
                type.name(),
                row.getMetaData().getColumnTypeName(column),
                Quoted.of(row.getString(column))),
        DATATYPE_MISMATCH);
  }

  private static String label(ResultSet row, int column) throws SQLException {
    return Quoted.of(row.getMetaData().getColumnLabel(column));
  }
}
