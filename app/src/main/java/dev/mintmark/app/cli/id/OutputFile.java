package dev.mintmark.app.cli.id;

import dev.mintmark.app.cli.common.FileException;
import dev.mintmark.app.cli.common.UnfinishedFile;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.warehouse.convert.Output;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
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

  private final UnfinishedFile file;

  /** What {@link #stream} compresses; null if there is nothing. */
  private @Nullable GZIPOutputStream gzip;

  private OutputFile(UnfinishedFile file) {
    this.file = file;
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
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // A pipe that a shell opened, /dev/fd/63, has no other path.
      return new OutputFile(UnfinishedFile.inPlace(name, file));
    }
    try {
      Path place = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
      OutputFile opened = new OutputFile(UnfinishedFile.beside(name, place));
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
    Output raw = file.isBeside() ? new Output.File(file.channel()) : new Output.Stream(rawStream());
    return isGzip(file.place()) ? new Output.Gzip(raw) : raw;
  }

  /** Returns the stream, which fails with {@link FileException}s. */
  OutputStream stream() throws IOException {
    if (!isGzip(file.place())) {
      return rawStream();
    }
    gzip = new GZIPOutputStream(rawStream(), GZIP_BUFFER);
    return NamedStreams.writing(file.name(), gzip);
  }

  private OutputStream rawStream() {
    return NamedStreams.writing(file.name(), Channels.newOutputStream(file.channel()));
  }

  /** Returns the exception for a failure to write the output. */
  FileException failure(IOException cause) {
    return new FileException(file.name(), cause);
  }

  /** Renames the file to its place. */
  void complete() {
    file.complete(
        () -> {
          if (gzip != null) {
            gzip.finish();
          }
          if (file.isBeside() && Files.exists(file.place())) {
            file.channel().force(true); // Otherwise a power failure could lose both files.
          }
          file.channel().close();
          if (file.isBeside()) {
            Files.move(file.written(), file.place(), StandardCopyOption.ATOMIC_MOVE);
          }
        });
  }

  /** Deletes the file unless it is complete. */
  @Override
  public void close() {
    file.close();
  }

  private void takePermissions() throws IOException {
    PosixFileAttributeView old =
        Files.getFileAttributeView(file.place(), PosixFileAttributeView.class);
    PosixFileAttributeView its =
        Files.getFileAttributeView(file.written(), PosixFileAttributeView.class);
    if (old != null && its != null && Files.exists(file.place())) {
      its.setPermissions(old.readAttributes().permissions());
    }
  }
}
