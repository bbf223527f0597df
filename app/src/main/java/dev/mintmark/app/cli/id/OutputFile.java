package dev.mintmark.app.cli.id;

import dev.mintmark.app.cli.common.FileException;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.warehouse.convert.Output;
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
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * An output file that is written under a temporary name and renamed when it is complete. Until
 * then, and if the process is killed, an earlier file stays unchanged. Something that is not a
 * regular file, such as {@code /dev/null} or a named pipe, is written directly. What is written is
 * compressed if the name ends with {@code .gz}.
 *
 * <p>Safe for use by the command's thread and the shutdown hook.
 */
final class OutputFile implements CloseAtExit.Resource {
  private static final Pattern OPENED =
      Pattern.compile("/dev/(fd/[0-9]+|stdout|stderr)|/proc/[^/]+/fd/[0-9]+");

  private static final int GZIP_BUFFER = 1 << 16;

  private final String name;
  private final Path place;

  /** The file that is written: a temporary file in the same directory, or the place itself. */
  private final Path written;

  private final FileChannel channel;

  /** What {@link #stream} compresses; null if there is nothing. */
  private @Nullable GZIPOutputStream gzip;

  private boolean done;

  private OutputFile(String name, Path place, Path written, FileChannel channel) {
    this.name = name;
    this.place = place;
    this.written = written;
    this.channel = channel;
  }

  /** Returns whether a file of this name is written compressed. */
  static boolean isGzip(Path file) {
    return file.toString().endsWith(".gz");
  }

  /**
   * Opens an output file.
   *
   * @param what its purpose, for messages: {@code output}
   * @throws IllegalArgumentException as {@link #check} throws it
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
      // Not a ULID: loading SecureRandom takes longer than everything else here.
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
   * Checks the path before anything is written.
   *
   * @throws FileException if it is a directory, or its directory does not exist
   * @throws IllegalArgumentException if it names a regular file that the shell has opened, such as
   *     {@code /dev/stdout}: it cannot be replaced while other processes write to it
   */
  static void check(String what, Path file) {
    if (OPENED.matcher(file.toAbsolutePath().toString()).matches() && Files.isRegularFile(file)) {
      throw new IllegalArgumentException(
          "%s %s: is a file that the shell has opened: expected the name of the file"
              .formatted(what, file));
    }
    if (Files.isDirectory(file)) {
      throw new FileException(what + " " + file, "is a directory: expected a file");
    }
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null && !Files.isDirectory(directory)) {
      throw new FileException(what + " " + file, "no such directory: " + directory);
    }
  }

  /**
   * Returns the output of a conversion. If it is a regular file it is written at many places at the
   * same time, and fails with {@link IOException}s, see {@link #failure}.
   */
  Output output() {
    Output raw =
        isBeside()
            ? new Output.File(channel)
            : new Output.Stream(NamedStreams.writing(name, Channels.newOutputStream(channel)));
    return isGzip(place) ? new Output.Gzip(raw) : raw;
  }

  /** Returns the stream, which fails with {@link FileException}s. */
  OutputStream stream() throws IOException {
    OutputStream raw = NamedStreams.writing(name, Channels.newOutputStream(channel));
    if (!isGzip(place)) {
      return raw;
    }
    gzip = new GZIPOutputStream(raw, GZIP_BUFFER);
    return NamedStreams.writing(name, gzip);
  }

  /** Returns the exception for a failure to write the output. */
  FileException failure(IOException cause) {
    return new FileException(name, cause);
  }

  /** Returns whether a temporary file is written, beside the place. */
  private boolean isBeside() {
    return !written.equals(place);
  }

  /** Renames the file to its place. */
  synchronized void complete() {
    if (done) {
      throw new FileException(name, new IOException("not completed: the program is ending"));
    }
    try {
      if (gzip != null) {
        gzip.finish();
      }
      if (isBeside() && Files.exists(place)) {
        channel.force(true); // Otherwise a power failure could lose both files.
      }
      channel.close();
      if (isBeside()) {
        Files.move(written, place, StandardCopyOption.ATOMIC_MOVE);
      }
      done = true;
    } catch (IOException e) {
      throw new FileException(name, e);
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
      if (isBeside()) {
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
