package dev.mintmark.app.cli;

import dev.mintmark.app.cli.common.FileException;
import dev.mintmark.app.database.CloseAtExit;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A file that did not exist, and that has its name only when it is complete and on the disk. Until
 * then it has a temporary name beside it, and is deleted if the process ends; a process that is
 * killed leaves that one behind. Only its owner may read it. Safe for use by the command's thread
 * and the shutdown hook.
 */
final class NewFile implements CloseAtExit.Resource {
  private final String name;
  private final Path place;
  private final Path written;
  private final FileChannel channel;
  private boolean done;

  private NewFile(String name, Path place, Path written, FileChannel channel) {
    this.name = name;
    this.place = place;
    this.written = written;
    this.channel = channel;
  }

  /**
   * Creates a file under a temporary name.
   *
   * @param what its purpose, for messages
   * @throws FileException if a file of that name exists, or it cannot be written
   */
  static NewFile create(String what, Path file) {
    String name = what + " " + file;
    checkIsNew(name, file);
    Path place = file.toAbsolutePath();
    Path directory = place.getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new FileException(name, "no such directory: " + directory);
    }
    String random = Long.toHexString(ThreadLocalRandom.current().nextLong());
    Path written = place.resolveSibling(".mintmark-" + random + ".part");
    try {
      return new NewFile(
          name,
          place,
          written,
          FileChannel.open(
              written,
              Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))));
    } catch (IOException e) {
      throw new FileException(name, e);
    }
  }

  private static void checkIsNew(String name, Path file) {
    if (Files.exists(file)) {
      throw new FileException(name, "exists already: choose another name, or delete it");
    }
  }

  /** Its purpose and its path, for messages. */
  String name() {
    return name;
  }

  OutputStream stream() {
    return Channels.newOutputStream(channel);
  }

  /** Gives the file its name, after what was written and the name are on the disk. */
  synchronized void complete() throws IOException {
    if (done) {
      throw new IOException("not completed: the program is ending");
    }
    channel.force(true);
    channel.close();
    // Not a move, which would replace a file that another process has created since.
    try {
      Files.createLink(place, written);
    } catch (UnsupportedOperationException e) {
      checkIsNew(name, place);
      Files.move(written, place);
    }
    Files.deleteIfExists(written);
    done = true;
    try (FileChannel directory =
        FileChannel.open(place.resolveSibling(""), StandardOpenOption.READ)) {
      directory.force(true);
    }
  }

  /** Deletes the file unless it is complete. */
  @Override
  public synchronized void close() {
    if (done) {
      return;
    }
    done = true;
    try {
      channel.close();
      Files.deleteIfExists(written);
    } catch (IOException e) {
      throw new FileException(name, e);
    }
  }
}
