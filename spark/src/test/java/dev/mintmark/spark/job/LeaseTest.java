package dev.mintmark.spark.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
          .hasMessageContaining("another run is at work on")
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
    Files.writeString(directory.resolve("output/_mintmark/lease-00000041"), "process 7\nbeat 3\n");

    try (Lease lease = take(Duration.ofMillis(300))) {
      lease.check();
      assertThat(directory.resolve("output/_mintmark/lease-00000042")).exists();
      assertThat(directory.resolve("output/_mintmark/lease-00000041")).doesNotExist();
    }
  }

  @Test
  void runThatWasTakenForDeadStops() throws IOException {
    Lease asleep = take(LONG);
    Lease next = take(Duration.ZERO);

    assertThatThrownBy(asleep::check)
        .isInstanceOf(JobException.class)
        .hasMessageContaining("took this one for dead");
    asleep.close();
    next.check();
    next.close();
  }

  private Lease take(Duration patience) throws IOException {
    return Lease.take(fileSystem, control, patience);
  }
}
