package dev.mintmark.postgres.jdbc;

import dev.mintmark.Catalog;
import dev.mintmark.ColumnValue;
import dev.mintmark.PuriReference;
import dev.mintmark.ReferenceTypes;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The four columns of a reference to rows of any collection, as {@code mintmark catalog references}
 * declares them:
 *
 * <pre>
 *   subject_type smallint   subject_uuid uuid   subject_number bigint   subject_text text
 *   1                       017fe093-...        null                    null
 *   -1                      null                123                     null
 *   null                    null                null                    acme:widgets:AbC-1
 * </pre>
 *
 * <p>All are null if there is no reference.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * ReferenceTypes types = ReferenceColumns.types(connection, catalog);
 * ReferenceColumns subject = ReferenceColumns.named("subject");
 * // insert into comments (subject_type, subject_uuid, subject_number, subject_text) values (?, ?, ?, ?)
 * subject.set(insert, 1, types.reference(puri));
 * }</pre>
 */
public final class ReferenceColumns {
  private static final SqlFile REFERENCE_TYPES =
      SqlFile.load(ReferenceColumns.class, "reference_types");

  private final String type;
  private final String uuid;
  private final String number;
  private final String text;

  private ReferenceColumns(String name) {
    this.type = name + "_type";
    this.uuid = name + "_uuid";
    this.number = name + "_number";
    this.text = name + "_text";
    Stream.of(type, uuid, number, text).forEach(SqlName::quoted);
  }

  /**
   * Returns the columns whose names begin so: {@code subject} for {@code subject_type} and so on.
   *
   * @throws IllegalArgumentException if PostgreSQL cannot store one of the names
   */
  public static ReferenceColumns named(String name) {
    return new ReferenceColumns(name);
  }

  /**
   * Reads the codes of the types of references.
   *
   * @throws IllegalArgumentException as {@link ReferenceTypes#of} throws it
   * @throws SQLException if the table {@code mintmark.reference_type} does not exist, or the
   *     database fails
   */
  public static ReferenceTypes types(Connection connection, Catalog catalog) throws SQLException {
    Map<String, Short> assigned =
        REFERENCE_TYPES
            .query(
                connection,
                Map.of(),
                row -> Map.entry(row.getString("codes"), row.getShort("code")))
            .stream()
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    return ReferenceTypes.of(catalog, assigned);
  }

  /** Returns the names of the columns, without quotes, in the order in which they are set. */
  public List<String> names() {
    return List.of(type, uuid, number, text);
  }

  /**
   * Sets four parameters, in the order of {@link #names}.
   *
   * @param first the index of the first parameter, from 1
   */
  public void set(PreparedStatement statement, int first, PuriReference reference)
      throws SQLException {
    setNull(statement, first);
    if (reference.code() != 0) {
      statement.setShort(first, reference.code());
    }
    statement.setObject(first + place(reference), reference.id().toObject());
  }

  /**
   * Sets four parameters to null: no reference.
   *
   * @param first the index of the first parameter, from 1
   */
  public void setNull(PreparedStatement statement, int first) throws SQLException {
    statement.setNull(first, Types.SMALLINT);
    statement.setNull(first + 1, Types.OTHER);
    statement.setNull(first + 2, Types.BIGINT);
    statement.setNull(first + 3, Types.VARCHAR);
  }

  /** Reads the columns of the current row; empty if all are null. */
  public Optional<PuriReference> get(ResultSet row) throws SQLException {
    short code = row.getShort(type);
    return value(row, code).map(id -> new PuriReference(code, id));
  }

  private Optional<ColumnValue> value(ResultSet row, short code) throws SQLException {
    if (code > 0) {
      return Optional.ofNullable(row.getObject(uuid, UUID.class)).map(ColumnValue.Uuid::new);
    }
    if (code < 0) {
      return Optional.ofNullable(row.getObject(number, Long.class)).map(ColumnValue.Bigint::new);
    }
    return Optional.ofNullable(row.getString(text)).map(ColumnValue.Text::new);
  }

  /**
   * Returns the condition for the rows that have this reference, which the indexes of the columns
   * serve: {@code "subject_type" = ? and "subject_uuid" = ?}. {@link #setCondition} sets its
   * parameters.
   */
  public String condition(PuriReference reference) {
    String id = SqlName.quoted(names().get(place(reference)));
    return reference.code() == 0
        ? SqlName.quoted(type) + " is null and " + id + " = ?"
        : SqlName.quoted(type) + " = ? and " + id + " = ?";
  }

  /**
   * Sets the parameters of {@link #condition}.
   *
   * @param first the index of the first parameter, from 1
   * @return the index after the last parameter
   */
  public int setCondition(PreparedStatement statement, int first, PuriReference reference)
      throws SQLException {
    int index = first;
    if (reference.code() != 0) {
      statement.setShort(index++, reference.code());
    }
    statement.setObject(index++, reference.id().toObject());
    return index;
  }

  /** The place of the column of the id. */
  private static int place(PuriReference reference) {
    if (reference.code() == 0) {
      return 3;
    }
    return reference.code() > 0 ? 1 : 2;
  }
}
