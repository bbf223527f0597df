package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MigrationPlanTest {
  @Test
  void aPlanWithARefusalIsNotEmpty() {
    Refusal refusal =
        new Refusal(
            RefusalCode.NOT_A_TABLE, "orders", "relation orders", "it is no table", "name one");

    assertThat(new MigrationPlan(List.of(), List.of(refusal), List.of(), List.of()).isEmpty())
        .isFalse();
    assertThat(new MigrationPlan(List.of(), List.of(), List.of(), List.of()).isEmpty()).isTrue();
  }
}
