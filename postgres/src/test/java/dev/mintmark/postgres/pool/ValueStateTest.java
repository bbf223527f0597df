package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.postgres.pool.ValueState.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a claim of a named value meets, without a database. */
class ValueStateTest {
  private static final int PER_CLIENT = 2;

  /** What may be in the way of client a, besides the slots that it has filled. */
  private enum Obstacle {
    LEASE_ENDED,
    LEASE_OF_SLOT_ENDED,
    QUARANTINE_ENDED,
    HELD_BY_CLIENT,
    HELD_BY_ANOTHER,
    EXCLUDED,
    FENCED,
    CLOSED,
    QUARANTINED_FOR_CLIENT,
    QUARANTINED_FOR_ANOTHER,
    STOPPED,
    CUT_OFF,
    SLICED
  }

  private static ValueState state(List<Obstacle> obstacles, Integer... slots) {
    return new ValueState(
        fence(obstacles),
        1,
        obstacles.contains(Obstacle.CLOSED),
        obstacles.contains(Obstacle.EXCLUDED),
        obstacles.contains(Obstacle.HELD_BY_CLIENT)
            ? "a"
            : obstacles.contains(Obstacle.HELD_BY_ANOTHER) ? "b" : null,
        obstacles.contains(Obstacle.LEASE_ENDED),
        obstacles.contains(Obstacle.QUARANTINED_FOR_CLIENT)
            || obstacles.contains(Obstacle.QUARANTINED_FOR_ANOTHER),
        obstacles.contains(Obstacle.QUARANTINE_ENDED),
        lastClient(obstacles),
        List.of(slots),
        obstacles.contains(Obstacle.LEASE_OF_SLOT_ENDED));
  }

  private static String fence(List<Obstacle> obstacles) {
    if (obstacles.contains(Obstacle.FENCED)) {
      return "fenced";
    }
    if (obstacles.contains(Obstacle.STOPPED)) {
      return "stopped";
    }
    if (obstacles.contains(Obstacle.CUT_OFF)) {
      return "cut-off";
    }
    return obstacles.contains(Obstacle.SLICED) ? "sliced" : "open";
  }

  private static @Nullable String lastClient(List<Obstacle> obstacles) {
    if (obstacles.contains(Obstacle.QUARANTINED_FOR_ANOTHER)) {
      return "b";
    }
    return obstacles.contains(Obstacle.QUARANTINED_FOR_CLIENT) ? "a" : null;
  }

  /** What one obstacle alone means, in the order in which they count. */
  private static Finding finding(Obstacle obstacle) {
    return switch (obstacle) {
      case LEASE_ENDED, LEASE_OF_SLOT_ENDED, QUARANTINE_ENDED -> Finding.UNSWEPT;
      case HELD_BY_CLIENT -> Finding.HELD;
      case HELD_BY_ANOTHER, CLOSED, QUARANTINED_FOR_ANOTHER -> Finding.TAKEN;
      case EXCLUDED -> Finding.EXCLUDED;
      case FENCED -> Finding.FENCED;
      case QUARANTINED_FOR_CLIENT -> Finding.AVAILABLE;
      case STOPPED -> Finding.STOPPED;
      case CUT_OFF -> Finding.CUT_OFF;
      case SLICED -> Finding.SLICED;
    };
  }

  @Test
  void theFirstOfAllObstaclesIsFound() {
    Obstacle[] all = Obstacle.values();
    for (int set = 0; set < 1 << all.length; set++) {
      int present = set;
      List<Obstacle> obstacles =
          IntStream.range(0, all.length)
              .filter(i -> (present >> i & 1) == 1)
              .mapToObj(i -> all[i])
              .toList();
      Finding expected =
          obstacles.stream()
              .map(ValueStateTest::finding)
              .filter(finding -> finding != Finding.AVAILABLE)
              .findFirst()
              .orElse(Finding.AVAILABLE);

      assertThat(state(obstacles, 0).findingFor("a", PER_CLIENT))
          .as("%s", obstacles)
          .isEqualTo(expected);
      assertThat(state(obstacles, 0, 1).findingFor("a", PER_CLIENT))
          .as("%s, no free slot", obstacles)
          .isEqualTo(expected == Finding.AVAILABLE ? Finding.FULL : expected);
    }
  }

  @Test
  void aQuarantineThatIsForNobodyIsInTheWay() {
    ValueState state =
        new ValueState("open", 1, false, false, null, false, true, false, null, List.of(), false);

    assertThat(state.findingFor("a", PER_CLIENT)).isEqualTo(Finding.TAKEN);
  }

  /** A limit that was lowered leaves clients with more values, in any slots. */
  @ParameterizedTest
  @CsvSource({
    "'', 1, 0",
    "0, 1, -1",
    "0, 2, 1",
    "1, 2, 0",
    "'0 2', 3, 1",
    "'0 1 2', 3, -1",
    "5, 1, -1",
    "'3 4', 2, -1",
    "'3 4', 3, 0",
  })
  void theLowestFreeSlotIsFilledUpToTheLimit(String filled, int perClient, int expected) {
    List<Integer> slots = new ArrayList<>();
    for (String slot : filled.isEmpty() ? new String[0] : filled.split(" ", -1)) {
      slots.add(Integer.valueOf(slot));
    }
    ValueState state = state(List.of(), slots.toArray(Integer[]::new));

    assertThat(state.freeSlot(perClient).orElse(-1)).isEqualTo(expected);
    assertThat(state.findingFor("a", perClient))
        .isEqualTo(expected < 0 ? Finding.FULL : Finding.AVAILABLE);
  }
}
