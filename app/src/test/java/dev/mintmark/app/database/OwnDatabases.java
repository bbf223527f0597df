package dev.mintmark.app.database;

import dev.mintmark.embedded.EmbeddedDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Empty databases that belong to the role {@code mintmark}, as that of {@code serve} does. All
 * tests of this JVM share one server: to set one up takes a second of a processor.
 */
public final class OwnDatabases {
  private static final AtomicInteger CREATED = new AtomicInteger();

  private OwnDatabases() {}

  private static final class Server {
    static final EmbeddedDatabase EMBEDDED = EmbeddedDatabase.startTemporary();

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(EMBEDDED::close));
    }
  }

  /** Creates a database and returns its URL. */
  public static String create() {
    return create("mintmark", Server.EMBEDDED.jdbcUrl());
  }

  /** Creates a database of a superuser, and returns its URL with that role. */
  public static String createOfSuperuser() {
    return create("default", Server.EMBEDDED.superuserUrl());
  }

  private static String create(String owner, String url) {
    String name = "own" + CREATED.incrementAndGet();
    try (Connection connection = DriverManager.getConnection(Server.EMBEDDED.superuserUrl());
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name + " owner " + owner + " strategy file_copy");
      statement.execute("alter database " + name + " set search_path to public");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return url.replace("/mintmark?", "/" + name + "?");
  }

  /** Creates a database with our tables. */
  public static Database open() {
    return Database.connect(DatabaseAddress.parse(create()));
  }
}
