package dev.mintmark.app.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.fixtures.Patience;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** The connection of a command, on a real PostgreSQL. */
@Tag("slow")
class OneConnectionTest {
  private static final String DATABASE = OwnDatabases.create();

  private static OneConnection connection(Duration patience) {
    return new OneConnection(
        new DriverConnections(DatabaseAddress.parse(DATABASE), "one", Duration.ofSeconds(60)),
        patience);
  }

  private static int process(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getBackendPID();
  }

  private static String query(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getString(1);
    }
  }

  @Test
  void staysOpenIfItIsKeptAndIsLentAsItWas() throws SQLException {
    try (OneConnection one = connection(Patience.MAX)) {
      one.keep();
      Connection first = one.getConnection();
      int process = process(first);
      first.setAutoCommit(false);
      first.setReadOnly(true);
      query(first, "select set_config('application_name', 'changed', true)");
      first.close();
      first.close();

      assertThat(first.isClosed()).isTrue();
      assertThatThrownBy(() -> query(first, "select 1")).hasMessageContaining("given back");
      try (Connection second = one.getConnection()) {
        assertThat(process(second)).isEqualTo(process);
        assertThat(second.getAutoCommit()).isTrue();
        assertThat(second.isReadOnly()).isFalse();
        assertThat(query(second, "show application_name")).isEqualTo("one");
      }
    }
  }

  @Test
  void isClosedWhenItIsGivenBackUnlessItIsKept() throws SQLException {
    try (OneConnection one = connection(Patience.MAX)) {
      Connection first = one.getConnection();
      int process = process(first);
      first.close();

      try (Connection second = one.getConnection()) {
        assertThat(process(second)).isNotEqualTo(process);
      }
    }
  }

  @Test
  void callersWaitForEachOtherAndNotForEver() throws Exception {
    try (OneConnection one = connection(Patience.MAX);
        OneConnection impatient = connection(Duration.ofMillis(1))) {
      Connection first = one.getConnection();
      FutureTask<String> second =
          new FutureTask<>(
              () -> {
                try (Connection connection = one.getConnection()) {
                  return query(connection, "select 'mine'");
                }
              });
      new Thread(second).start();
      first.close();
      assertThat(second.get()).isEqualTo("mine");

      try (Connection held = impatient.getConnection()) {
        assertThat(held.isClosed()).isFalse();
        assertThatThrownBy(impatient::getConnection)
            .isInstanceOf(SQLTransientConnectionException.class);
      }
      impatient.getConnection().close();
    }
  }

  @Test
  void aConnectionThatTheServerEndedIsReplaced() throws Exception {
    try (OneConnection one = connection(Patience.MAX);
        OneConnection other = connection(Patience.MAX)) {
      one.keep();
      int process;
      try (Connection first = one.getConnection()) {
        process = process(first);
      }
      try (Connection killer = other.getConnection()) {
        query(killer, "select pg_terminate_backend(" + process + ", 10000)");
      }
      try (Connection broken = one.getConnection()) {
        query(broken, "select 1");
      } catch (SQLException e) {
        assertThat(e.getSQLState()).isIn("57P01", "08006", "08003");
      }
      try (Connection next = one.getConnection()) {
        assertThat(query(next, "select 'works'")).isEqualTo("works");
        assertThat(process(next)).isNotEqualTo(process);
      }
    }
  }

  @Test
  void closingEndsAStatementThatRuns() throws Exception {
    OneConnection one = connection(Patience.MAX);
    Connection connection = one.getConnection();
    FutureTask<String> sleeping =
        new FutureTask<>(() -> query(connection, "select pg_sleep(100)::text"));
    new Thread(sleeping).start();
    try (OneConnection other = connection(Patience.MAX);
        Connection watching = other.getConnection()) {
      String running =
          "select count(*) from pg_stat_activity where query like '%pg_sleep(100)::text' and pid <> pg_backend_pid()";
      while (!query(watching, running).equals("1")) {
        Thread.sleep(20);
      }
      one.close();

      assertThatThrownBy(sleeping::get).isInstanceOf(ExecutionException.class);
      assertThatThrownBy(one::getConnection).hasMessage("closed");
    }
  }
}
