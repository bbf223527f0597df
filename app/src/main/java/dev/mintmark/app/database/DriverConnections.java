package dev.mintmark.app.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Unpooled connections to the database of an address, or to one of its hosts. A parameter of its
 * URL takes precedence over what is set here:
 *
 * <pre>
 *   connectTimeout       2 s for the TCP connection to each host
 *   socketTimeout        5 s for each answer while a host lets the client in; 2 s if several hosts are named
 *   sslResponseTimeout   2 s if several hosts are named
 *   socketTimeout        afterwards, for each answer: as the caller says
 * </pre>
 *
 * <p>A host that was halted accepts TCP connections and never answers: without these limits the
 * driver would not ask the next host. A limit for all hosts together, which {@code loginTimeout}
 * is, would end before the host that answers is asked.
 */
final class DriverConnections extends PGSimpleDataSource {
  private static final long serialVersionUID = 1L;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration LOGIN_ANSWER_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration LOGIN_ANSWER_TIMEOUT_OF_SEVERAL = Duration.ofSeconds(2);

  private static final String SOCKET_TIMEOUT = "socketTimeout";

  private final @Nullable Integer answerMillis;

  /**
   * @param name the application name in the database
   * @param answerTimeout how long each answer may take; zero: without a limit
   */
  DriverConnections(DatabaseAddress address, String name, Duration answerTimeout) {
    this(address, address.hasSeveralHosts(), name, answerTimeout);
  }

  /**
   * @param isOneOfSeveral whether other hosts may be asked as well
   */
  DriverConnections(
      DatabaseAddress address, boolean isOneOfSeveral, String name, Duration answerTimeout) {
    setUrl(address.jdbcUrl());
    address.user().ifPresent(this::setUser);
    address.password().ifPresent(this::setPassword);
    if (!address.hasParameter("ApplicationName")) {
      setApplicationName(name);
    }
    if (!address.hasParameter("tcpKeepAlive")) {
      setTcpKeepAlive(true);
    }
    if (!address.hasParameter("connectTimeout") && !address.hasParameter("socketFactory")) {
      setConnectTimeout(0);
      setSocketFactory(HostSockets.class.getName());
      setSocketFactoryArg(Long.toString(CONNECT_TIMEOUT.toMillis()));
    }
    if (address.hasParameter(SOCKET_TIMEOUT)) {
      answerMillis = null;
    } else {
      answerMillis = Math.toIntExact(answerTimeout.toMillis());
      setSocketTimeout(
          seconds(isOneOfSeveral ? LOGIN_ANSWER_TIMEOUT_OF_SEVERAL : LOGIN_ANSWER_TIMEOUT));
    }
    if (isOneOfSeveral && !address.hasParameter("sslResponseTimeout")) {
      setSslResponseTimeout(Math.toIntExact(LOGIN_ANSWER_TIMEOUT_OF_SEVERAL.toMillis()));
    }
  }

  private static int seconds(Duration duration) {
    return Math.toIntExact(duration.toSeconds());
  }

  @Override
  public Connection getConnection(@Nullable String user, @Nullable String password)
      throws SQLException {
    Connection connection = super.getConnection(user, password);
    if (answerMillis != null) {
      connection.setNetworkTimeout(Runnable::run, answerMillis);
    }
    return connection;
  }

  /**
   * Ignored: a connection pool would set the time that a caller waits, as the limit of all hosts.
   */
  @Override
  public void setLoginTimeout(int seconds) {}
}
