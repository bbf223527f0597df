package dev.mintmark.operations.doctor;

import dev.mintmark.operations.internal.schema.BuiltInType;
import dev.mintmark.operations.internal.schema.Index;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * A column, with what the catalog and the statistics say of it.
 *
 * @param shown its name as PostgreSQL writes it, without that of the table
 * @param type its type; of a domain the type that it is made of
 * @param defaultExpression as PostgreSQL writes it; empty where there is none
 * @param indexes those that have it in their key
 * @param reference whether it is a part of a foreign key
 * @param readable whether this role may read it
 * @param missing whether rows from before it was added have one value that is kept in the catalog
 * @param statistics empty where there are none that this role may see
 */
record Column(
    Table table,
    String name,
    String shown,
    BuiltInType type,
    String defaultExpression,
    List<IndexOf> indexes,
    boolean reference,
    boolean readable,
    boolean missing,
    Optional<Statistics> statistics) {
  /** {@code id}, {@code user_id}, {@code userId}, {@code public_uuid}. */
  private static final Pattern ID_NAME =
      Pattern.compile("(?i:(?:.*_)?(?:id|uuid|ulid|guid))|.*[a-z0-9](?:Id|ID|Uuid|UUID|Ulid|ULID)");

  /** {@code created_at}, {@code createdOn}, {@code creation_date}, {@code inserted}. */
  private static final Pattern CREATION_NAME =
      Pattern.compile("(?i:(?:created?|creation|inserted)(?:_?(?:at|on|date|time|timestamp|ts))?)");

  /**
   * An index that has the column in its key.
   *
   * @param unique whether it is, and valid
   * @param uniqueAlone whether it keeps the column unique by itself
   * @param columns how many its key has
   * @param whole whether it is of the table with its parts
   * @param begins whether the key begins with the column, so that the least and the greatest value
   *     are found by it
   */
  record IndexOf(
      String name,
      boolean primary,
      boolean unique,
      boolean uniqueAlone,
      int columns,
      boolean partial,
      boolean whole,
      boolean begins) {
    static IndexOf of(Index index, String column, Table table) {
      return new IndexOf(
          index.name(),
          index.primary(),
          index.unique() && index.valid(),
          index.isUniqueAlone(column),
          index.keyColumns().size(),
          index.partial(),
          index.relation() == table.root(),
          index.valid()
              && index.method().equals("btree")
              && index.keyColumns().get(0).filter(column::equals).isPresent());
    }
  }

  /** The texts of an array, without nulls; none where there is no array. */
  static List<String> texts(ResultSet row, String column) throws SQLException {
    Array array = row.getArray(column);
    return array == null
        ? new ArrayList<>()
        : Arrays.stream((String[]) array.getArray()).filter(Objects::nonNull).toList();
  }

  /** Whether it is a part of the primary key. */
  boolean primary() {
    return indexes.stream().anyMatch(IndexOf::primary);
  }

  /** Whether it is a part of anything unique. */
  boolean unique() {
    return indexes.stream().anyMatch(IndexOf::unique);
  }

  /** Whether its values are unique by themselves. */
  boolean uniqueAlone() {
    return indexes.stream().anyMatch(i -> i.uniqueAlone() && i.whole());
  }

  /** Whether an index of the whole table begins with it. */
  boolean leads() {
    return indexes.stream().anyMatch(i -> i.begins() && !i.partial() && i.whole());
  }

  /** {@code public.orders.id}. */
  String object() {
    return table.shown() + "." + shown;
  }

  /** What identifies it among all columns. */
  String place() {
    return place(table, name);
  }

  static String place(Table table, String column) {
    return table.root() + "." + column;
  }

  /** Why its values cannot be read; empty where nothing is known to be in the way. */
  Optional<String> obstacle() {
    return readable ? table.obstacle() : Optional.of("this role has no SELECT on it");
  }

  /** Its name as part of a statement. */
  String sql() {
    return SqlName.quoted(name);
  }

  boolean isNumber() {
    return type.isInteger();
  }

  boolean isText() {
    return type.isText();
  }

  boolean isUuid() {
    return type == BuiltInType.UUID;
  }

  boolean isTime() {
    return type.isTime();
  }

  boolean isNamedLikeCreation() {
    return CREATION_NAME.matcher(name).matches();
  }

  boolean isNamedLikeId() {
    return ID_NAME.matcher(name).matches();
  }

  /** Whether it identifies rows, or looks as if it did. */
  boolean isIdentifier() {
    return primary() || unique() || reference || isNamedLikeId();
  }

  /** Bytes of a value on average; empty where that is not known. */
  OptionalInt width() {
    return statistics.map(known -> OptionalInt.of(known.width())).orElse(OptionalInt.empty());
  }

  /** The share of rows that have the most frequent value; 0 where that is not known. */
  double topFrequency() {
    return statistics.map(Statistics::topFrequency).orElse(0.0);
  }

  /** How many rows have a value. */
  long values() {
    double nulls = statistics.map(Statistics::nullFraction).orElse(0.0);
    return Math.round(table.rows() * (1 - nulls));
  }

  /** How many different values there are, as far as that is known. */
  long distinctValues() {
    double distinct = statistics.map(Statistics::distinct).orElse(0.0);
    if (uniqueAlone() || distinct == 0) {
      return values();
    }
    double count = distinct < 0 ? -distinct * table.rows() : distinct;
    return Math.min(values(), Math.round(count));
  }
}
