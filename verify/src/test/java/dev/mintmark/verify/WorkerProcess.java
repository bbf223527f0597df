package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A process of a test of faults, which writes what it does to a log until its standard input ends.
 *
 * @param errors the file of its standard error
 */
record WorkerProcess(Process process, Path log, Path errors) {
  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits until each of some workers, none of which may end, has written so much more. */
  static void awaitProgress(List<WorkerProcess> workers, long bytes) {
    List<Long> before = workers.stream().map(WorkerProcess::written).toList();
    for (int i = 0; i < workers.size(); i++) {
      WorkerProcess worker = workers.get(i);
      long enough = before.get(i) + bytes;
      Eventually.present(
          Patience.MAX,
          () -> {
            assertThat(worker.isAlive()).as(read(worker.errors)).isTrue();
            return Optional.of(worker.written()).filter(size -> size > enough);
          });
    }
  }

  /** Lets the worker finish what it does, and waits for its end. */
  void finish() {
    try {
      process.getOutputStream().close();
      assertThat(process.waitFor(Patience.MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The text of a file; empty if there is none yet. */
  static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long written() {
    return Files.exists(log) ? log.toFile().length() : 0;
  }
}
