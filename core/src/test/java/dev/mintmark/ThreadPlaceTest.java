package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThreadPlaceTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 6, 8, 12, 16, 48, 64, 96, 128, 192, 256})
  void asManyThreadsInSuccessionAsProcessorsHaveDifferentPlaces(int processors) {
    int bits = ThreadPlace.bits(processors);
    assertThat(1 << bits).isBetween(4 * processors, 8 * processors - 1);

    for (long first = 1; first < 2_000; first++) {
      assertThat(
              LongStream.range(first, first + processors).mapToInt(id -> ThreadPlace.of(id, bits)))
          .as("from thread " + first)
          .doesNotHaveDuplicates()
          .allMatch(place -> place >= 0 && place < 1 << bits);
    }
  }
}
