package dev.mintmark.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The operating system user of this process. Users are compared by number, because a user of a
 * container often has no name: the property {@code user.name} is "?" then.
 */
final class ProcessUser {
  /** The number of the user. */
  static final long NUMBER = number();

  private static final long ROOT = 0;

  private ProcessUser() {}

  static boolean isRoot() {
    return NUMBER == ROOT;
  }

  /** Whether the system lists the user. */
  static boolean hasName() {
    return !System.getProperty("user.name").equals("?");
  }

  /** Whether a file or directory belongs to this user. Follows links. */
  static boolean owns(Path path) throws IOException {
    return ownerOf(path) == NUMBER;
  }

  /** Whether a file or directory belongs to root. Follows links. */
  static boolean rootOwns(Path path) throws IOException {
    return ownerOf(path) == ROOT;
  }

  /**
   * The JDK knows the number of a user only if the user has a name, but that of any owner of a
   * file.
   */
  private static long number() {
    try {
      Path file = Files.createTempFile("mintmark-user-", null);
      try {
        return ownerOf(file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw StartupException.because("cannot create a temporary file", e);
    }
  }

  private static long ownerOf(Path path) throws IOException {
    return Integer.toUnsignedLong((int) Files.getAttribute(path, "unix:uid"));
  }
}
