package dev.mintmark.postgres.jdbc;

import dev.mintmark.ColumnValue;
import dev.mintmark.IdType;
import dev.mintmark.Kind;
import dev.mintmark.Order;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * Identifiers that the server mints in the current transaction, many in one statement. The program
 * knows them before it inserts the rows, and no id is older than the transaction that inserts it.
 *
 * <p>Pages by minted id ({@code PageOrder.byMintedId}) require that. An id that the program minted
 * before the first statement of the transaction is older than the transaction, and a page can pass
 * it before the row is committed: the row is lost for its readers.
 *
 * <p>The functions of the SQL pack mint: ULIDs with {@code ulids(n)}, UUIDv7s and TypeIDs with
 * {@code uuidv7()}, or with {@code ulids(n)} too if their collection declares {@code order:
 * ascending}. The ids of one call are in ascending order. Those of a later call on the same
 * connection are greater if {@code ulids(n)} minted them or the server is PostgreSQL 18; with
 * {@code uuidv7()} on PostgreSQL 14 to 17, those of one microsecond are in any order.
 *
 * <p>Immutable, and so safe in any number of threads. Each call joins the transaction of its
 * connection.
 *
 * <pre>{@code
 * ServerMint<Ulid> mint = ServerMint.ofUlids();
 * connection.setAutoCommit(false);
 * List<Ulid> ids = mint.take(connection, 50);         // one statement
 * try (ServerBlocks<Ulid> blocks = mint.blocks(connection, 50)) {
 *   Ulid id = blocks.take();                          // one statement for 50 ids
 * }
 * connection.commit();
 * }</pre>
 *
 * @param <T> the identifiers
 */
public final class ServerMint<T> {
  /** The maximum number of ids in one statement. */
  public static final int COUNT_MAX = 10_000;

  private static final String PACK_SCHEMA = "mintmark";

  /** A schema or a function does not exist. */
  private static final Set<String> UNDEFINED = Set.of("3F000", "42883");

  private final IdType<T> type;
  private final String schema;
  private final String sql;

  private ServerMint(IdType<T> type, String schema) {
    this.type = type;
    this.schema = schema;
    this.sql = sql(type, SqlName.quoted(schema));
  }

  /**
   * Returns a mint that uses the pack in the schema {@code mintmark}.
   *
   * @param type ULIDs, UUIDv7s or TypeIDs, stored as {@code uuid}; also of a class of your own
   * @throws IllegalArgumentException if the type is another
   */
  public static <T> ServerMint<T> of(IdType<T> type) {
    return new ServerMint<>(type, PACK_SCHEMA);
  }

  /** Returns a mint of ULIDs that uses the pack in the schema {@code mintmark}. */
  public static ServerMint<Ulid> ofUlids() {
    return of(IdType.ulids());
  }

  /**
   * Returns the same mint with the pack in another schema.
   *
   * @throws IllegalArgumentException if the name is malformed
   */
  public ServerMint<T> inSchema(String schema) {
    return new ServerMint<>(type, schema);
  }

  private static String sql(IdType<?> type, String schema) {
    // The ULIDs of the pack have the form of a UUIDv7, and ascend across sessions.
    boolean ascends = type.declaredOrder().filter(Order.ASCENDING::equals).isPresent();
    if (type.storage() == Kind.Storage.UUID && (type.kind() == Kind.ULID || ascends)) {
      return "select " + schema + ".ulids(?)";
    }
    if (type.storage() == Kind.Storage.UUID
        && (type.kind() == Kind.UUIDV7 || type.kind() == Kind.TYPEID)) {
      return "select " + schema + ".uuidv7() from pg_catalog.generate_series(1, ?)";
    }
    throw new IllegalArgumentException(
        "%s: the server mints ULIDs, UUIDv7s and TypeIDs, stored as uuid".formatted(type));
  }

  /**
   * Mints ids with one statement in the transaction of the connection. Use them in this transaction
   * only.
   *
   * @param count 0 to {@link #COUNT_MAX}
   * @return the ids in ascending order
   * @throws IllegalArgumentException if the count is out of range
   * @throws IllegalStateException if the connection is in auto-commit mode, where each id would be
   *     older than the transaction of its insert
   * @throws SQLException if the statement fails; if the pack is not installed, the message says so
   */
  public List<T> take(Connection connection, int count) throws SQLException {
    checkCount(count);
    if (connection.getAutoCommit() && !isInTransaction(connection)) {
      throw new IllegalStateException(
          "%s minted by the server: the connection is in auto-commit mode: begin a transaction first, or the id would be older than the transaction that inserts it"
              .formatted(type.name()));
    }
    List<UUID> minted = new ArrayList<>(count);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, count);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          minted.add(row.getObject(1, UUID.class));
        }
      }
    } catch (SQLException e) {
      throw explained(e);
    }
    minted.sort(Uuids.UNSIGNED);
    List<T> ids = new ArrayList<>(count);
    minted.forEach(uuid -> ids.add(type.fromStored(new ColumnValue.Uuid(uuid))));
    return ids;
  }

  /** The driver leaves a connection that a transaction of XA has begun in auto-commit mode. */
  private static boolean isInTransaction(Connection connection) throws SQLException {
    return connection.isWrapperFor(BaseConnection.class)
        && connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.OPEN;
  }

  /**
   * Returns ids one by one that are minted in blocks, for the current transaction of the
   * connection. No statement runs before the first id is taken. Close the blocks before the
   * transaction ends.
   *
   * @param size ids in one statement, 1 to {@link #COUNT_MAX}
   * @throws IllegalArgumentException if the size is out of range
   */
  public ServerBlocks<T> blocks(Connection connection, int size) {
    checkCount(size);
    if (size == 0) {
      throw new IllegalArgumentException("a block of 0 ids: expected 1 to " + COUNT_MAX);
    }
    return new ServerBlocks<>(this, connection, size);
  }

  private static void checkCount(int count) {
    if (count < 0 || count > COUNT_MAX) {
      throw new IllegalArgumentException(
          "%s ids in one statement: expected 0 to %s".formatted(count, COUNT_MAX));
    }
  }

  private SQLException explained(SQLException e) {
    if (e.getSQLState() == null || !UNDEFINED.contains(e.getSQLState())) {
      return e;
    }
    return new SQLException(
        "the SQL pack is not installed in schema %s: run Pack.inSchema(\"%s\").install(dataSource): %s"
            .formatted(schema, schema, e.getMessage()),
        e.getSQLState(),
        e);
  }

  /** For people: {@code ULID in uuid, minted by mintmark}. */
  @Override
  public String toString() {
    return type + ", minted by " + schema;
  }
}
