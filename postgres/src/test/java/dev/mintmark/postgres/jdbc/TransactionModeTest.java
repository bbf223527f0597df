package dev.mintmark.postgres.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Mint;
import dev.mintmark.Ulid;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestPgBouncer;
import dev.mintmark.fixtures.TestServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What this package does, through a PgBouncer in transaction mode. */
@Tag("slow")
class TransactionModeTest {
  private static final IdColumn<Ulid> ULIDS = IdColumn.ofUlids();
  private static final int CLIENTS = 8;

  /** More than the five after which the driver would prepare a statement on the server. */
  private static final int EXECUTIONS = 12;

  @OnServers({TestServer.V14, TestServer.V18})
  void clientsThatShareConnectionsBindAndReadIdsAndArrays(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute("create table tracks (id uuid primary key, parent uuid)");
    Set<Integer> backends = new HashSet<>();
    try (TestPgBouncer bouncer = TestPgBouncer.before(database)) {
      List<Connection> clients = connect(bouncer.dataSource(), CLIENTS);
      List<Ulid> ids = new ArrayList<>();
      for (int i = 0; i < EXECUTIONS; i++) {
        for (Connection client : clients) {
          Ulid id = Ulid.mint();
          insert(client, id, ids);
          ids.add(id);
          backends.add(checkFound(client, ids));
        }
      }
      close(clients);
    }

    assertThat(database.number("select count(*) from tracks")).isEqualTo(CLIENTS * EXECUTIONS);
    assertThat(backends.size()).isLessThanOrEqualTo(TestPgBouncer.SERVER_CONNECTIONS);
  }

  private static void insert(Connection client, Ulid id, List<Ulid> before) throws SQLException {
    try (PreparedStatement insert =
        client.prepareStatement("insert into tracks (id, parent) values (?, ?)")) {
      ULIDS.bind(insert, 1, id);
      ULIDS.bindOptional(insert, 2, before.stream().findFirst());
      insert.executeUpdate();
    }
  }

  /** Finds all of the ids through an array, and returns the connection of the server it was. */
  private static int checkFound(Connection client, List<Ulid> ids) throws SQLException {
    try (PreparedStatement select =
        client.prepareStatement(
            "select array_agg(id order by id), pg_backend_pid() from tracks where id = any(?)")) {
      ULIDS.bindArray(select, 1, ids);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        assertThat(ULIDS.readArray(row, 1))
            .containsExactlyElementsOf(ids.stream().sorted().toList());
        return row.getInt(2);
      }
    }
  }

  @Test
  void clientsThatShareConnectionsLoadAtOnceAndOneThatGivesUpLeavesNothing() throws Exception {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("create table tracks (id uuid primary key, client int, n int)");
    Mint<Ulid> ids = Ulid.ascending();
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try (TestPgBouncer bouncer = TestPgBouncer.before(database)) {
      List<Future<?>> loads = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int client = i;
        loads.add(threads.submit(() -> load(bouncer.dataSource(), ids, client)));
      }
      for (Future<?> load : loads) {
        load.get();
      }
    } finally {
      threads.shutdown();
    }

    // Those with an odd number gave up.
    assertThat(
            database.text(
                "select string_agg(client || ':' || rows, ' ' order by client) from"
                    + " (select client, count(*) as rows from tracks group by client) as clients"))
        .isEqualTo("0:30000 2:30000 4:30000 6:30000");
  }

  private static long load(DataSource dataSource, Mint<Ulid> ids, int client) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      for (int part = 0; part < EXECUTIONS; part++) {
        try (BinaryCopy copy = BinaryCopy.into(connection, "tracks", "id", "client", "n")) {
          for (int n = 0; n < 2_500; n++) {
            copy.write(ids.mint(), client, n);
          }
          if (client % 2 == 0) {
            copy.finish();
          }
        }
      }
      return client;
    }
  }

  /** Why the page asks for {@code prepareThreshold=0}. */
  @Test
  void statementsThatTheDriverPreparesOnTheServerFail() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    try (TestPgBouncer bouncer = TestPgBouncer.before(database, 1)) {
      List<Connection> clients = connect(bouncer.dataSourceAsTheDriverHasIt(), 2);

      assertThatThrownBy(
              () -> {
                for (Connection client : clients) {
                  execute(client, EXECUTIONS);
                }
              })
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("prepared statement \"S_1\" already exists");
      close(clients);
    }
  }

  @Test
  void oneConnectionServesSeveralClientsWithTheSettingsOfThePage() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    try (TestPgBouncer bouncer = TestPgBouncer.before(database, 1)) {
      List<Connection> clients = connect(bouncer.dataSource(), 2);
      for (Connection client : clients) {
        execute(client, EXECUTIONS);
      }
      close(clients);
    }
  }

  private static void execute(Connection client, int times) throws SQLException {
    try (PreparedStatement select = client.prepareStatement("select ?")) {
      for (int i = 0; i < times; i++) {
        Ulid id = Ulid.mint();
        ULIDS.bind(select, 1, id);
        try (ResultSet row = select.executeQuery()) {
          row.next();
          assertThat(ULIDS.read(row, 1)).isEqualTo(id);
        }
      }
    }
  }

  @Test
  void transactionKeepsItsConnection() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("create table tracks (id uuid primary key)");
    try (TestPgBouncer bouncer = TestPgBouncer.before(database)) {
      List<Connection> clients = connect(bouncer.dataSource(), 2);
      Connection client = clients.get(0);
      client.setAutoCommit(false);
      try (BinaryCopy copy = BinaryCopy.into(client, "tracks", "id")) {
        copy.write(Ulid.mint());
        copy.finish();
      }
      assertThat(count(client)).isEqualTo(1);
      assertThat(count(clients.get(1))).isZero();
      client.rollback();
      assertThat(count(client)).isZero();
      close(clients);
    }
  }

  private static int count(Connection client) throws SQLException {
    try (Statement statement = client.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from tracks")) {
      row.next();
      return row.getInt(1);
    }
  }

  private static List<Connection> connect(DataSource dataSource, int count) throws SQLException {
    List<Connection> connections = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      connections.add(dataSource.getConnection());
    }
    return connections;
  }

  private static void close(List<Connection> connections) throws SQLException {
    for (Connection connection : connections) {
      connection.close();
    }
  }
}
