package dev.mintmark.app.cli.common;

import dev.mintmark.app.database.CloseAtExit;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A file that is written under a temporary name beside its place, and is deleted if it is closed
 * before it is complete. A process that is killed leaves it behind. Safe for use by the command's
 * thread and the shutdown hook.
 */
public final class UnfinishedFile implements CloseAtExit.Resource {
  private final String name;
  private final Path place;

  /** The file that is written: the temporary file, or the place itself. */
  private final Path written;

  private final FileChannel channel;
  private boolean done;

  private UnfinishedFile(String name, Path place, Path written, FileChannel channel) {
    this.name = name;
    this.place = place;
    this.written = written;
    this.channel = channel;
  }

  /**
   * Creates a temporary file.
   *
   * @param name its purpose and its path, for messages
   * @param place in a directory that exists
   * @param attributes of the temporary file
   * @throws FileException if it cannot be created
   */
  public static UnfinishedFile beside(String name, Path place, FileAttribute<?>... attributes) {
    // Not a ULID: loading SecureRandom takes longer than everything else here.
    String random = Long.toHexString(ThreadLocalRandom.current().nextLong());
    Path beside = place.resolveSibling(".mintmark-" + random + ".part");
    try {
      FileChannel channel =
          FileChannel.open(
              beside, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes);
      return new UnfinishedFile(name, place, beside, channel);
    } catch (IOException e) {
      throw new FileException(name, e);
    }
  }

  /**
   * Opens something that is not a regular file, such as a named pipe, and is written directly.
   *
   * @throws FileException if it cannot be written
   */
  public static UnfinishedFile inPlace(String name, Path place) {
    try {
      return new UnfinishedFile(
          name, place, place, FileChannel.open(place, StandardOpenOption.WRITE));
    } catch (IOException e) {
      throw new FileException(name, e);
    }
  }

  /** Its purpose and its path, for messages. */
  public String name() {
    return name;
  }

  public Path place() {
    return place;
  }

  public Path written() {
    return written;
  }

  public FileChannel channel() {
    return channel;
  }

  /** Whether a temporary file is written, beside the place. */
  public boolean isBeside() {
    return !written.equals(place);
  }

  /** What is left to do with a file that is written: closes the channel, and gives it its name. */
  public interface Ending {
    void run() throws IOException;
  }

  /**
   * Completes the file, unless the process is ending.
   *
   * @throws FileException if the ending fails, or the file was closed
   */
  public synchronized void complete(Ending ending) {
    if (done) {
      throw new FileException(name, new IOException("not completed: the program is ending"));
    }
    try {
      ending.run();
      done = true;
    } catch (IOException e) {
      throw new FileException(name, e);
    }
  }

  /** Deletes the temporary file unless it is complete. */
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
}
