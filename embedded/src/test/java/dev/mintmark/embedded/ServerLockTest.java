package dev.mintmark.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerLockTest {
  /** Java refuses a second lock of a process, also for the moment in which another thread looks. */
  @Test
  void threadThatLooksDoesNotDisturbOneThatTakesTheLock(@TempDir Path directory) throws Exception {
    Path file = directory.toRealPath().resolve("server.lock");
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<?> looks =
          thread.submit(
              () -> {
                while (!done.get()) {
                  var unused = ServerLock.isHeld(file);
                }
              });

      for (int i = 0; i < 200; i++) {
        ServerLock.take(file).close();
      }
      done.set(true);

      assertThat(looks).succeedsWithin(Duration.ofMinutes(1));
    } finally {
      done.set(true);
      thread.shutdown();
    }
  }
}
