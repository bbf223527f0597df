package dev.mintmark.embedded;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The operating system user that PostgreSQL runs as.
 *
 * <p>PostgreSQL does not run as root. If root starts it, it runs as the user who owns the cluster
 * directory, which is {@code nobody} unless another user owned it before. That user need not be
 * able to open the directories above: PostgreSQL is started in the cluster directory and names it
 * {@value #WORKING_DIRECTORY}. Files of root stay out of reach, also for a superuser of the
 * database.
 *
 * <p>Where the process may not change its user (a container without the capabilities CAP_SETUID and
 * CAP_CHOWN), PostgreSQL runs in a user namespace instead. It can then read and write all files of
 * root, and {@link #warning} says so. So it does, with its own rights, for a user whom the system
 * does not list: PostgreSQL requires a name.
 */
final class ServerUser {
  /** The link to the working directory of the process that reads it (proc(5)). */
  static final String WORKING_DIRECTORY = "/proc/self/cwd";

  /** The number of {@code nobody}, which every Linux has for processes without rights. */
  private static final int NOBODY = 65_534;

  private static final int ROOT = 0;

  /** Runs a program in a user namespace, where every user is {@code nobody}. */
  private static final List<String> NAMESPACE = List.of("unshare", "-U");

  private final Path programs;

  /** The command before the program: empty, or a command that runs the program without root. */
  private final List<String> launcher;

  /** The owner of the cluster; null if this process owns it. */
  private final @Nullable UserPrincipal owner;

  private ServerUser(Path programs, List<String> launcher, @Nullable UserPrincipal owner) {
    this.programs = programs;
    this.launcher = launcher;
    this.owner = owner;
  }

  /**
   * Selects the user for a cluster.
   *
   * @param cluster the directory of the cluster, which need not exist
   * @throws StartupException if PostgreSQL cannot run on this machine as another user than root
   */
  static ServerUser of(PostgresBinaries binaries, Path cluster) {
    Path programs = binaries.programs();
    if (!ProcessUser.isRoot()) {
      return new ServerUser(programs, named(programs), null);
    }
    try {
      int uid = Files.exists(cluster) ? (int) Files.getAttribute(cluster, "unix:uid") : ROOT;
      uid = uid == ROOT ? NOBODY : uid;
      List<String> separate =
          List.of(
              "setpriv", "--reuid=" + uid, "--regid=" + uid, "--clear-groups", "--no-new-privs");
      if (runs(separate, programs)) {
        return new ServerUser(
            programs,
            separate,
            FileSystems.getDefault()
                .getUserPrincipalLookupService()
                .lookupPrincipalByName(Integer.toString(uid)));
      }
    } catch (IOException e) {
      throw StartupException.because("cannot use " + cluster, e);
    }
    if (runs(NAMESPACE, programs)) {
      return new ServerUser(programs, NAMESPACE, null);
    }
    throw new StartupException(
        "PostgreSQL does not run as root, and this process may neither change its user nor create a"
            + " user namespace: start mintmark as another user, or specify a database with"
            + " --database-url");
  }

  /** Returns the command that runs a program as a user with a name, which PostgreSQL requires. */
  private static List<String> named(Path programs) {
    if (ProcessUser.hasName()) {
      return List.of();
    }
    if (runs(NAMESPACE, programs)) {
      return NAMESPACE;
    }
    throw new StartupException(
        ("PostgreSQL does not run as a user without a name, and this process may not create a user"
                + " namespace: add user %s to /etc/passwd, start mintmark as another user, or specify"
                + " a database with --database-url")
            .formatted(ProcessUser.NUMBER));
  }

  /** Whether PostgreSQL runs as another user than this process. */
  boolean isSeparate() {
    return owner != null;
  }

  /** What an administrator must know about the rights of PostgreSQL. */
  Optional<String> warning() {
    return launcher.isEmpty() || isSeparate() || !ProcessUser.isRoot()
        ? Optional.empty()
        : Optional.of(
            "PostgreSQL has the file rights of root, because this process may not change its user"
                + " (setpriv failed: it needs CAP_SETUID and CAP_SETGID): a superuser of the"
                + " database can read and write every file of root");
  }

  /** Returns the command line that runs a program with these arguments. */
  List<String> command(String program, List<String> arguments) {
    List<String> command = new ArrayList<>(launcher);
    command.add(programs.resolve(program).toString());
    command.addAll(arguments);
    return command;
  }

  /** Returns the name of the cluster directory for programs that are started in it. */
  String nameOf(Path cluster) {
    return isSeparate() ? WORKING_DIRECTORY : cluster.toString();
  }

  /** Creates the directory of a cluster for this user. */
  void create(Path cluster) throws IOException {
    Files.createDirectory(cluster, FileTree.PRIVATE_DIRECTORY);
    if (owner != null) {
      setOwner(cluster, owner);
    }
  }

  /** Lets this user read a file that only root could read, or gives it back to root. */
  void lend(Path file, boolean lent) throws IOException {
    if (owner != null) {
      UserPrincipal root =
          FileSystems.getDefault()
              .getUserPrincipalLookupService()
              .lookupPrincipalByName(Integer.toString(ROOT));
      setOwner(file, lent ? owner : root);
    }
  }

  /**
   * Gives a cluster to this user: an earlier version ran PostgreSQL with the rights of root. The
   * directory itself changes last, so that an interrupted change is noticed and repeated.
   */
  void own(Path cluster) throws IOException {
    UserPrincipal user = owner;
    if (user == null || Files.getOwner(cluster).equals(user)) {
      return;
    }
    Files.walkFileTree(
        cluster,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            setOwner(file, user);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
              throws IOException {
            if (e != null) {
              throw e;
            }
            setOwner(directory, user);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void setOwner(Path path, UserPrincipal user) throws IOException {
    Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setOwner(user);
  }

  private static boolean runs(List<String> launcher, Path programs) {
    List<String> command = new ArrayList<>(launcher);
    command.addAll(List.of(programs.resolve("postgres").toString(), "--version"));
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartupException("interrupted while PostgreSQL was starting");
    }
  }
}
