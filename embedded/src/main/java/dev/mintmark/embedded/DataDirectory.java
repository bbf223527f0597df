package dev.mintmark.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The data directory of an embedded database.
 *
 * <pre>
 *   DIR/server.lock        locked by the process that runs the database; contains its pid
 *   DIR/postgresql-18/     the cluster
 *   DIR/postgresql.log     the log of PostgreSQL
 *   DIR/password           the password of the role mintmark, readable only by this user
 *   DIR/superuser-password the password of the superuser, readable only by this user
 *   DIR/setting-up         exists while the cluster is created
 *   DIR/restoring          exists while a backup is restored
 * </pre>
 *
 * <p>While {@code setting-up} exists, no client has used the database, so the next start creates
 * the cluster again. The file is deleted, and the deletion is synced to the disk, before clients
 * can connect. While {@code restoring} exists, only a restore uses the directory, and begins it
 * again.
 */
record DataDirectory(Path root) {
  private static final Set<PosixFilePermission> WRITING_OF_OTHERS =
      EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

  private static final String CLUSTER_PREFIX = "postgresql-";

  /** What a directory may contain that is empty otherwise: our lock, and what a new volume has. */
  private static final Set<String> OF_NO_ACCOUNT = Set.of("server.lock", "lost+found");

  /** Characters that pg_ctl does not pass on: it runs a shell with paths in double quotes. */
  private static final Pattern UNSUPPORTED = Pattern.compile("[\"$`\\\\\\p{Cntrl}]");

  /**
   * Creates the directory if it does not exist.
   *
   * @throws StartupException if the directory or its content cannot be used
   */
  static DataDirectory prepare(Path root) {
    if (UNSUPPORTED.matcher(root.toString()).find()) {
      throw new StartupException(
          "data directory %s: expected a path without \", $, `, \\ and control characters"
              .formatted(root));
    }
    try {
      if (!Files.isDirectory(root)) {
        Files.createDirectories(root, FileTree.PRIVATE_DIRECTORY);
      }
      DataDirectory directory = new DataDirectory(root.toRealPath());
      if (!Files.isWritable(directory.root)) {
        throw new StartupException("cannot write to the data directory " + root);
      }
      directory.checkOwner();
      directory.checkVersions();
      return directory;
    } catch (IOException e) {
      throw StartupException.because("cannot use the data directory " + root, e);
    }
  }

  /**
   * As {@link #prepare}, for a restore. Changes nothing in a directory that contains something.
   *
   * @throws StartupException if the directory cannot be used, or is not empty
   */
  static DataDirectory prepareRestore(Path root) {
    existing(root).ifPresent(DataDirectory::checkMayRestore);
    return prepare(root);
  }

  /**
   * Rejects a directory of another user, who could replace its files, and takes the right to write
   * to our own from others. Root may own it, as the mount point of a volume; root uses any.
   */
  private void checkOwner() throws IOException {
    if (ProcessUser.owns(root)) {
      Set<PosixFilePermission> permissions = EnumSet.copyOf(Files.getPosixFilePermissions(root));
      if (permissions.removeAll(WRITING_OF_OTHERS)) {
        Files.setPosixFilePermissions(root, permissions);
      }
    } else if (!ProcessUser.rootOwns(root) && !ProcessUser.isRoot()) {
      throw new StartupException(
          "the data directory %s belongs to user %s: expected a directory of user %s, who runs this"
                  .formatted(root, Files.getOwner(root).getName(), ProcessUser.NUMBER)
              + " process");
    }
    for (Path file : List.of(lock(), log(), passwordFile(), superuserPasswordFile(), cluster())) {
      if (Files.isSymbolicLink(file)) {
        throw new StartupException(file + " is a symbolic link: expected a file or directory");
      }
    }
  }

  /** Returns the directory if it exists. */
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

  /** Creates the log if it does not exist, private because it contains statements. */
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

  /** Returns the password of the role that owns the database. */
  String password() {
    return read(passwordFile());
  }

  Path superuserPasswordFile() {
    return root.resolve("superuser-password");
  }

  /** Whether the superuser has a password of its own. In an earlier version it had not. */
  boolean hasSuperuserPassword() {
    return Files.exists(superuserPasswordFile());
  }

  String superuserPassword() {
    return read(superuserPasswordFile());
  }

  /**
   * Writes the password that the superuser will have, unless an interrupted upgrade has written one
   * that it may have already. Returns the one that is written.
   */
  String nextSuperuserPassword(String password) {
    try {
      if (!Files.exists(nextSuperuserPasswordFile())) {
        Path unfinished = root.resolve("superuser-password.unfinished");
        writePassword(unfinished, password);
        Files.move(unfinished, nextSuperuserPasswordFile(), StandardCopyOption.ATOMIC_MOVE);
        sync();
      }
    } catch (IOException e) {
      throw StartupException.because("cannot write " + nextSuperuserPasswordFile(), e);
    }
    return read(nextSuperuserPasswordFile());
  }

  /** The superuser has the password that was written by {@link #nextSuperuserPassword}. */
  void acceptSuperuserPassword() {
    try {
      Files.move(
          nextSuperuserPasswordFile(), superuserPasswordFile(), StandardCopyOption.ATOMIC_MOVE);
      sync();
    } catch (IOException e) {
      throw StartupException.because("cannot write " + superuserPasswordFile(), e);
    }
  }

  private Path nextSuperuserPasswordFile() {
    return root.resolve("superuser-password.next");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw StartupException.because("cannot read " + file, e);
    }
  }

  private static void writePassword(Path file, String password) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(file, FileTree.PRIVATE_FILE);
    Files.writeString(file, password + "\n");
    force(file, StandardOpenOption.WRITE);
  }

  /** Returns whether there is no cluster yet, or an unfinished one. */
  boolean needsSetUp() {
    return Files.exists(settingUp()) || !Files.exists(cluster());
  }

  /** Deletes the files of an unfinished setup, and writes new passwords. */
  void beginSetUp(String password, String superuserPassword) {
    try {
      if (!Files.exists(settingUp())) {
        Files.createFile(settingUp());
        sync();
      }
      FileTree.delete(cluster());
      Files.deleteIfExists(nextSuperuserPasswordFile());
      writePassword(passwordFile(), password);
      writePassword(superuserPasswordFile(), superuserPassword);
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

  /** Whether the restore of a backup has not come to its end. */
  boolean isRestoring() {
    return Files.exists(restoring());
  }

  /**
   * Begins a restore, or begins again one that was interrupted. Requires the lock.
   *
   * @throws StartupException if the directory contains something else
   */
  void beginRestore() {
    checkMayRestore();
    try {
      if (!isRestoring()) {
        Files.createFile(restoring());
        sync();
      }
      // The mintmark that began it may have had another PostgreSQL.
      for (Path cluster : clusters()) {
        FileTree.delete(cluster);
      }
    } catch (IOException e) {
      throw StartupException.because("cannot restore into " + root, e);
    }
  }

  /** Returns the clusters of all major versions. */
  private List<Path> clusters() throws IOException {
    List<Path> clusters = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(root, CLUSTER_PREFIX + "[0-9]*")) {
      found.forEach(clusters::add);
    }
    return clusters;
  }

  private void checkMayRestore() {
    if (isRestoring()) {
      return;
    }
    try (DirectoryStream<Path> content = Files.newDirectoryStream(root)) {
      for (Path file : content) {
        if (!OF_NO_ACCOUNT.contains(String.valueOf(file.getFileName()))) {
          throw new StartupException(
              "the directory %s is not empty: expected an empty or a new one to restore into"
                  .formatted(root));
        }
      }
    } catch (IOException e) {
      throw StartupException.because("cannot read " + root, e);
    }
  }

  void endRestore() {
    try {
      Files.deleteIfExists(restoring());
      sync();
    } catch (IOException e) {
      throw StartupException.because("cannot end the restore into " + root, e);
    }
  }

  private Path restoring() {
    return root.resolve("restoring");
  }

  private Path settingUp() {
    return root.resolve("setting-up");
  }

  private void checkVersions() throws IOException {
    if (Files.exists(settingUp()) || isRestoring()) {
      return; // The cluster may be half deleted: it is not used, and created again.
    }
    if (Files.exists(cluster())) {
      checkVersion(cluster());
      return;
    }
    for (Path other : clusters()) {
      checkVersion(other);
    }
  }

  private static void checkVersion(Path cluster) throws IOException {
    Path file = cluster.resolve("PG_VERSION");
    if (!Files.exists(file)) {
      throw new StartupException(cluster + " is not a PostgreSQL cluster: it has no PG_VERSION");
    }
    String version = Files.readString(file).strip();
    if (!version.equals(Integer.toString(PostgresBinaries.MAJOR))) {
      throw new StartupException(
          ("%s was created by PostgreSQL %s, this mintmark runs %s: let the mintmark that created it make a"
                  + " backup (mintmark backup), and restore that into another directory (mintmark"
                  + " restore --no-quarantine)")
              .formatted(cluster, version, PostgresBinaries.MAJOR));
    }
  }

  /** Syncs the directory, so that its entries survive a power failure. */
  private void sync() throws IOException {
    force(root, StandardOpenOption.READ);
  }

  private static void force(Path path, StandardOpenOption access) throws IOException {
    try (FileChannel channel = FileChannel.open(path, access)) {
      channel.force(true);
    }
  }
}
