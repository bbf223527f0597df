package dev.mintmark.spark.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("matrix")
class LeaseTest {
  private static final Duration LONG = Duration.ofMinutes(5);

  @TempDir java.nio.file.Path directory;

  private FileSystem fileSystem;
  private Path control;

  @BeforeEach
  void openFileSystem() throws IOException {
    fileSystem = FileSystem.getLocal(new Configuration());
    control = new Path(directory.resolve("output/_mintmark").toString());
  }

  @Test
  void leaseThatIsRenewedKeepsOthersOut() throws IOException {
    try (Lease lease = take(LONG)) {
      assertThatThrownBy(() -> take(LONG))
          .isInstanceOf(JobException.class)
          .hasMessageContaining("another run is working on")
          .hasMessageContaining("process " + ProcessHandle.current().pid());
      lease.check();
    }
  }

  @Test
  void leaseThatWasGivenBackIsTakenAtOnce() throws IOException {
    take(LONG).close();

    try (Lease lease = take(LONG)) {
      lease.check();
    }
  }

  @Test
  void leaseThatStandsStillIsTaken() throws IOException {
    Files.createDirectories(directory.resolve("output/_mintmark"));
    java.nio.file.Path dead = directory.resolve("output/_mintmark/lease-00000041-5f0c9a7e");
    Files.writeString(dead, "process 7\nbeat 3\n");

    try (Lease lease = take(Duration.ofMillis(300))) {
      lease.check();
      assertThat(lease.run()).startsWith("00000042-");
      assertThat(directory.resolve("output/_mintmark/lease-" + lease.run())).exists();
      assertThat(dead).doesNotExist();
    }
  }

  @Test
  void runThatWasTakenForDeadStops() throws IOException {
    Lease asleep = take(LONG);
    Lease next = take(Duration.ZERO);

    assertThatThrownBy(asleep::check)
        .isInstanceOf(JobException.class)
        .hasMessageContaining("took over the lease of this run");
    asleep.close();
    next.check();
    next.close();
  }

  @Test
  void oneOfRunsThatBeginAtOnceGoesOn() throws Exception {
    for (int i = 0; i < 50; i++) {
      control = new Path(directory.resolve("output" + i + "/_mintmark").toString());
      CyclicBarrier start = new CyclicBarrier(3);
      Callable<Optional<Lease>> run =
          () -> {
            start.await();
            try {
              return Optional.of(take(LONG));
            } catch (JobException e) {
              return Optional.empty();
            }
          };
      ExecutorService threads = Executors.newFixedThreadPool(3);
      List<Lease> taken = new ArrayList<>();
      for (Future<Optional<Lease>> lease : threads.invokeAll(List.of(run, run, run))) {
        lease.get().ifPresent(taken::add);
      }
      threads.shutdown();

      assertThat(taken).filteredOn(LeaseTest::isHeld).hasSize(1);
      for (Lease lease : taken) {
        lease.close();
      }
    }
  }

  private static boolean isHeld(Lease lease) {
    try {
      lease.check();
      return true;
    } catch (JobException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Lease take(Duration patience) throws IOException {
    return Lease.take(fileSystem, control, patience);
  }
}
