package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaceTest {
  @ParameterizedTest
  @CsvSource({
    "PT0.001S, PT0S, PT0.001S, 1, PT0S, PT0S, 1",
    "PT10S, PT87600H, PT10S, 100000, PT87600H, PT87600H, 9223372036854775807"
  })
  void valuesAtTheEndsOfTheirRangesAreAccepted(
      Duration lockTimeout,
      Duration lockPatience,
      Duration batch,
      int batchRowsMax,
      Duration replicaLagMax,
      Duration transactionAgeMax,
      long walBytesPerSecondMax) {
    Pace pace =
        new Pace(
            lockTimeout,
            lockPatience,
            batch,
            batchRowsMax,
            replicaLagMax,
            transactionAgeMax,
            walBytesPerSecondMax);

    assertThat(pace.batchRowsMax()).isEqualTo(batchRowsMax);
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, PT1S, PT1S, 1, PT1S, PT1S, 1, lock timeout",
    "PT10.001S, PT1S, PT1S, 1, PT1S, PT1S, 1, lock timeout",
    "PT1S, PT-1S, PT1S, 1, PT1S, PT1S, 1, lock patience",
    "PT1S, PT1S, PT0.0009S, 1, PT1S, PT1S, 1, time of a batch",
    "PT1S, PT1S, PT11S, 1, PT1S, PT1S, 1, time of a batch",
    "PT1S, PT1S, PT1S, 0, PT1S, PT1S, 1, rows in a batch",
    "PT1S, PT1S, PT1S, 100001, PT1S, PT1S, 1, rows in a batch",
    "PT1S, PT1S, PT1S, 1, PT-1S, PT1S, 1, replica lag",
    "PT1S, PT1S, PT1S, 1, PT1S, PT-1S, 1, transaction age",
    "PT1S, PT1S, PT1S, 1, PT1S, PT1S, 0, write-ahead log"
  })
  void valuesOutOfTheirRangesAreRefused(
      Duration lockTimeout,
      Duration lockPatience,
      Duration batch,
      int batchRowsMax,
      Duration replicaLagMax,
      Duration transactionAgeMax,
      long walBytesPerSecondMax,
      String which) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Pace(
                    lockTimeout,
                    lockPatience,
                    batch,
                    batchRowsMax,
                    replicaLagMax,
                    transactionAgeMax,
                    walBytesPerSecondMax))
        .withMessageContaining(which)
        .withMessageContaining(": expected ");
  }
}
