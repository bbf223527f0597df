package dev.mintmark.embedded;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * A PostgreSQL that is part of the program and runs on a data directory. It needs no installation,
 * and loses no committed data if the program or the server is killed.
 *
 * <p>It listens only on 127.0.0.1, on a free port, and requires a password, which was generated
 * when the directory was set up. It runs in its own session, so that an interrupt from the terminal
 * ends the program first. A start that is interrupted because the process ends leaves no PostgreSQL
 * running. If a killed program leaves one running, the next start stops it. If the program runs as
 * root, PostgreSQL runs as {@code nobody}. Safe for use by several threads.
 *
 * @see DataDirectory the files of the directory
 */
public final class EmbeddedDatabase implements AutoCloseable {
  private static final String TEMPORARY_PREFIX = "mintmark-temporary-";

  /** The minimum age of an abandoned directory: a new one may not be locked yet. */
  private static final Duration ABANDONED_MIN = Duration.ofMinutes(1);

  /** How long it takes at most to see that PostgreSQL has ended. */
  private static final int LOOK_EVERY_MILLIS = 1_000;

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
  private final Optional<Postmaster> postmaster;
  private final ServerUser user;
  private final DatabaseRoles roles;
  private final boolean temporary;

  /** Set before PostgreSQL is shut down, so that its end is expected. */
  private volatile boolean closing;

  private boolean closed;

  private EmbeddedDatabase(
      DataDirectory directory,
      ServerLock lock,
      PostgresCluster cluster,
      Optional<Postmaster> postmaster,
      ServerUser user,
      DatabaseRoles roles,
      boolean temporary) {
    this.directory = directory;
    this.lock = lock;
    this.cluster = cluster;
    this.postmaster = postmaster;
    this.user = user;
    this.roles = roles;
    this.temporary = temporary;
  }

  /**
   * Starts the database of a directory. Sets up a new directory, and recovers a database that was
   * not shut down.
   *
   * @throws StartupException if the directory cannot be used, is in use, or PostgreSQL fails
   */
  public static EmbeddedDatabase start(Path dataDirectory) {
    return start(DataDirectory.prepare(dataDirectory), Purpose.USE);
  }

  /**
   * Starts an empty database in a new or empty directory, into which a backup is restored. Until
   * {@link #endRestore}, {@link #start} refuses the directory, and only this begins again.
   *
   * @throws StartupException if the directory is not empty, cannot be used or is in use, or
   *     PostgreSQL fails
   */
  public static EmbeddedDatabase startRestore(Path dataDirectory) {
    return start(DataDirectory.prepareRestore(dataDirectory), Purpose.RESTORE);
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
      return start(
          DataDirectory.prepare(Files.createTempDirectory(TEMPORARY_PREFIX)), Purpose.TEMPORARY);
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
        .filter(directory -> ServerLock.isHeld(directory.lock()))
        .filter(directory -> !directory.needsSetUp() && !directory.isRestoring())
        .flatMap(
            directory -> {
              OptionalInt port = cluster(directory).port();
              return port.isPresent()
                  ? Optional.of(new DatabaseRoles(port.getAsInt(), directory).ownerUrl())
                  : Optional.empty();
            });
  }

  /** Returns whether a directory already contains a database, running or not. */
  public static boolean exists(Path dataDirectory) {
    return DataDirectory.existing(dataDirectory).filter(known -> !known.needsSetUp()).isPresent();
  }

  /** Returns the data directory. */
  public Path directory() {
    return directory.root();
  }

  /**
   * Returns the JDBC URL, with the role {@code mintmark}: it owns the database {@code mintmark} and
   * is no superuser. The URL contains the password, so do not log it.
   */
  public String jdbcUrl() {
    return roles.ownerUrl();
  }

  /**
   * Returns the JDBC URL with a superuser, for setup: to create roles, databases and extensions. A
   * superuser reads and writes files and runs programs with the rights of the operating system user
   * that PostgreSQL runs as. Never give it to an application, and never print it.
   */
  public String superuserUrl() {
    return roles.superuserUrl();
  }

  /**
   * Returns what an administrator must know about the rights of the PostgreSQL process; empty if
   * there is nothing to know. If the program runs as root, PostgreSQL runs as another user who owns
   * the cluster. If that is impossible, it can read and write the files of root.
   */
  public Optional<String> warning() {
    return user.warning();
  }

  /**
   * Calls {@code action}, in a thread of its own, if PostgreSQL ends before {@link #close} is
   * called: it was killed, or could not recover from a crash because the disk is full. This sees it
   * within a second. Not if only a session crashes: then PostgreSQL goes on, and disconnects all
   * clients.
   *
   * @param action accepts a message for the user: what has ended, and where its log is
   */
  public void onUnexpectedEnd(Consumer<String> action) {
    postmaster.ifPresent(
        process -> {
          Thread watch = new Thread(() -> watch(process, action), "mintmark-watch-postgresql");
          watch.setDaemon(true);
          watch.start();
        });
  }

  private void watch(Postmaster process, Consumer<String> action) {
    while (!process.hasEnded()) {
      if (closing || !PollDelay.trySleepMillis(LOOK_EVERY_MILLIS)) {
        return;
      }
    }
    if (!closing) {
      action.accept(
          "PostgreSQL on %s has ended (pid %s, see %s)"
              .formatted(directory.root(), process.pid(), directory.log()));
    }
  }

  /** What was restored is complete: from now on the directory is used like any other. */
  public void endRestore() {
    directory.endRestore();
  }

  /**
   * Disconnects all clients, shuts PostgreSQL down and unlocks the directory. An interrupt of the
   * thread does not end that, and stays set. If it fails, the directory stays locked, and it can be
   * called again.
   *
   * @throws StartupException if PostgreSQL does not end, or a temporary directory cannot be deleted
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closing = true;
    cluster.stop();
    if (temporary) {
      deleteTemporary();
    }
    closed = true;
    lock.close();
  }

  private void deleteTemporary() {
    try {
      FileTree.delete(directory.root());
    } catch (IOException e) {
      throw StartupException.because("cannot delete " + directory.root(), e);
    }
  }

  private enum Purpose {
    USE,
    RESTORE,
    TEMPORARY
  }

  private static EmbeddedDatabase start(DataDirectory directory, Purpose purpose) {
    boolean temporary = purpose == Purpose.TEMPORARY;
    ServerLock lock = ServerLock.take(directory.lock());
    PostgresCluster cluster = cluster(directory);
    Thread hook = new Thread(() -> abort(cluster, directory, temporary), "mintmark-abort-start");
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      prepare(directory, cluster, purpose);
      EmbeddedDatabase database = start(directory, lock, cluster, temporary);
      // Fails if the process is ending: then the hook stops PostgreSQL.
      Runtime.getRuntime().removeShutdownHook(hook);
      return database;
    } catch (RuntimeException e) {
      try (lock) {
        cluster.stop();
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (RuntimeException stopping) {
        e.addSuppressed(stopping);
      }
      throw e instanceof IllegalStateException
          ? new StartupException("PostgreSQL was not started, because this process is ending", e)
          : e;
    }
  }

  private static void prepare(DataDirectory directory, PostgresCluster cluster, Purpose purpose) {
    if (purpose == Purpose.RESTORE) {
      cluster.stop();
      directory.beginRestore();
    } else if (directory.isRestoring()) {
      throw new StartupException(
          ("the restore into %s did not come to its end: run mintmark restore again, or delete the"
                  + " directory")
              .formatted(directory.root()));
    }
  }

  private static EmbeddedDatabase start(
      DataDirectory directory, ServerLock lock, PostgresCluster cluster, boolean temporary) {
    PostgresBinaries binaries = PostgresBinaries.unpacked();
    directory.createLog();
    cluster.stop();
    boolean setUp = directory.needsSetUp();
    if (setUp) {
      directory.beginSetUp(DatabaseRoles.newPassword(), DatabaseRoles.newPassword());
    }
    ServerUser user = ServerUser.of(binaries, directory.cluster());
    if (setUp) {
      List<String> options = temporary ? List.of("--no-sync") : List.of();
      cluster.initialise(user, DatabaseRoles.SUPERUSER, directory.superuserPasswordFile(), options);
    } else {
      own(user, directory);
    }
    DatabaseRoles roles = new DatabaseRoles(cluster.start(user, settings(temporary)), directory);
    Optional<Postmaster> postmaster = cluster.postmaster();
    if (setUp) {
      roles.create();
      directory.endSetUp();
    } else {
      roles.upgrade();
    }
    return new EmbeddedDatabase(directory, lock, cluster, postmaster, user, roles, temporary);
  }

  /** Stops a PostgreSQL that is being started, because this process ends. */
  private static void abort(PostgresCluster cluster, DataDirectory directory, boolean temporary) {
    cluster.abort();
    if (temporary) {
      try {
        FileTree.delete(directory.root());
      } catch (IOException e) {
        // A later start deletes it.
      }
    }
  }

  private static void own(ServerUser user, DataDirectory directory) {
    try {
      user.own(directory.cluster());
    } catch (IOException e) {
      throw StartupException.because("cannot change the owner of " + directory.cluster(), e);
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
        Files.isDirectory(candidate, LinkOption.NOFOLLOW_LINKS) && ProcessUser.owns(candidate);
    if (!ours) {
      return false;
    }
    Path lock = new DataDirectory(candidate.toRealPath()).lock();
    return Files.exists(lock)
        && Files.getLastModifiedTime(lock).toInstant().isBefore(Instant.now().minus(ABANDONED_MIN))
        && !ServerLock.isHeld(lock);
  }
}
