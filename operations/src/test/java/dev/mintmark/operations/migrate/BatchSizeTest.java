package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BatchSizeTest {
  private static final Duration WANTED = Duration.ofMillis(50);

  @Test
  void doublesAtMost() {
    BatchSize size = new BatchSize(WANTED, 10_000);

    size.took(100, Duration.ofMillis(1));

    assertThat(size.rows()).isEqualTo(200);
  }

  @Test
  void halvesAtMost() {
    BatchSize size = new BatchSize(WANTED, 10_000);

    size.took(100, Duration.ofSeconds(10));

    assertThat(size.rows()).isEqualTo(50);
  }

  @Test
  void comesToWhatTakesAsLongAsWanted() {
    BatchSize size = new BatchSize(WANTED, 10_000);

    for (int i = 0; i < 20; i++) {
      size.took(size.rows(), Duration.ofNanos(size.rows() * 40_000L));
    }

    assertThat(size.rows()).isEqualTo(1_250);
  }

  @Test
  void staysWithinItsBounds() {
    BatchSize size = new BatchSize(WANTED, 150);

    size.took(100, Duration.ofMillis(1));
    assertThat(size.rows()).isEqualTo(150);

    for (int i = 0; i < 20; i++) {
      size.took(size.rows(), Duration.ofMinutes(1));
    }
    assertThat(size.rows()).isEqualTo(1);
    assertThat(new BatchSize(WANTED, 10).rows()).isEqualTo(10);
  }

  @Test
  void learnsNothingFromAnEmptyBatchThatTookLong() {
    BatchSize size = new BatchSize(WANTED, 10_000);

    size.took(0, Duration.ofMinutes(1));

    assertThat(size.rows()).isEqualTo(100);
  }

  @Test
  void goesOverEmptyBlocksInLargerStepsButNotInTheLargest() {
    BatchSize size = new BatchSize(WANTED, 10_000);

    for (int i = 0; i < 20; i++) {
      size.took(0, Duration.ofMillis(1));
    }

    assertThat(size.rows()).isEqualTo(1_000);
    BatchSize small = new BatchSize(WANTED, 150);
    small.took(0, Duration.ofMillis(1));
    assertThat(small.rows()).isEqualTo(150);
  }
}
