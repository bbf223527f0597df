package dev.mintmark.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A command that fails early would leave the classes of the others out of the archive. */
final class StartTrainingTest {
  @Test
  @Tag("slow")
  void onlyTheMistakesFail() throws IOException {
    assertThat(StartTraining.run())
        .containsExactly(StartTraining.NO_IDENTIFIER, StartTraining.NO_COMMAND);
  }

  @Test
  @Tag("long")
  void commandsWithADatabaseSucceed() throws IOException {
    assertThat(StartTraining.runWithDatabase()).isEmpty();
  }
}
