package dev.mintmark.app.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.embedded.StartupException;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.Ports;
import dev.mintmark.fixtures.ThreadPerTask;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long connections wait, and for which of several hosts. */
@Tag("slow")
class DriverConnectionsTest {
  /** {@code 127.0.0.1:PORT} */
  private static String authority;

  /** {@code user=...&password=...} */
  private static String login;

  @BeforeAll
  static void start() {
    URI url = URI.create(OwnDatabases.create().replaceFirst("jdbc:", ""));
    authority = url.getAuthority();
    login = url.getQuery();
  }

  @Test
  void aHostThatIsHaltedOrDownIsPassedOver() throws IOException {
    try (ServerSocket halted = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Database database =
            open(
                "127.0.0.1:%d,127.0.0.1:%d,%s"
                    .formatted(halted.getLocalPort(), Ports.free(), authority),
                "")) {
      DataSource migrating = database.ownConnections("test");

      CompletableFuture<String> answer =
          CompletableFuture.supplyAsync(
              () -> select(migrating, "show port"), ThreadPerTask.EXECUTOR);

      assertThat(answer.orTimeout(Patience.MAX.toSeconds(), TimeUnit.SECONDS).join())
          .isEqualTo(portOf(authority));
    }
  }

  /** Without limits, the driver would wait for the first host without an end. */
  @Test
  void aHostThatHangsHoldsUpNoConnectionToThePrimary() throws IOException {
    try (ServerSocket halted = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Database database =
            open(
                "127.0.0.1:%d,%s".formatted(halted.getLocalPort(), authority),
                "&connectTimeout=0&socketTimeout=0&sslResponseTimeout=0")) {
      CompletableFuture<String> answer =
          CompletableFuture.supplyAsync(
              () -> select(database.ownConnections("test"), "show port"), ThreadPerTask.EXECUTOR);

      assertThat(answer.orTimeout(Patience.MAX.toSeconds(), TimeUnit.SECONDS).join())
          .isEqualTo(portOf(authority));
    }
  }

  @Test
  void eachHostHasATimeLimitOfItsOwnForItsConnection() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Socket limited = new HostSockets("2000").createSocket()) {
      // What is left of the driver's limit for all hosts after one has used it up.
      limited.connect(server.getLocalSocketAddress(), -1);
      assertThat(limited.isConnected()).isTrue();
    }
  }

  @Test
  void onlyRequestsAndListenersHaveToBeAnsweredInFiveSeconds() throws SQLException {
    try (Database database = open(authority, "")) {
      assertThat(answerMillis(database.servingConnections("test", 1))).isEqualTo(5_000);
      assertThat(answerMillis(database.listeningConnections("test"))).isEqualTo(5_000);
      assertThat(answerMillis(database.connectionPool("test", 1))).isEqualTo(60_000);
      assertThat(answerMillis(database.ownConnections("test"))).isZero();
    }
  }

  @Test
  void limitsOfTheUrlTakePrecedence() throws SQLException {
    try (Database database = open(authority, "&socketTimeout=77&connectTimeout=9")) {
      assertThat(answerMillis(database.servingConnections("test", 1))).isEqualTo(77_000);
      assertThat(answerMillis(database.connectionPool("test", 1))).isEqualTo(77_000);
      assertThat(answerMillis(database.ownConnections("test"))).isEqualTo(77_000);
      assertThat(unpooled(database))
          .returns(9, DriverConnections::getConnectTimeout)
          .returns(null, DriverConnections::getSocketFactory);
    }
  }

  @Test
  void aServerAwaitsADatabaseThatIsDownButNotOneThatRejectsIt() {
    assertAwaited("jdbc:postgresql://127.0.0.1:%d/mintmark?user=x".formatted(Ports.free()), true);
    assertAwaited(
        "jdbc:postgresql://%s/mintmark?user=mintmark&password=x".formatted(authority), false);
    assertAwaited("jdbc:postgresql://%s/mintmark?user=mintmark".formatted(authority), false);
    assertAwaited("jdbc:postgresql://%s/nowhere?%s".formatted(authority, login), false);
    // A primary asked for a standby: as when all servers that are there are standbys.
    assertAwaited(
        "jdbc:postgresql://%s/mintmark?%s&targetServerType=secondary".formatted(authority, login),
        true);
  }

  private static void assertAwaited(String url, boolean isAwaited) {
    assertThatThrownBy(() -> Database.connect(DatabaseAddress.parse(url)).close())
        .isInstanceOf(StartupException.class)
        .satisfies(failure -> assertThat(Database.isAwaited(failure)).isEqualTo(isAwaited));
  }

  private static Database open(String hosts, String parameters) {
    return Database.connectAsItIs(
        DatabaseAddress.parse("jdbc:postgresql://" + hosts + "/mintmark?" + login + parameters));
  }

  private static DriverConnections unpooled(Database database) {
    return (DriverConnections) database.ownConnections("test");
  }

  private static String portOf(String authority) {
    return authority.substring(authority.indexOf(':') + 1);
  }

  private static int answerMillis(DataSource connections) throws SQLException {
    try (Connection connection = connections.getConnection()) {
      return connection.getNetworkTimeout();
    }
  }

  private static String select(DataSource connections, String sql) {
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
