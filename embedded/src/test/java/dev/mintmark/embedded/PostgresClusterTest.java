package dev.mintmark.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresClusterTest {
  /** More than a string holds. The file has holes, so it takes no room on the disk. */
  private static final long LONG = 3L << 30;

  @TempDir Path directory;

  private Path log;
  private PostgresCluster cluster;

  @BeforeEach
  void createLog() throws IOException {
    log = directory.resolve("postgresql.log");
    cluster = new PostgresCluster(directory.resolve("postgresql-18"), log);
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
      file.setLength(LONG);
    }
    append("\n2026-11-30 08:00:00 UTC [7] FATAL:  lock file is empty\n");
  }

  @Test
  void errorIsThatAtTheEndOfALongLog() throws IOException {
    assertThat(cluster.lastError(0)).isEqualTo("lock file is empty");
    assertThat(cluster.lastError(LONG)).isEqualTo("lock file is empty");

    append("stopped waiting\n");
    assertThat(cluster.lastError(LONG)).isEqualTo("lock file is empty");
  }

  @Test
  void errorOfAnEarlierStartDoesNotCount() throws IOException {
    long start = Files.size(log);
    assertThat(cluster.lastError(start)).isEqualTo("its log has no message");

    append("stopped waiting\n");

    assertThat(cluster.lastError(start)).isEqualTo("stopped waiting");
  }

  private void append(String text) throws IOException {
    Files.writeString(log, text, StandardCharsets.US_ASCII, StandardOpenOption.APPEND);
  }
}
