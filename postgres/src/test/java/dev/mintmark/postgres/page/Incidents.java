package dev.mintmark.postgres.page;

import dev.mintmark.Keyring;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pack.Pack;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;

/** A table of incidents, which tests identify by their numbers. */
final class Incidents {
  static final Keyring KEYRING = Keyring.of('a', secret(1));

  static final PageOrder.MintedId BY_ID = PageOrder.byMintedId("id");
  static final PageOrder.Transaction BY_TRANSACTION = PageOrder.byTransaction("xid", "id");
  static final PageOrder.Window BY_WINDOW = PageOrder.byWindow("xid", "id");
  static final PageOrder.Plain NAIVE = PageOrder.plain(PageOrder.ascending("id"));

  static final String TABLE =
      """
      create table incidents (
        id uuid primary key default %s,
        organisation_id text not null default 'acme',
        number int not null,
        xid xid8 not null default pg_current_xact_id()
      )
      """;

  /** The pack mints the ids before PostgreSQL 18, and those of one millisecond have no order. */
  private static final String INSERT =
      """
      insert into incidents (number) values (%d);
      select pg_sleep(0.001) where current_setting('server_version_num')::int < 180000
      """;

  private final TestDatabase database;

  private Incidents(TestDatabase database) {
    this.database = database;
  }

  static Incidents create() {
    return create(TestServer.NEWEST);
  }

  static Incidents create(TestServer server) {
    return create(server, server.createDatabase());
  }

  /** Creates the table again in a shared database, which is faster than another database. */
  static Incidents create(TestServer server, TestDatabase database) {
    database.execute("drop table if exists incidents cascade");
    if (server.majorVersion() < 18) {
      installPack(database);
    }
    database.execute(TABLE.formatted(server.majorVersion() < 18 ? "mintmark.ulid()" : "uuidv7()"));
    database.execute("create unique index on incidents (organisation_id, id)");
    database.execute("create unique index on incidents (organisation_id, xid, id)");
    return new Incidents(database);
  }

  static void installPack(TestDatabase database) {
    try {
      Pack.inSchema(Pack.SCHEMA).install(database.dataSource());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  TestDatabase database() {
    return database;
  }

  Connection connect() throws SQLException {
    return database.dataSource().getConnection();
  }

  /** A connection with an open transaction. */
  Connection begin() throws SQLException {
    Connection connection = connect();
    connection.setAutoCommit(false);
    execute(connection, "select 1");
    return connection;
  }

  /** Inserts a row whose id is greater than that of the row before, of this or another session. */
  static void insert(Connection connection, int number) throws SQLException {
    execute(connection, INSERT.formatted(number));
  }

  void insert(int number) {
    database.execute(INSERT.formatted(number));
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Pages of the numbers of incidents. */
  static KeysetPages<Integer> pages(PageOrder order) {
    return pages(order, AfterFailover.REFUSE);
  }

  static KeysetPages<Integer> pages(PageOrder order, AfterFailover afterFailover) {
    return KeysetPages.of("incidents")
        .afterFailover(afterFailover)
        .scopedBy("organisation_id")
        .orderedBy(order)
        .signedWith(KEYRING)
        .reading(List.of("number"), row -> row.getInt("number"));
  }

  static PageRequest first(int limit) {
    return PageRequest.first(limit).in("organisation_id", "acme");
  }

  static PageRequest last(int limit) {
    return PageRequest.last(limit).in("organisation_id", "acme");
  }

  static PageRequest after(Page<?> page, int limit) {
    return PageRequest.after(page.after(), limit).in("organisation_id", "acme");
  }

  static PageRequest before(Page<?> page, int limit) {
    return PageRequest.before(page.before(), limit).in("organisation_id", "acme");
  }

  Page<Integer> read(PageOrder order, PageRequest request) throws SQLException {
    return pages(order).read(database.dataSource(), request);
  }

  /** A cursor of these pages that was read from another server, or at another time. */
  static String cursor(Connection connection, PageOrder order, Origin origin, CursorState state)
      throws SQLException {
    PageDefinition definition = new PageDefinition("incidents", List.of("organisation_id"), order);
    PageTable table = definition.readTable(connection, order);
    List<String> parts =
        order instanceof PageOrder.Transaction transaction
            ? List.of(table.resolved(), transaction.xid())
            : List.of(table.resolved());
    String identity = definition.identity(parts, first(1));
    return new Cursors(KEYRING).write(table, identity, origin, state);
  }

  static byte[] secret(long seed) {
    byte[] secret = new byte[32];
    new Random(seed).nextBytes(secret);
    return secret;
  }
}
