package dev.mintmark.app.cli.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.cli.MintmarkCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalledAsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Run mintmark serve, or else | Run ./mintmark serve, or else",
        "next: mintmark migrate resume or mintmark pool claim | next: ./mintmark migrate resume or ./mintmark pool claim",
        "drop schema mintmark cascade | drop schema mintmark cascade",
        "mintmark: the clock stands | mintmark: the clock stands",
        "/opt/mintmark serve | /opt/mintmark serve",
        "alter table mintmark.pool | alter table mintmark.pool",
      })
  void commandsAreNamedAsTheUserCanTypeThem(String message, String shown) {
    assertThat(CalledAs.in(message, "./mintmark")).isEqualTo(shown);
  }

  @Test
  void everyCommandIsKnown() {
    assertThat(MintmarkCommand.commandLine().getSubcommands().keySet())
        .contains("key", "serve")
        .allSatisfy(
            command ->
                assertThat(CalledAs.in("next: mintmark " + command, "./mintmark"))
                    .isEqualTo("next: ./mintmark " + command));
  }
}
