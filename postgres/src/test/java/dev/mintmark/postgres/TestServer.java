package dev.mintmark.postgres;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * The PostgreSQLs that the tests of this module share: one of each major version, started when it
 * is first asked for and gone with the tests.
 */
public enum TestServer {
  V14,
  V15,
  V16,
  V17,
  V18;

  /** The one that tests run on which are not about a version. */
  public static final TestServer NEWEST = V18;

  private static final int PATIENCE_SECONDS = 20;

  private static final AtomicInteger DATABASES = new AtomicInteger();
  private static final Map<TestServer, EmbeddedPostgres> RUNNING = new ConcurrentHashMap<>();

  /** {@code 18}. */
  public int majorVersion() {
    return Integer.parseInt(name().substring(1));
  }

  /** A new database with nothing in it. */
  public TestDatabase createDatabase() {
    return createDatabase("");
  }

  /** The same with options of {@code create database}. */
  public TestDatabase createDatabase(String options) {
    String name = "test" + DATABASES.incrementAndGet();
    try (Connection connection = running().getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name + " " + options);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return new TestDatabase(this, name);
  }

  EmbeddedPostgres running() {
    return RUNNING.computeIfAbsent(this, TestServer::start);
  }

  private static EmbeddedPostgres start(TestServer server) {
    try {
      EmbeddedPostgres.Builder builder =
          EmbeddedPostgres.builder()
              .setLocaleConfig("locale", "C")
              .setServerConfig("max_prepared_transactions", "20")
              .setServerConfig("full_page_writes", "off")
              .setRegisterShutdownHook(false);
      if (server != NEWEST) {
        builder.setPgBinaryResolver(server.binaries());
      }
      EmbeddedPostgres started = builder.start();
      String files = directory(started);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(started, files)));
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String directory(EmbeddedPostgres server) {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("show data_directory")) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Stops it at once: nobody wants what is not on the disk yet of databases that are deleted next.
   * That takes its time, for which the build does not wait.
   */
  private static void stop(EmbeddedPostgres server, String files) {
    Process process = server.getProcess();
    try {
      new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
      if (!process.waitFor(PATIENCE_SECONDS, SECONDS)) {
        process.destroyForcibly();
      }
      new ProcessBuilder("rm", "-rf", files).start();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Those of an older version, which the build has laid beside its classes. */
  private PgBinaryResolver binaries() {
    Path jar = Path.of("target", "postgresql", majorVersion() + ".jar");
    return (system, architecture) -> {
      try (JarFile file = new JarFile(jar.toFile())) {
        ZipEntry archive =
            file.stream()
                .filter(entry -> entry.getName().endsWith(".txz"))
                .findFirst()
                .orElseThrow();
        try (InputStream content = file.getInputStream(archive)) {
          return new ByteArrayInputStream(content.readAllBytes());
        }
      }
    };
  }
}
