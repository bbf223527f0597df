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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
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
 * the final name was complete, even if a process was killed or several processes start at the same
 * time. A power failure may leave empty files, and a cleaner of caches may delete some: the list
 * {@value #FILES} says what there must be, and what is missing is unpacked again, beside a
 * PostgreSQL that runs.
 */
final class PostgresBinaries {
  /** The major version. The files of a cluster can be used only with the same major version. */
  static final int MAJOR = 18;

  /** The list of all files, each with its size. */
  static final String FILES = "files";

  /** The last line of the list, the only one without a size. */
  private static final String END = "end";

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
      if (!isComplete(directory)) {
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

  /** Returns whether a directory has all files of its list. */
  private static boolean isComplete(Path directory) {
    try {
      List<String> lines = Files.readAllLines(directory.resolve(FILES));
      return lines.contains(END) && missing(directory, lines).isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the files of a list that a directory does not have, or not in their sizes. */
  private static List<String> missing(Path directory, List<String> lines) {
    List<String> missing = new ArrayList<>();
    for (String line : lines) {
      int blank = line.indexOf(' ');
      String file = line.substring(blank + 1);
      if (blank > 0 && !sizeOf(directory.resolve(file)).equals(line.substring(0, blank))) {
        missing.add(file);
      }
    }
    return missing;
  }

  private static String sizeOf(Path file) {
    try {
      return Long.toString(Files.size(file));
    } catch (IOException e) {
      return "none";
    }
  }

  private static void unpack(InputStream archive, Path directory) throws IOException {
    Path cache = directory.resolveSibling("");
    Path unpacking = Files.createTempDirectory(cache, UNPACKING, FileTree.PRIVATE_DIRECTORY);
    try {
      extract(archive, unpacking);
      Files.setPosixFilePermissions(unpacking, PROGRAM);
      list(unpacking);
      if (!tryRename(unpacking, directory)) {
        complete(directory, unpacking);
      }
    } finally {
      FileTree.delete(unpacking);
    }
  }

  private static void list(Path directory) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> paths = Files.walk(directory)) {
      paths
          .filter(path -> !Files.isDirectory(path))
          .map(file -> sizeOf(file) + " " + directory.relativize(file))
          .forEach(lines::add);
    }
    lines.add(END);
    Path list = Files.write(directory.resolve(FILES), lines);
    Files.setPosixFilePermissions(list, DATA);
  }

  /** Returns false if the directory exists: another process was faster, or it has lost files. */
  private static boolean tryRename(Path unpacked, Path directory) throws IOException {
    try {
      Files.move(unpacked, directory, StandardCopyOption.ATOMIC_MOVE);
      return true;
    } catch (IOException e) {
      if (Files.isDirectory(directory)) {
        return false;
      }
      throw e;
    }
  }

  /** Moves what a directory does not have into it. Others may do the same at the same time. */
  private static void complete(Path directory, Path unpacked) throws IOException {
    List<String> lines = Files.readAllLines(unpacked.resolve(FILES));
    for (String file : missing(directory, lines)) {
      Path target = directory.resolve(file);
      createDirectories(directory, target.resolveSibling(""));
      Files.move(unpacked.resolve(file), target, StandardCopyOption.ATOMIC_MOVE);
    }
    Files.move(unpacked.resolve(FILES), directory.resolve(FILES), StandardCopyOption.ATOMIC_MOVE);
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
