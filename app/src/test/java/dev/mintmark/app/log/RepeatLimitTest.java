package dev.mintmark.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.log.RepeatLimit.Kind;
import dev.mintmark.app.log.RepeatLimit.LeftOut;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RepeatLimitTest {
  private static final Kind REJECTED = new Kind("Problems", "key-rejected", "10.0.0.1");

  /** Starts near the end of what a long can hold, as {@link System#nanoTime} may. */
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);

  private final RepeatLimit limit = new RepeatLimit(nanos::get);

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private int admitted(Kind kind, int lines) {
    int admitted = 0;
    for (int i = 0; i < lines; i++) {
      admitted += limit.admits(kind) ? 1 : 0;
    }
    return admitted;
  }

  @Test
  void linesOfOneKindAreLimitedInAMinute() {
    assertThat(admitted(REJECTED, 47)).isEqualTo(10);

    pass(Duration.ofSeconds(59));
    assertThat(limit.ended()).isEmpty();
    assertThat(admitted(REJECTED, 3)).isZero();

    pass(Duration.ofSeconds(1));
    assertThat(limit.ended()).containsExactly(new LeftOut(REJECTED, 40));
    assertThat(limit.ended()).as("it is said once").isEmpty();
    assertThat(admitted(REJECTED, 11)).isEqualTo(10);
  }

  @Test
  void nothingIsSaidIfNothingWasLeftOut() {
    assertThat(admitted(REJECTED, 10)).isEqualTo(10);
    pass(RepeatLimit.WINDOW);

    assertThat(limit.ended()).isEmpty();
    assertThat(limit.size()).isZero();
  }

  @Test
  void everyLoggerCodeAndCallerIsCountedByItself() {
    admitted(REJECTED, 20);

    assertThat(admitted(new Kind("Problems", "key-rejected", "10.0.0.2"), 20)).isEqualTo(10);
    assertThat(admitted(new Kind("Problems", "internal-error", "10.0.0.1"), 20)).isEqualTo(10);
    assertThat(admitted(new Kind("Other", "key-rejected", "10.0.0.1"), 20)).isEqualTo(10);
  }

  @Test
  void callersWithoutNumberFillNeitherMemoryNorLog() {
    int admitted = 0;
    for (int caller = 0; caller < 100_000; caller++) {
      admitted += admitted(new Kind("Problems", "key-rejected", "caller " + caller), 1);
    }

    assertThat(limit.size()).isEqualTo(RepeatLimit.KINDS_MAX + 1);
    assertThat(admitted).isEqualTo(RepeatLimit.KINDS_MAX + RepeatLimit.LINES_MAX);
    pass(RepeatLimit.WINDOW);
    assertThat(limit.ended())
        .containsExactly(
            new LeftOut(
                RepeatLimit.OTHERS, 100_000 - RepeatLimit.KINDS_MAX - RepeatLimit.LINES_MAX));
    assertThat(admitted(REJECTED, 1)).isEqualTo(1);
  }

  @Test
  void closingSaysWhatWasLeftOutSoFar() {
    admitted(REJECTED, 12);

    assertThat(limit.close()).containsExactly(new LeftOut(REJECTED, 2));
  }
}
