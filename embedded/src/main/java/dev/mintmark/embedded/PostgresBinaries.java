package dev.mintmark.embedded;

import static java.nio.file.attribute.PosixFilePermissions.fromString;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/**
 * The programs of PostgreSQL, which are unpacked once per user from the archive on the class path.
 *
 * <pre>
 *   ~/.cache/mintmark/postgresql-18-39199ba7/bin/postgres      39199ba7: the archive's CRC
 *   /var/cache/mintmark/...                                    for root
 * </pre>
 *
 * <p>The archive is unpacked into a temporary directory, which is then renamed. So a directory with
 * the final name is complete, even if a process was killed or several processes start at the same
 * time.
 */
final class PostgresBinaries {
  /** The major version. The files of a cluster can be used only with the same major version. */
  static final int MAJOR = 18;

  private static final String UNPACKING = "unpacking-";

  /** The age after which a temporary directory is abandoned. */
  private static final Duration UNPACKING_MAX = Duration.ofHours(1);

  /** The cache of root, which other users can read: PostgreSQL does not run as root. */
  private static final Path ROOT_CACHE = Path.of("/var/cache");

  private static final Set<PosixFilePermission> PROGRAM = fromString("rwxr-xr-x");
  private static final Set<PosixFilePermission> DATA = fromString("rw-r--r--");

  private final Path directory;

  private PostgresBinaries(Path directory) {
    this.directory = directory;
  }

  /**
   * Returns the programs, and unpacks them first if necessary.
   *
   * @throws StartupException if there are no programs for this machine, or they cannot be stored
   */
  static PostgresBinaries unpacked() {
    try {
      return unpackedIn(cacheDirectory());
    } catch (IOException e) {
      throw StartupException.because("cannot unpack PostgreSQL", e);
    }
  }

  static PostgresBinaries unpackedIn(Path cache) throws IOException {
    URLConnection archive = archive().openConnection();
    archive.setUseCaches(false);
    try (InputStream in = archive.getInputStream()) {
      Path directory = cache.resolve("postgresql-%s-%08x".formatted(MAJOR, fingerprint(archive)));
      if (!Files.isDirectory(directory)) {
        deleteAbandoned(cache);
        unpack(in, directory);
      }
      return new PostgresBinaries(directory);
    }
  }

  /** Returns the directory of the programs. */
  Path programs() {
    return directory.resolve("bin");
  }

  private static URL archive() {
    String os = System.getProperty("os.name").startsWith("Mac") ? "darwin" : "linux";
    String arch = System.getProperty("os.arch").equals("aarch64") ? "arm_64" : "x86_64";
    String name = "postgres-%s-%s.txz".formatted(os, arch);
    // By the loader: a class of a named module finds the resources of its own module alone.
    URL archive = PostgresBinaries.class.getClassLoader().getResource(name);
    if (archive == null) {
      throw new StartupException(
          "there is no embedded PostgreSQL for this machine (%s %s): specify a database with --database-url"
              .formatted(System.getProperty("os.name"), System.getProperty("os.arch")));
    }
    return archive;
  }

  /** Identifies an archive without reading it: its CRC is in the directory of the JAR. */
  private static long fingerprint(URLConnection archive) throws IOException {
    return archive instanceof JarURLConnection jar
        ? jar.getJarEntry().getCrc()
        : archive.getContentLengthLong();
  }

  private static void unpack(InputStream archive, Path directory) throws IOException {
    Path unpacking =
        Files.createTempDirectory(directory.getParent(), UNPACKING, FileTree.PRIVATE_DIRECTORY);
    try {
      extract(archive, unpacking);
      Files.setPosixFilePermissions(unpacking, PROGRAM);
      Files.move(unpacking, directory, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      // Another process was faster and unpacked the same files.
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    } finally {
      FileTree.delete(unpacking);
    }
  }

  private static void extract(InputStream archive, Path directory) throws IOException {
    try (TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(archive))) {
      @Nullable TarArchiveEntry entry;
      while ((entry = tar.getNextEntry()) != null) {
        Path path = directory.resolve(entry.getName()).normalize();
        if (!path.startsWith(directory)) {
          throw new IOException(
              "the archive has an entry outside its directory: " + entry.getName());
        }
        if (entry.isDirectory()) {
          createDirectories(directory, path);
          continue;
        }
        createDirectories(directory, path.resolveSibling(""));
        if (entry.isSymbolicLink()) {
          Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else if (entry.isLink()) {
          Files.createLink(path, directory.resolve(entry.getLinkName()).normalize());
        } else {
          Files.copy(tar, path);
          boolean executable = (entry.getMode() & 0100) != 0;
          Files.setPosixFilePermissions(path, executable ? PROGRAM : DATA);
        }
      }
    }
  }

  /** Creates the directories of a path below a root, readable by others whatever the umask is. */
  private static void createDirectories(Path root, Path path) throws IOException {
    Path directory = root;
    for (Path name : root.relativize(path)) {
      directory = directory.resolve(name);
      if (!Files.isDirectory(directory)) {
        Files.createDirectory(directory);
        Files.setPosixFilePermissions(directory, PROGRAM);
      }
    }
  }

  private static void deleteAbandoned(Path cache) throws IOException {
    Instant oldest = Instant.now().minus(UNPACKING_MAX);
    try (DirectoryStream<Path> abandoned = Files.newDirectoryStream(cache, UNPACKING + "*")) {
      for (Path directory : abandoned) {
        try {
          if (Files.getLastModifiedTime(directory).toInstant().isBefore(oldest)) {
            FileTree.delete(directory);
          }
        } catch (NoSuchFileException e) {
          // Another process has renamed or deleted it.
        }
      }
    }
  }

  private static Path cacheDirectory() throws IOException {
    Optional<Path> parent = userCache();
    if (parent.isEmpty()) {
      return temporaryCache();
    }
    Path cache = parent.get().resolve("mintmark");
    try {
      Files.createDirectories(cache, FileTree.PRIVATE_DIRECTORY);
      if (ProcessUser.isRoot()) {
        Files.setPosixFilePermissions(cache, PROGRAM);
      }
    } catch (IOException e) {
      return temporaryCache();
    }
    return Files.isWritable(cache) ? cache : temporaryCache();
  }

  /** Returns the directory for caches of the user; empty if the user has no home directory. */
  private static Optional<Path> userCache() {
    if (ProcessUser.isRoot()) {
      return Optional.of(ROOT_CACHE);
    }
    // The property is "?" if the system does not list the user.
    Optional<Path> home =
        Optional.of(Path.of(System.getProperty("user.home")))
            .filter(Path::isAbsolute)
            .or(() -> directoryOf("HOME"));
    return System.getProperty("os.name").startsWith("Mac")
        ? home.map(directory -> directory.resolve("Library/Caches"))
        : directoryOf("XDG_CACHE_HOME")
            .or(() -> home.map(directory -> directory.resolve(".cache")));
  }

  private static Optional<Path> directoryOf(String variable) {
    return Optional.ofNullable(System.getenv(variable)).map(Path::of).filter(Path::isAbsolute);
  }

  /** Checks the owner: in a shared directory another user may have created this name already. */
  private static Path temporaryCache() throws IOException {
    Path cache =
        Path.of(System.getProperty("java.io.tmpdir"), "mintmark-cache-" + ProcessUser.NUMBER);
    if (!Files.exists(cache, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(cache, FileTree.PRIVATE_DIRECTORY);
    }
    boolean ours =
        Files.isDirectory(cache, LinkOption.NOFOLLOW_LINKS)
            && ProcessUser.owns(cache)
            && PROGRAM.containsAll(Files.getPosixFilePermissions(cache));
    if (!ours) {
      throw new StartupException(
          "%s is not a directory that only user %s can write to"
              .formatted(cache, ProcessUser.NUMBER));
    }
    if (ProcessUser.isRoot()) {
      Files.setPosixFilePermissions(cache, PROGRAM);
    }
    return cache;
  }
}
