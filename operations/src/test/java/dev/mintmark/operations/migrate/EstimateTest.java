package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EstimateTest {
  @Test
  void theDefaultPaceLimitsTheWriteAheadLog() {
    long perSecond = Pace.GENTLE.walBytesPerSecondMax();

    assertThat(new Estimate(1, 10 * perSecond, 0, 3).secondsAt(Pace.GENTLE)).isEqualTo(10);
    assertThat(new Estimate(1, 10 * perSecond, 0, 3).secondsAt(Pace.FULL)).isEqualTo(3);
    assertThat(new Estimate(1, 2 * perSecond, 0, 3).secondsAt(Pace.GENTLE)).isEqualTo(3);
  }
}
