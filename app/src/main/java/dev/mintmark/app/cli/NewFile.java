package dev.mintmark.app.cli;

import dev.mintmark.app.cli.common.FileException;
import dev.mintmark.app.cli.common.UnfinishedFile;
import dev.mintmark.app.database.CloseAtExit;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A file that did not exist, and that has its name only when it is complete and on the disk. Only
 * its owner may read it. Safe for use by the command's thread and the shutdown hook.
 */
final class NewFile implements CloseAtExit.Resource {
  private final UnfinishedFile file;

  private NewFile(UnfinishedFile file) {
    this.file = file;
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
    return new NewFile(
        UnfinishedFile.beside(
            name,
            place,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))));
  }

  private static void checkIsNew(String name, Path file) {
    if (Files.exists(file)) {
      throw new FileException(name, "exists already: choose another name, or delete it");
    }
  }

  /** Its purpose and its path, for messages. */
  String name() {
    return file.name();
  }

  OutputStream stream() {
    return Channels.newOutputStream(file.channel());
  }

  /**
   * Gives the file its name, after what was written and the name are on the disk.
   *
   * @throws FileException if it cannot, or the program is ending
   */
  void complete() {
    complete(Files::createLink);
  }

  /** Makes a second name of a file. */
  interface Link {
    void create(Path link, Path existing) throws IOException;
  }

  void complete(Link link) {
    file.complete(
        () -> {
          file.channel().force(true);
          file.channel().close();
          // Not a move, which would replace a file that another process has created since.
          try {
            link.create(file.place(), file.written());
          } catch (FileAlreadyExistsException e) {
            throw e;
          } catch (UnsupportedOperationException | FileSystemException e) {
            // A file system without hard links, such as exFAT or many network drives.
            checkIsNew(file.name(), file.place());
            Files.move(file.written(), file.place());
          }
          Files.deleteIfExists(file.written());
          try (FileChannel directory =
              FileChannel.open(file.place().resolveSibling(""), StandardOpenOption.READ)) {
            directory.force(true);
          }
        });
  }

  /** Deletes the file unless it is complete. */
  @Override
  public void close() {
    file.close();
  }
}
