package dev.mintmark.postgres.jdbc;

import dev.mintmark.Quoted;
import dev.mintmark.TypedId;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.SqlName;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Loads rows in bulk: one {@code COPY ... FROM STDIN} in PostgreSQL's binary format, all or
 * nothing.
 *
 * <pre>
 *   column                           value; null is null in each
 *   uuid                             UUID, Ulid, TypeId
 *   bigint                           Long, Integer, Short, SequenceId, Snowflake
 *   integer, smallint                Integer, Short; Short
 *   text, varchar(n), char(n)        String, any identifier by its text, a whole Puri
 *   an enum                          the same
 *   json, jsonb                      String
 *   boolean                          Boolean
 *   double precision, real           Double, Float; Float
 *   numeric                          BigDecimal
 *   timestamptz, timestamp           Instant; LocalDateTime: cut to the microsecond
 *   date                             LocalDate
 *   bytea                            byte[]
 *   uuid, bigint, text               TypedId, ColumnValue: where its collection keeps just that
 * </pre>
 *
 * <p>A domain is what it is made of. A pURI goes into the column of its collection by way of {@link
 * dev.mintmark.Puris#toStored}. The types of the columns are asked for once, at the start; a value
 * of another class is refused before anything of its row is sent, and so no number is narrowed
 * here; a precision or length that the column declares still rounds or cuts on the server, as
 * {@code numeric(6,2)} and {@code timestamptz(0)} do, and blanks at the end of a {@code
 * varchar(n)}.
 *
 * <p><b>All or nothing.</b> The rows are there once {@link #finish} has returned and the
 * transaction, where there is one, is committed. To close without finishing takes all back. Inside
 * of a transaction that, like any failure, leaves it to be rolled back.
 *
 * <p><b>Memory.</b> Rows are sent as they come, 64 KiB at a time, from a buffer of 128 KiB, which
 * is larger only for as long as a row is. A row has 64 MiB at most. {@link #write} waits where the
 * server is slower than the caller.
 *
 * <p><b>Errors of the server</b>, as of a key that is there already, are thrown by {@link #finish}:
 * the driver reads nothing before. Load a great many rows in several copies, in one transaction
 * where all of them are to be one. For the same reason a trigger must not raise a notice for every
 * row: after some megabytes of them that nobody reads, server and client wait for one another. Set
 * {@code client_min_messages} to {@code warning} where one does.
 *
 * <p><b>The connection</b> can do nothing else until the end: any other statement on it waits for
 * ever, in the same thread too, and so does this where a result of it is still being read with a
 * fetch size. End the copy before the connection is closed: one that goes back to its pool in the
 * midst of a copy hangs there. Not safe for use by several threads. Works through a pooler in
 * transaction mode.
 *
 * <p><b>The database refuses</b> a table with row-level security in force (0A000) and a view
 * without an {@code instead of insert} trigger (42809). A column of {@code generated always as
 * identity} takes the values that are written.
 *
 * <pre>{@code
 * Mint<Ulid> ids = Ulid.ascending();
 * try (BinaryCopy copy = BinaryCopy.into(connection, "music.tracks", "track_id", "title", "plays")) {
 *   for (Track track : tracks) {
 *     copy.write(ids.mint(), track.title(), track.plays());
 *   }
 *   copy.finish();
 * }
 * }</pre>
 */
public final class BinaryCopy implements AutoCloseable {
  private static final SqlFile COLUMNS = SqlFile.load(BinaryCopy.class, "copy_columns");

  private static final byte[] SIGNATURE =
      "PGCOPY\n\u00ff\r\n\0".getBytes(StandardCharsets.ISO_8859_1);

  /** The count of columns that stands for the end. */
  private static final int END = -1;

  private final Connection connection;
  private final String table;
  private final List<Column> columns;
  private final CopyIn copy;
  private final CopyBuffer buffer = new CopyBuffer();
  private long rows;
  private boolean finished;

  private BinaryCopy(Connection connection, String table, List<Column> columns, CopyIn copy) {
    this.connection = connection;
    this.table = table;
    this.columns = columns;
    this.copy = copy;
    buffer.putBytes(SIGNATURE);
    buffer.putInt(0); // no flags
    buffer.putInt(0); // no header extension
    buffer.endRow();
  }

  /**
   * A column that is written.
   *
   * @param declaredType its type as it was declared: {@code character varying(40)}
   */
  private record Column(String name, String declaredType, CopyType type) {}

  /** A column as the catalog has it. */
  private record Described(
      String name, String declaredType, String baseType, boolean isGenerated) {}

  /**
   * Begins to load rows.
   *
   * @param connection one of the PostgreSQL driver, or of a pool of such
   * @param table its name, with its schema and a dot before it or without: {@code music.tracks};
   *     taken as PostgreSQL keeps it
   * @param columns the names of those that every row has a value for, in the order of the values;
   *     the others get their defaults
   * @throws IllegalArgumentException if there is no such table or column, no column is named, or
   *     one is named twice, is generated, or is of a type that is not listed above
   * @throws SQLException if the database refuses it or did not answer
   */
  public static BinaryCopy into(Connection connection, String table, String... columns)
      throws SQLException {
    String quotedTable = SqlName.quotedTable(table);
    List<Column> known = columns(connection, table, List.of(columns));
    String sql =
        "copy %s (%s) from stdin (format binary)"
            .formatted(
                quotedTable,
                known.stream()
                    .map(column -> SqlName.quoted(column.name))
                    .collect(Collectors.joining(", ")));
    return new BinaryCopy(
        connection, table, known, connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql));
  }

  /**
   * Writes a row. One that is refused is not written, and others can be.
   *
   * @param values one for each column, null among them; null alone is a row of one null
   * @throws IllegalArgumentException if there are too few or too many, one is of a class that its
   *     column does not take or out of its range, or the row has more than 64 MiB; the message says
   *     which row and column
   * @throws IllegalStateException if it is finished or closed, or its connection is
   * @throws SQLException if the connection broke: nothing is loaded
   */
  @SuppressWarnings("exports") // Modules that use this one need no jspecify.
  public void write(@Nullable Object @Nullable ... values) throws SQLException {
    checkOpen();
    // What write(null) passes where there is one column.
    @Nullable Object[] row = values == null ? new @Nullable Object[] {null} : values;
    if (row.length != columns.size()) {
      throw new IllegalArgumentException(
          "%s: expected %d values, got %d".formatted(at(), columns.size(), row.length));
    }
    boolean isWhole = false;
    try {
      buffer.putShort(row.length);
      for (int i = 0; i < row.length; i++) {
        put(columns.get(i), row[i]);
      }
      buffer.endRow();
      isWhole = true;
    } finally {
      if (!isWhole) {
        buffer.dropRow();
      }
    }
    rows++;
    if (buffer.isFull()) {
      buffer.drainTo(copy);
    }
  }

  /** How many rows were written so far. */
  public long rows() {
    return rows;
  }

  /**
   * Sends what is left, and waits until the server has taken all rows.
   *
   * @return how many rows the table has got: those that were written, unless a trigger turned some
   *     away
   * @throws IllegalStateException if it is finished or closed already, or its connection is closed
   * @throws SQLException if the database refused a row or did not answer: nothing is loaded
   */
  public long finish() throws SQLException {
    checkOpen();
    finished = true;
    buffer.putShort(END);
    buffer.endRow();
    buffer.drainTo(copy);
    return copy.endCopy();
  }

  /** Takes all rows back if it is not finished. Does nothing if it is, or has failed. */
  @Override
  public void close() throws SQLException {
    if (copy.isActive()) {
      copy.cancelCopy();
    }
  }

  private void put(Column column, @Nullable Object value) {
    if (value == null) {
      buffer.putInt(CopyType.NULL);
      return;
    }
    boolean isTaken;
    try {
      isTaken = column.type.put(buffer, value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(at(column) + ": " + e.getMessage(), e);
    }
    if (!isTaken) {
      throw new IllegalArgumentException(
          "%s: expected %s, got %s"
              .formatted(at(column), column.type.accepted(), described(value)));
    }
  }

  private static String described(Object value) {
    if (value instanceof byte[] bytes) {
      return "byte[] of %d bytes".formatted(bytes.length);
    }
    String kept =
        value instanceof TypedId<?> id ? ", which is kept as " + id.stored().storage().label() : "";
    return "%s %s%s".formatted(value.getClass().getSimpleName(), Quoted.of(value.toString()), kept);
  }

  private void checkOpen() throws SQLException {
    if (finished || !copy.isActive()) {
      throw new IllegalStateException(
          "table %s: the copy has ended after %d rows".formatted(Quoted.of(table), rows));
    }
    if (connection.isClosed()) { // a pool may have lent what is below it to somebody else
      throw new IllegalStateException(
          "table %s: the connection was closed, after %d rows".formatted(Quoted.of(table), rows));
    }
  }

  private String at() {
    return "table %s, row %d".formatted(Quoted.of(table), rows + 1);
  }

  private String at(Column column) {
    return "%s, column %s of %s".formatted(at(), Quoted.of(column.name), column.declaredType);
  }

  private static List<Column> columns(Connection connection, String table, List<String> names)
      throws SQLException {
    if (names.isEmpty()) {
      throw new IllegalArgumentException(
          "table %s: expected the names of columns, got none".formatted(Quoted.of(table)));
    }
    Map<String, Described> described = describe(connection, table);
    List<Column> columns = new ArrayList<>();
    Set<String> named = new HashSet<>();
    for (String name : names) {
      if (!named.add(name)) {
        throw new IllegalArgumentException(
            "table %s: column %s is named twice".formatted(Quoted.of(table), Quoted.of(name)));
      }
      Described column = described.get(name);
      if (column == null) {
        throw new IllegalArgumentException(
            "table %s has no column %s: it has %s"
                .formatted(
                    Quoted.of(table),
                    Quoted.of(name),
                    described.keySet().stream().map(Quoted::of).collect(Collectors.joining(", "))));
      }
      columns.add(checked(table, column));
    }
    return columns;
  }

  private static Column checked(String table, Described column) {
    if (column.isGenerated) {
      throw new IllegalArgumentException(
          "table %s, column %s is generated: leave it out, the database makes its values"
              .formatted(Quoted.of(table), Quoted.of(column.name)));
    }
    return CopyType.named(column.baseType)
        .map(type -> new Column(column.name, column.declaredType, type))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "table %s, column %s of %s: expected a type made of one of %s"
                        .formatted(
                            Quoted.of(table),
                            Quoted.of(column.name),
                            column.declaredType,
                            CopyType.names())));
  }

  private static Map<String, Described> describe(Connection connection, String table)
      throws SQLException {
    Map<String, Described> columns = new LinkedHashMap<>();
    COLUMNS
        .query(connection, Map.of("table_name", SqlName.quotedTable(table)), BinaryCopy::described)
        .forEach(column -> columns.put(column.name, column));
    if (columns.isEmpty()) {
      throw new IllegalArgumentException(
          "the database has no table %s, or it has no columns".formatted(Quoted.of(table)));
    }
    return columns;
  }

  private static Described described(ResultSet row) throws SQLException {
    return new Described(
        row.getString("name"),
        row.getString("declared_type"),
        row.getString("base_type"),
        row.getBoolean("is_generated"));
  }
}
