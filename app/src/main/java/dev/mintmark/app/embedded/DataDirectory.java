package dev.mintmark.app.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where an embedded database keeps its files.
 *
 * <pre>
 *   DIR/server.lock        held by the process that runs the database; its pid
 *   DIR/postgresql-18/     the cluster
 *   DIR/postgresql.log     what PostgreSQL has to say
 *   DIR/password           of the superuser, readable by nobody else
 *   DIR/setting-up         there while the cluster is being made
 * </pre>
 *
 * <p>As long as {@code setting-up} is there nobody has been given the database: a start that finds
 * it begins anew. It is gone, and known to be gone by the disk, before the first connection.
 */
record DataDirectory(Path root) {
  private static final String CLUSTER_PREFIX = "postgresql-";

  /** What pg_ctl, which hands its paths to a shell in double quotes, would not pass on. */
  private static final Pattern UNSUPPORTED = Pattern.compile("[\"$`\\\\\\p{Cntrl}]");

  /**
   * Creates the directory where there is none.
   *
   * @throws StartupException if it cannot be used, for what it is or what it holds
   */
  static DataDirectory prepare(Path root) {
    if (UNSUPPORTED.matcher(root.toString()).find()) {
      throw new StartupException(
          "the path of a data directory cannot have quotes, $ or \\ in it: " + root);
    }
    try {
      if (!Files.isDirectory(root)) {
        Files.createDirectories(root, FileTree.PRIVATE_DIRECTORY);
      }
      DataDirectory directory = new DataDirectory(root.toRealPath());
      if (!Files.isWritable(directory.root)) {
        throw new StartupException("cannot write to the data directory " + root);
      }
      directory.checkVersions();
      return directory;
    } catch (IOException e) {
      throw StartupException.because("cannot use the data directory " + root, e);
    }
  }

  /** Returns the directory if there is one. */
  static Optional<DataDirectory> existing(Path root) {
    try {
      return Files.isDirectory(root)
          ? Optional.of(new DataDirectory(root.toRealPath()))
          : Optional.empty();
    } catch (IOException e) {
      throw StartupException.because("cannot use the data directory " + root, e);
    }
  }

  Path lock() {
    return root.resolve("server.lock");
  }

  Path cluster() {
    return root.resolve(CLUSTER_PREFIX + PostgresBinaries.MAJOR);
  }

  Path log() {
    return root.resolve("postgresql.log");
  }

  /** Creates the log where there is none: statements stand in it, so others may not read it. */
  void createLog() {
    try {
      if (!Files.exists(log())) {
        Files.createFile(log(), FileTree.PRIVATE_FILE);
      }
    } catch (IOException e) {
      throw StartupException.because("cannot write " + log(), e);
    }
  }

  Path passwordFile() {
    return root.resolve("password");
  }

  String password() {
    try {
      return Files.readString(passwordFile()).strip();
    } catch (IOException e) {
      throw StartupException.because("cannot read " + passwordFile(), e);
    }
  }

  /** Whether there is no cluster yet, or one that was never finished. */
  boolean needsSetUp() {
    return Files.exists(settingUp()) || !Files.exists(cluster());
  }

  /** Clears away what an unfinished set-up has left, and leaves a new password. */
  void beginSetUp(String password) {
    try {
      if (!Files.exists(settingUp())) {
        Files.createFile(settingUp());
        sync();
      }
      FileTree.delete(cluster());
      Files.deleteIfExists(passwordFile());
      Files.createFile(passwordFile(), FileTree.PRIVATE_FILE);
      Files.writeString(passwordFile(), password + "\n");
      force(passwordFile(), StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw StartupException.because("cannot set up the data directory " + root, e);
    }
  }

  void endSetUp() {
    try {
      sync();
      Files.delete(settingUp());
      sync();
    } catch (IOException e) {
      throw StartupException.because("cannot set up the data directory " + root, e);
    }
  }

  private Path settingUp() {
    return root.resolve("setting-up");
  }

  private void checkVersions() throws IOException {
    if (Files.exists(cluster())) {
      checkVersion(cluster());
      return;
    }
    try (DirectoryStream<Path> others = Files.newDirectoryStream(root, CLUSTER_PREFIX + "[0-9]*")) {
      for (Path other : others) {
        checkVersion(other);
      }
    }
  }

  private void checkVersion(Path cluster) throws IOException {
    if (Files.exists(settingUp())) {
      return;
    }
    Path file = cluster.resolve("PG_VERSION");
    if (!Files.exists(file)) {
      throw new StartupException(cluster + " is not a PostgreSQL cluster: it has no PG_VERSION");
    }
    String version = Files.readString(file).strip();
    if (!version.equals(Integer.toString(PostgresBinaries.MAJOR))) {
      throw new StartupException(
          "%s was made by PostgreSQL %s, this mintmark runs %d: dump it with the mintmark that made it"
              .formatted(cluster, version, PostgresBinaries.MAJOR));
    }
  }

  /** Makes the names in the directory survive a loss of power. */
  private void sync() throws IOException {
    force(root, StandardOpenOption.READ);
  }

  private static void force(Path path, StandardOpenOption access) throws IOException {
    try (FileChannel channel = FileChannel.open(path, access)) {
      channel.force(true);
    }
  }
}
