package dev.mintmark.postgres.doctor;

import dev.mintmark.postgres.internal.SqlName;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A column, with what the catalog and the statistics say of it.
 *
 * @param shown its name as PostgreSQL writes it, without that of the table
 * @param type the name of its type, or of the one that its domain is over: {@code int4}
 * @param defaultExpression as PostgreSQL writes it; empty where there is none
 * @param primary whether it is a part of the primary key
 * @param unique whether it is a part of anything unique
 * @param uniqueAlone whether its values are unique by themselves
 * @param leads whether an index of the whole table begins with it
 * @param indexes those that it is a part of
 * @param reference whether it is a part of a foreign key
 * @param readable whether this role may read it
 * @param missing whether rows from before it was added have one value that is kept in the catalog
 * @param analyzed whether there are statistics that this role may see; else those below are zero
 * @param width bytes on average, with those that say how many
 * @param nullFraction the share of rows without a value
 * @param distinct how many different values there are; negative for a share of the rows
 * @param topFrequency the share of rows with the most frequent value
 * @param sample some values, of a column of numbers the greatest that is known
 */
record Column(
    Table table,
    String name,
    String shown,
    String type,
    String defaultExpression,
    boolean primary,
    boolean unique,
    boolean uniqueAlone,
    boolean leads,
    List<IndexOf> indexes,
    boolean reference,
    boolean readable,
    boolean missing,
    boolean analyzed,
    int width,
    double nullFraction,
    double distinct,
    double topFrequency,
    List<String> sample) {
  /** {@code id}, {@code user_id}, {@code userId}, {@code public_uuid}. */
  private static final Pattern ID_NAME =
      Pattern.compile("(?i:(?:.*_)?(?:id|uuid|ulid|guid))|.*[a-z0-9](?:Id|ID|Uuid|UUID|Ulid|ULID)");

  /** {@code created_at}, {@code createdOn}, {@code creation_date}, {@code inserted}. */
  private static final Pattern CREATION_NAME =
      Pattern.compile("(?i:(?:created?|creation|inserted)(?:_?(?:at|on|date|time|timestamp|ts))?)");

  /**
   * An index that holds the column.
   *
   * @param columns how many it has in its key
   */
  record IndexOf(String name, boolean unique, int columns) {
    private static final Pattern FORM = Pattern.compile("(.*)=(true|false)=(\\d+)", Pattern.DOTALL);

    static IndexOf parse(String text) {
      var part = FORM.matcher(text);
      if (!part.matches()) {
        throw new IllegalStateException("not an index: " + text);
      }
      return new IndexOf(
          part.group(1), Boolean.parseBoolean(part.group(2)), Integer.parseInt(part.group(3)));
    }
  }

  static Column read(Table table, ResultSet row) throws SQLException {
    return new Column(
        table,
        row.getString("name"),
        row.getString("shown"),
        row.getString("type"),
        row.getString("default_expression"),
        row.getBoolean("is_primary"),
        row.getBoolean("is_unique"),
        row.getBoolean("is_unique_alone"),
        row.getBoolean("leads"),
        texts(row, "indexes").stream().map(IndexOf::parse).toList(),
        row.getBoolean("is_reference"),
        row.getBoolean("is_readable"),
        row.getBoolean("has_missing"),
        row.getBoolean("is_analyzed"),
        row.getInt("width"),
        row.getDouble("null_fraction"),
        row.getDouble("distinct_values"),
        row.getDouble("top_frequency"),
        texts(row, "sample"));
  }

  /** The texts of an array, without nulls; none where there is no array. */
  static List<String> texts(ResultSet row, String column) throws SQLException {
    Array array = row.getArray(column);
    return array == null
        ? new ArrayList<>()
        : Arrays.stream((String[]) array.getArray()).filter(Objects::nonNull).toList();
  }

  /** {@code public.orders.id}. */
  String object() {
    return table.shown() + "." + shown;
  }

  /** What tells it from all other columns. */
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
    return type.equals("int2") || type.equals("int4") || type.equals("int8");
  }

  boolean isText() {
    return type.equals("text") || type.equals("varchar") || type.equals("bpchar");
  }

  boolean isUuid() {
    return type.equals("uuid");
  }

  boolean isTime() {
    return type.equals("timestamptz") || type.equals("timestamp") || type.equals("date");
  }

  boolean isNamedLikeCreation() {
    return CREATION_NAME.matcher(name).matches();
  }

  boolean isNamedLikeId() {
    return ID_NAME.matcher(name).matches();
  }

  /** Whether it tells rows apart, or looks as if it were to. */
  boolean isIdentifier() {
    return primary || unique || reference || isNamedLikeId();
  }

  /** How many rows have a value. */
  long values() {
    return Math.round(table.rows() * (1 - nullFraction));
  }

  /** How many different values there are, as far as that is known. */
  long distinctValues() {
    if (uniqueAlone || distinct == 0) {
      return values();
    }
    double count = distinct < 0 ? -distinct * table.rows() : distinct;
    return Math.min(values(), Math.round(count));
  }
}
