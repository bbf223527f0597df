package dev.mintmark.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The lock that makes one process the owner of a data directory. The operating system releases it
 * when the process ends, also if the process is killed. The file contains the pid of the process.
 *
 * <p>POSIX releases all locks that a process has on a file when the process closes any channel of
 * that file. So no other code of this process may open the file while the lock is held, and one
 * thread at a time opens it here.
 */
final class ServerLock implements AutoCloseable {
  /** The real paths of the files that this process has locked. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  /** The number of attempts. {@link #isHeld} takes the lock for a moment, so one is not enough. */
  private static final int ATTEMPTS = 5;

  private static final int ATTEMPT_MILLIS = 50;

  private final Path file;
  private final FileChannel channel;

  private ServerLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Takes the lock.
   *
   * @param file in a directory that exists, by its real path
   * @throws StartupException if another process, or this one, holds it
   */
  static synchronized ServerLock take(Path file) {
    if (!HELD.add(file)) {
      throw inUse(file, Long.toString(ProcessHandle.current().pid()));
    }
    try {
      return new ServerLock(file, lockedChannel(file));
    } catch (IOException e) {
      HELD.remove(file);
      throw StartupException.because("cannot lock " + file, e);
    } catch (RuntimeException e) {
      HELD.remove(file);
      throw e;
    }
  }

  /** Returns whether a process, this one or another, holds the lock. */
  static synchronized boolean isHeld(Path file) {
    if (HELD.contains(file)) {
      return true;
    }
    if (!Files.exists(file)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
      return lock == null;
    } catch (IOException e) {
      throw StartupException.because("cannot read " + file, e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw StartupException.because("cannot unlock " + file, e);
    } finally {
      HELD.remove(file);
    }
  }

  private static FileChannel lockedChannel(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            FileTree.PRIVATE_FILE);
    try {
      for (int attempt = 1; channel.tryLock() == null; attempt++) {
        if (attempt == ATTEMPTS) {
          throw inUse(file, Files.readString(file).strip());
        }
        PollDelay.sleepMillis(ATTEMPT_MILLIS);
      }
      channel.truncate(0);
      String pid = ProcessHandle.current().pid() + "\n";
      channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)));
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static StartupException inUse(Path file, String pid) {
    return new StartupException(
        "the data directory %s is in use by another mintmark (pid %s)"
            .formatted(file.getParent(), pid));
  }
}
