package dev.mintmark.app.cli.id;

import dev.mintmark.app.cli.common.FileException;
import dev.mintmark.app.database.CloseAtExit;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * A file that is written beside its place and takes it when it is complete: before, or if the
 * process is killed, whatever was there still is. What is no file, such as {@code /dev/null} or a
 * named pipe, is written to as it is.
 *
 * <p>Safe for use by the command's thread and the one that ends the process.
 */
final class OutputFile implements CloseAtExit.Resource {
  private static final Pattern OPENED =
      Pattern.compile("/dev/(fd/[0-9]+|stdout|stderr)|/proc/[^/]+/fd/[0-9]+");

  private final String name;
  private final Path place;

  /** Where it is written: beside its place, or there. */
  private final Path written;

  private final FileChannel channel;
  private boolean done;

  private OutputFile(String name, Path place, Path written, FileChannel channel) {
    this.name = name;
    this.place = place;
    this.written = written;
    this.channel = channel;
  }

  /**
   * Opens one.
   *
   * @param what what it is for, for messages: {@code output}
   * @throws IllegalArgumentException if it is a directory, or in none
   * @throws FileException if it cannot be written
   */
  static OutputFile open(String what, Path file) {
    check(what, file);
    String name = what + " " + file;
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        // A pipe that a shell opened, /dev/fd/63, has no other path.
        return new OutputFile(name, file, file, FileChannel.open(file, StandardOpenOption.WRITE));
      }
      Path place = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
      // Not a ULID: what makes one that nobody can guess takes longer to load than all else here.
      String random = Long.toHexString(ThreadLocalRandom.current().nextLong());
      Path beside = place.resolveSibling(".mintmark-" + random + ".part");
      FileChannel channel =
          FileChannel.open(beside, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      OutputFile opened = new OutputFile(name, place, beside, channel);
      opened.takePermissions();
      return opened;
    } catch (IOException e) {
      throw new FileException(name, e);
    }
  }

  /**
   * Checks what can be said before there is anything to write.
   *
   * @throws IllegalArgumentException if it is a directory, or in none, or a file that the shell has
   *     opened, {@code /dev/stdout}, which cannot be replaced under whoever writes to it
   */
  static void check(String what, Path file) {
    if (OPENED.matcher(file.toAbsolutePath().toString()).matches() && Files.isRegularFile(file)) {
      throw new IllegalArgumentException(
          "%s %s: the shell has opened that file: expected its name".formatted(what, file));
    }
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException(
          "%s %s: that is a directory, expected a file".formatted(what, file));
    }
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null && !Files.isDirectory(directory)) {
      throw new IllegalArgumentException(
          "%s %s: there is no directory %s".formatted(what, file, directory));
    }
  }

  /** Where bytes go; what goes wrong is a {@link FileException}. */
  OutputStream stream() {
    return NamedStreams.writing(name, Channels.newOutputStream(channel));
  }

  /** Puts it in its place. */
  synchronized void complete() {
    if (done) {
      throw new FileException(name, new IOException("given up, since the program ends"));
    }
    try {
      boolean isBeside = !written.equals(place);
      if (isBeside && Files.exists(place)) {
        channel.force(true); // Or a loss of power could leave neither.
      }
      channel.close();
      if (isBeside) {
        Files.move(written, place, StandardCopyOption.ATOMIC_MOVE);
      }
      done = true;
    } catch (IOException e) {
      throw new FileException(name, e);
    }
  }

  /** Forgets it unless it is complete. */
  @Override
  public synchronized void close() {
    if (done) {
      return;
    }
    done = true;
    try {
      channel.close();
      if (!written.equals(place)) {
        Files.deleteIfExists(written);
      }
    } catch (IOException e) {
      throw new FileException(name, e);
    }
  }

  private void takePermissions() throws IOException {
    PosixFileAttributeView old = Files.getFileAttributeView(place, PosixFileAttributeView.class);
    PosixFileAttributeView its = Files.getFileAttributeView(written, PosixFileAttributeView.class);
    if (old != null && its != null && Files.exists(place)) {
      its.setPermissions(old.readAttributes().permissions());
    }
  }
}
