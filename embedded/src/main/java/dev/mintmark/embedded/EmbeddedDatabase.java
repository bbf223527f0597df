package dev.mintmark.embedded;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A PostgreSQL that is part of the program and runs on a data directory. It needs no installation,
 * and loses no committed data if the program or the server is killed.
 *
 * <p>It listens only on 127.0.0.1, on a free port, and requires a password, which was generated
 * when the directory was set up. It runs in its own session, so that an interrupt from the terminal
 * ends the program first. If a killed program leaves a server running, the next start stops that
 * server. Safe for use by several threads.
 *
 * @see DataDirectory the files of the directory
 */
public final class EmbeddedDatabase implements AutoCloseable {
  /** The name of the database and of its superuser. */
  private static final String NAME = "mintmark";

  private static final int PASSWORD_BYTES = 24;
  private static final String TEMPORARY_PREFIX = "mintmark-temporary-";

  /** The minimum age of an abandoned directory: a new one may not be locked yet. */
  private static final Duration ABANDONED_MIN = Duration.ofMinutes(1);

  private static final Map<String, String> SETTINGS =
      Map.of(
          "listen_addresses", "127.0.0.1",
          "unix_socket_directories", "",
          "max_connections", "300",
          "shared_buffers", "128MB",
          "timezone", "UTC",
          "log_timezone", "UTC");

  private static final Map<String, String> DURABLE =
      Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on");

  private static final Map<String, String> NOT_DURABLE =
      Map.of("fsync", "off", "synchronous_commit", "off", "full_page_writes", "off");

  private final DataDirectory directory;
  private final ServerLock lock;
  private final PostgresCluster cluster;
  private final String jdbcUrl;
  private final boolean temporary;
  private boolean closed;

  private EmbeddedDatabase(
      DataDirectory directory,
      ServerLock lock,
      PostgresCluster cluster,
      String jdbcUrl,
      boolean temporary) {
    this.directory = directory;
    this.lock = lock;
    this.cluster = cluster;
    this.jdbcUrl = jdbcUrl;
    this.temporary = temporary;
  }

  /**
   * Starts the database of a directory. Sets up a new directory, and recovers a database that was
   * not shut down.
   *
   * @throws StartupException if the directory cannot be used, is in use, or PostgreSQL fails
   */
  public static EmbeddedDatabase start(Path dataDirectory) {
    return start(DataDirectory.prepare(dataDirectory), false);
  }

  /**
   * Starts an empty database that is not durable and is deleted when it is closed. If it is never
   * closed, a later call deletes it.
   *
   * @throws StartupException if PostgreSQL fails
   */
  public static EmbeddedDatabase startTemporary() {
    try {
      deleteAbandoned(Path.of(System.getProperty("java.io.tmpdir")));
      return start(DataDirectory.prepare(Files.createTempDirectory(TEMPORARY_PREFIX)), true);
    } catch (IOException e) {
      throw StartupException.because("cannot use a temporary directory", e);
    }
  }

  /**
   * Returns the JDBC URL of the database of a directory if a {@code mintmark} process runs it.
   * Empty if no process does, or while it is starting.
   */
  public static Optional<String> findRunning(Path dataDirectory) {
    return DataDirectory.existing(dataDirectory)
        .filter(directory -> ServerLock.isHeld(directory.lock()) && !directory.needsSetUp())
        .flatMap(
            directory -> {
              OptionalInt port = cluster(directory).port();
              return port.isPresent()
                  ? Optional.of(url(port.getAsInt(), NAME, directory.password()))
                  : Optional.empty();
            });
  }

  /** Returns whether a directory already contains a database, running or not. */
  public static boolean exists(Path dataDirectory) {
    return DataDirectory.existing(dataDirectory).filter(known -> !known.needsSetUp()).isPresent();
  }

  /** Returns the JDBC URL. It contains the password, so do not log it. */
  public String jdbcUrl() {
    return jdbcUrl;
  }

  /** Disconnects all clients, shuts PostgreSQL down and unlocks the directory. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (lock) {
      cluster.stop();
      if (temporary) {
        FileTree.delete(directory.root());
      }
    } catch (IOException e) {
      throw StartupException.because("cannot delete " + directory.root(), e);
    }
  }

  private static EmbeddedDatabase start(DataDirectory directory, boolean temporary) {
    ServerLock lock = ServerLock.take(directory.lock());
    PostgresCluster cluster = cluster(directory);
    try {
      PostgresBinaries binaries = PostgresBinaries.unpacked();
      directory.createLog();
      cluster.stop();
      boolean setUp = directory.needsSetUp();
      if (setUp) {
        directory.beginSetUp(newPassword());
        List<String> options = temporary ? List.of("--no-sync") : List.of();
        cluster.initialise(binaries, NAME, directory.passwordFile(), options);
      }
      String password = directory.password();
      int port = cluster.start(binaries, settings(temporary));
      if (setUp) {
        createDatabase(url(port, "postgres", password));
        directory.endSetUp();
      }
      return new EmbeddedDatabase(directory, lock, cluster, url(port, NAME, password), temporary);
    } catch (RuntimeException e) {
      try (lock) {
        cluster.stop();
      } catch (RuntimeException stopping) {
        e.addSuppressed(stopping);
      }
      throw e;
    }
  }

  private static PostgresCluster cluster(DataDirectory directory) {
    return new PostgresCluster(directory.cluster(), directory.log());
  }

  private static Map<String, String> settings(boolean temporary) {
    Map<String, String> settings = new LinkedHashMap<>(SETTINGS);
    settings.putAll(temporary ? NOT_DURABLE : DURABLE);
    return settings;
  }

  private static String newPassword() {
    byte[] bytes = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String url(int port, String database, String password) {
    return "jdbc:postgresql://127.0.0.1:%d/%s?user=%s&password=%s"
        .formatted(port, database, NAME, password);
  }

  private static void createDatabase(String url) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + NAME);
      // By default, objects without a schema are created in the schema named like the role. That is
      // the schema of Mintmark.
      statement.execute("alter database " + NAME + " set search_path to public");
    } catch (SQLException e) {
      throw new StartupException("cannot set up the embedded PostgreSQL: " + e.getMessage());
    }
  }

  private static void deleteAbandoned(Path parent) throws IOException {
    try (DirectoryStream<Path> candidates =
        Files.newDirectoryStream(parent, TEMPORARY_PREFIX + "*")) {
      for (Path candidate : candidates) {
        try {
          if (isAbandoned(candidate)) {
            cluster(new DataDirectory(candidate.toRealPath())).stop();
            FileTree.delete(candidate);
          }
        } catch (NoSuchFileException e) {
          // Another process is deleting it.
        }
      }
    }
  }

  /**
   * Returns whether a directory is abandoned. Other users may write to its parent, so directories
   * of other users and links do not count.
   */
  private static boolean isAbandoned(Path candidate) throws IOException {
    boolean ours =
        Files.isDirectory(candidate, LinkOption.NOFOLLOW_LINKS)
            && Files.getOwner(candidate).getName().equals(System.getProperty("user.name"));
    if (!ours) {
      return false;
    }
    Path lock = new DataDirectory(candidate.toRealPath()).lock();
    return Files.exists(lock)
        && Files.getLastModifiedTime(lock).toInstant().isBefore(Instant.now().minus(ABANDONED_MIN))
        && !ServerLock.isHeld(lock);
  }
}
