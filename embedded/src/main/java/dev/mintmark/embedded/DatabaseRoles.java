package dev.mintmark.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.List;

/**
 * The two roles of an embedded database.
 *
 * <pre>
 *   mintmark             owns the database mintmark; its URL is printed, and clients use it
 *   mintmark_superuser   the bootstrap superuser; only setup uses it
 * </pre>
 *
 * <p>The owner may also read the activity of other sessions, which the doctor and gap-free pages
 * need, and disable triggers for its own session, which makes a backfill quiet. It can neither read
 * files nor run programs of the server's machine.
 */
final class DatabaseRoles {
  /** The name of the database and of the role that owns it. */
  static final String OWNER = "mintmark";

  static final String SUPERUSER = "mintmark_superuser";

  /** Exists only during an upgrade: a role cannot rename itself. */
  private static final String UPGRADER = "mintmark_upgrade";

  private static final String INVALID_PASSWORD = "28P01";
  private static final int PASSWORD_BYTES = 24;

  /** A statement with a password must not be logged, not even if it fails. */
  private static final String QUIET =
      "set log_statement = none; set log_min_error_statement = panic;"
          + " set log_min_duration_statement = -1";

  /**
   * One instead of 4,096: iterations slow down the guessing of passwords, but these have {@value
   * #PASSWORD_BYTES} random bytes, which nobody can guess, and every client has to do them again
   * for every connection. RFC 7677 section 4 is about passwords that people choose.
   */
  private static final String FAST_LOGIN = "set scram_iterations = 1";

  /** Characters of base64url, so they need no quotes inside a literal or a URL. */
  private static final String CREATE_OWNER = "create role mintmark login password '%s'";

  private static final List<String> OWNER_RIGHTS =
      List.of(
          "grant pg_read_all_stats, pg_read_all_settings to mintmark",
          "grant set on parameter session_replication_role to mintmark");

  private final int port;
  private final DataDirectory directory;

  DatabaseRoles(int port, DataDirectory directory) {
    this.port = port;
    this.directory = directory;
  }

  static String newPassword() {
    byte[] bytes = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Returns a JDBC URL with a login. */
  static String url(int port, String database, String role, String password) {
    // Not formatted: formatting a number loads the data of the locale, which takes 30 ms.
    return "jdbc:postgresql://127.0.0.1:"
        + port
        + "/"
        + database
        + "?user="
        + role
        + "&password="
        + password;
  }

  String ownerUrl() {
    return url(port, OWNER, OWNER, directory.password());
  }

  String superuserUrl() {
    return url(port, OWNER, SUPERUSER, directory.superuserPassword());
  }

  /** Creates the database and its owner in a new cluster. */
  void create() {
    try (Connection connection =
        connect(url(port, "postgres", SUPERUSER, directory.superuserPassword()))) {
      execute(connection, QUIET, FAST_LOGIN, CREATE_OWNER.formatted(directory.password()));
      execute(connection, OWNER_RIGHTS.toArray(String[]::new));
      execute(
          connection,
          "create database mintmark owner mintmark",
          // By default, objects without a schema are created in the schema named like the role.
          // That is the schema of Mintmark.
          "alter database mintmark set search_path to public");
    } catch (SQLException e) {
      throw new StartupException("cannot set up the embedded PostgreSQL: " + e.getMessage(), e);
    }
  }

  /**
   * Upgrades a cluster of an earlier version, in which {@code mintmark} is the superuser and its
   * password was printed: that superuser gets another name and password, and a new role {@code
   * mintmark} gets the database, its objects and the old password. Can be interrupted at any time
   * and repeated.
   */
  void upgrade() {
    if (directory.hasSuperuserPassword()) {
      return;
    }
    String password = directory.nextSuperuserPassword(newPassword());
    try {
      if (!isUpgraded(password)) {
        swapRoles(password);
      }
      try (Connection connection = connect(url(port, OWNER, SUPERUSER, password))) {
        execute(connection, "drop role if exists " + UPGRADER);
      }
    } catch (SQLException e) {
      throw new StartupException(
          "cannot upgrade the roles of the embedded PostgreSQL: " + e.getMessage(), e);
    }
    directory.acceptSuperuserPassword();
  }

  private boolean isUpgraded(String password) throws SQLException {
    try {
      connect(url(port, OWNER, SUPERUSER, password)).close();
      return true;
    } catch (SQLException e) {
      if (INVALID_PASSWORD.equals(e.getSQLState())) {
        return false;
      }
      throw e;
    }
  }

  private void swapRoles(String password) throws SQLException {
    try (Connection connection = connect(ownerUrl())) {
      execute(
          connection,
          QUIET,
          "drop role if exists " + UPGRADER,
          "create role %s superuser login password '%s'".formatted(UPGRADER, password));
    }
    try (Connection connection = connect(url(port, OWNER, UPGRADER, password))) {
      connection.setAutoCommit(false);
      execute(
          connection,
          QUIET,
          FAST_LOGIN,
          "alter role %s rename to %s".formatted(OWNER, SUPERUSER),
          "alter role %s password '%s'".formatted(SUPERUSER, password),
          CREATE_OWNER.formatted(directory.password()));
      execute(connection, OWNER_RIGHTS.toArray(String[]::new));
      execute(connection, "alter database mintmark owner to mintmark", handOver());
      connection.commit();
    }
  }

  private static Connection connect(String url) throws SQLException {
    return DriverManager.getConnection(url);
  }

  private static void execute(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static String handOver() {
    try (InputStream file = DatabaseRoles.class.getResourceAsStream("hand_over.sql")) {
      if (file == null) {
        throw new IllegalStateException("hand_over.sql is missing");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw StartupException.because("cannot read hand_over.sql", e);
    }
  }
}
