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
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Loads rows in bulk with one {@code COPY ... FROM STDIN} in PostgreSQL's binary format, all or
 * none.
 *
 * <pre>
 *   column                           value; null is null in each
 *   uuid                             UUID, Ulid, TypeId
 *   bigint                           Long, Integer, Short, SequenceId, Snowflake, Tsid
 *   integer, smallint                Integer, Short; Short
 *   text, varchar(n), char(n)        String, any identifier by its text, a whole Puri, an Enum by name()
 *   an enum                          the same
 *   json, jsonb                      String
 *   boolean                          Boolean
 *   double precision, real           Double, Float; Float
 *   numeric                          BigDecimal
 *   timestamptz                      Instant, OffsetDateTime: truncated to microseconds
 *   timestamp                        LocalDateTime: truncated to microseconds
 *   date                             LocalDate
 *   interval                         Duration, truncated to microseconds; Period
 *   inet                             InetAddress without a scope
 *   bytea                            byte[]
 *   uuid, bigint, text               TypedId, ColumnValue: if its collection stores that type
 *   uuid, bigint, text               a class of your own that {@link dev.mintmark.IdTypes} declares
 * </pre>
 *
 * <p>A column of an array of one of these takes a Collection or an array of their values, null
 * included, in one dimension. A row of one array is {@code write(List.of(...))}: Java passes an
 * array of objects alone as the values of the row.
 *
 * <p>A domain is treated as its base type. Convert a pURI with {@link dev.mintmark.Puris#toStored}
 * to write it to the column of its collection. The types of the columns are read once, at the
 * start. A value of another class is rejected before any part of its row is sent, so numbers are
 * never narrowed. A precision or length that the column declares still rounds or truncates on the
 * server: {@code numeric(6,2)}, {@code timestamptz(0)}, trailing blanks of a {@code varchar(n)}.
 *
 * <p><b>All or none.</b> The rows are stored once {@link #finish} has returned and the transaction,
 * if there is one, is committed. Closing without {@code finish} discards all rows. Inside a
 * transaction that aborts the transaction, like any failure.
 *
 * <p><b>Memory.</b> Rows are sent in parts of 64 KiB from a buffer of 128 KiB, which grows only for
 * a larger row. A row has at most 64 MiB. {@link #write} blocks if the server is slower than the
 * caller.
 *
 * <p><b>Errors of the server</b>, such as a duplicate key, are thrown by {@link #finish}, because
 * the driver reads no answer before. Load very many rows in several copies, in one transaction if
 * they must be atomic. For the same reason a trigger must not raise a notice for every row: after
 * some megabytes of unread notices, server and client wait for one another. In that case set {@code
 * client_min_messages} to {@code warning}.
 *
 * <p><b>The connection</b> cannot be used for anything else until the end: any other statement on
 * it blocks forever, also in the same thread. So does this copy if a result of the connection is
 * still being read with a fetch size. End the copy before you close the connection: a connection
 * that returns to its pool during a copy blocks there. Not thread-safe. Works through a
 * transaction-mode pooler.
 *
 * <p><b>The database rejects</b> a table with active row-level security (0A000) and a view without
 * an {@code instead of insert} trigger (42809). A column of {@code generated always as identity}
 * accepts the written values.
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

  /** The names that the server reports for the only encoding that rows are written in. */
  private static final Set<String> UTF8 = Set.of("UTF8", "UNICODE");

  /** The count of columns that marks the end. */
  private static final int END = -1;

  /** The SQLSTATEs of class 08 say that the connection is lost. */
  private static final String CONNECTION_LOST = "08";

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
   * A written column.
   *
   * @param declaredType its declared type: {@code character varying(40)}
   */
  private record Column(
      String name, String declaredType, CopyType type, Optional<CopyArray> array) {
    boolean put(CopyBuffer buffer, Object value) {
      return array.isPresent() ? array.get().put(buffer, value) : type.put(buffer, value);
    }

    String accepted() {
      return array.map(CopyArray::accepted).orElse(type.accepted());
    }
  }

  /**
   * A column in the system catalog.
   *
   * @param baseType that of the elements of an array
   * @param elementId the number of the declared type of the elements of an array; 0 if it is none
   */
  private record Described(
      String name, String declaredType, String baseType, int elementId, boolean isGenerated) {
    Optional<CopyArray> array(CopyType type) {
      return elementId == 0 ? Optional.empty() : Optional.of(new CopyArray(type, elementId));
    }
  }

  /**
   * Starts a copy.
   *
   * @param connection a connection of the PostgreSQL driver, or of a pool of such connections
   * @param table the name of the table, optionally after its schema and a dot: {@code
   *     music.tracks}; case-sensitive
   * @param columns the names of the columns in the order of the values; other columns get their
   *     defaults
   * @throws IllegalArgumentException if there is no such table or column, no column is given, or
   *     one is given twice, is generated, or has a type that is not listed above; or if {@code
   *     client_encoding} of the connection is not UTF8, because the server would read other texts
   * @throws SQLException if the database rejects the copy or does not answer
   */
  public static BinaryCopy into(Connection connection, String table, String... columns)
      throws SQLException {
    String quotedTable = SqlName.quotedTable(table);
    PGConnection session = connection.unwrap(PGConnection.class);
    checkEncoding(table, session);
    List<Column> known = columns(connection, table, List.of(columns));
    String sql =
        "copy %s (%s) from stdin (format binary)"
            .formatted(
                quotedTable,
                known.stream()
                    .map(column -> SqlName.quoted(column.name))
                    .collect(Collectors.joining(", ")));
    return new BinaryCopy(connection, table, known, session.getCopyAPI().copyIn(sql));
  }

  /** The encoding that {@code COPY} itself may name does not apply to its binary format. */
  private static void checkEncoding(String table, PGConnection session) {
    String encoding = session.getParameterStatus("client_encoding");
    if (encoding != null && !UTF8.contains(encoding)) {
      throw new IllegalArgumentException(
          "table %s: client_encoding of the connection is %s: expected UTF8"
              .formatted(Quoted.of(table), encoding));
    }
  }

  /**
   * Writes a row. After a rejected row, other rows can be written.
   *
   * @param values one value for each column, which may be null; a single null is a row of one null
   * @throws IllegalArgumentException if there are too few or too many values, a value has a class
   *     that its column does not accept or is out of range, or the row has more than 64 MiB; the
   *     message has the row and the column
   * @throws IllegalStateException if the copy or its connection is finished or closed
   * @throws SQLException if the connection failed: no row is loaded
   */
  @SuppressWarnings("exports") // Modules that use this one need no jspecify.
  public void write(@Nullable Object @Nullable ... values) throws SQLException {
    checkOpen();
    // The array that write(null) passes for one column.
    @Nullable Object[] row = values == null ? new @Nullable Object[] {null} : values;
    if (row.length != columns.size()) {
      throw new IllegalArgumentException(
          "%s: expected %s values, got %s".formatted(at(), columns.size(), row.length));
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

  /** The number of rows written so far. */
  public long rows() {
    return rows;
  }

  /**
   * Sends the remaining rows, and waits until the server has stored all rows.
   *
   * @return the number of stored rows: all written rows, unless a trigger skipped some
   * @throws IllegalStateException if the copy is already finished or closed, or its connection is
   *     closed
   * @throws SQLException if the database rejects a row or does not answer: no row is loaded
   */
  public long finish() throws SQLException {
    checkOpen();
    finished = true;
    buffer.putShort(END);
    buffer.endRow();
    buffer.drainTo(copy);
    return copy.endCopy();
  }

  /**
   * Discards all rows, unless the copy is finished. Does nothing if it has failed, or its
   * connection is lost.
   */
  @Override
  public void close() throws SQLException {
    if (!copy.isActive()) {
      return;
    }
    try {
      copy.cancelCopy();
    } catch (SQLException e) {
      // Old drivers take a copy for active whose connection is lost: the server has discarded it.
      if (!String.valueOf(e.getSQLState()).startsWith(CONNECTION_LOST)) {
        throw e;
      }
    }
  }

  private void put(Column column, @Nullable Object value) {
    if (value == null) {
      buffer.putInt(CopyType.NULL);
      return;
    }
    boolean isTaken;
    try {
      isTaken = column.put(buffer, value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(at(column) + ": " + e.getMessage(), e);
    }
    if (!isTaken) {
      throw new IllegalArgumentException(
          "%s: expected %s, got %s".formatted(at(column), column.accepted(), described(value)));
    }
  }

  private static String described(Object value) {
    if (value instanceof byte[] bytes) {
      return "byte[] of %s bytes".formatted(bytes.length);
    }
    String kept =
        value instanceof TypedId<?> id
            ? ", which is stored as " + id.stored().storage().label()
            : "";
    return "%s %s%s".formatted(value.getClass().getSimpleName(), Quoted.of(value.toString()), kept);
  }

  private void checkOpen() throws SQLException {
    if (finished || !copy.isActive()) {
      throw new IllegalStateException(
          "table %s: the copy has ended after %s rows".formatted(Quoted.of(table), rows));
    }
    if (connection.isClosed()) { // a pool may have given its physical connection to another caller
      throw new IllegalStateException(
          "table %s: the connection was closed, after %s rows".formatted(Quoted.of(table), rows));
    }
  }

  private String at() {
    return "table %s, row %s".formatted(Quoted.of(table), rows + 1);
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
            "table %s: column %s is given twice".formatted(Quoted.of(table), Quoted.of(name)));
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
          "table %s, column %s is generated: omit it, the database computes its values"
              .formatted(Quoted.of(table), Quoted.of(column.name)));
    }
    return CopyType.named(column.baseType)
        .map(type -> new Column(column.name, column.declaredType, type, column.array(type)))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "table %s, column %s of %s: expected one of these types, a domain over one, or an array of one: %s"
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
        (int) row.getLong("element_id"),
        row.getBoolean("is_generated"));
  }
}
