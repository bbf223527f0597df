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
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(started)));
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** At once: nobody wants what is not on the disk yet of databases that are deleted next. */
  private static void stop(EmbeddedPostgres server) {
    Process process = server.getProcess();
    try (server) {
      new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
      process.waitFor(PATIENCE_SECONDS, SECONDS);
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
