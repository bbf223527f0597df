package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpellingTest {
  private static final List<String> WORDS = List.of("meat", "orders", "order_lines");

  @ParameterizedTest
  @ValueSource(strings = {"order", "ordersx", "rders", "odrers", "oders", "ordres", "0rders"})
  void wordIsFoundThatASlipWasMadeIn(String typed) {
    assertThat(Spelling.nearest(typed, WORDS)).contains("orders");
  }

  @Test
  void nearestOfTwoIsFound() {
    assertThat(Spelling.nearest("meats", List.of("meals", "meat", "mea"))).contains("meals");
    assertThat(Spelling.nearest("meats", List.of("mea", "meat"))).contains("meat");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "o", "or", "order_line_items", "payments", "mxyt"})
  void nothingIsFoundWhereNothingIsNear(String typed) {
    assertThat(Spelling.nearest(typed, List.of("orders", "order_lines"))).isEmpty();
  }
}
