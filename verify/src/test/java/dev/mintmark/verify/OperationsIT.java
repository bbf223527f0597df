package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.verify.Mintmark.Outcome;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The backup and the restore of docs/operations.md. */
@Tag("long")
class OperationsIT {
  private static final List<ShownCommand> COMMANDS =
      ShownCommand.of(new Page("docs/operations.md"));

  @TempDir Path directory;

  /** What was granted after the backup looks free in it. */
  @Test
  void aValueThatWasGrantedAfterTheBackupIsNotGrantedAgain() {
    assertThat(COMMANDS).hasSize(5);
    RunningServer.start(mintmark(), directory.resolve(".mintmark")).close();
    assertDone("pool create ports --block 1..3");
    String before = assertDone("pool claim ports --client before").out();
    assertThat(run(COMMANDS.get(2)).status()).isZero();
    String after = assertDone("pool claim ports --client after").out();
    assertThat(after).isNotEqualTo(before);
    assertThat(run(COMMANDS.get(2)).status()).as("a copy over another copy").isNotZero();

    for (ShownCommand command : COMMANDS.subList(3, 5)) {
      Outcome outcome = run(command);
      assertThat(outcome.status()).as(outcome.err()).isZero();
    }

    assertThat(mintmark().run("pool claim ports --client other".split(" ")).status()).isEqualTo(1);
    assertThat(assertDone("pool claim ports --client before").out()).isEqualTo(before);
    assertThat(assertDone("pool claim ports --client after --data broken").out())
        .as("what was replaced is kept")
        .isEqualTo(after);
  }

  /** The backup is made while the server runs; the restored directory is another one. */
  @Test
  void aBackupIsRestoredIntoAnotherDirectory() {
    RunningServer server = RunningServer.start(mintmark(), directory.resolve(".mintmark"));
    try {
      assertDone("pool create ports --block 1..3 --lease 1h");
      String before = assertDone("pool claim ports --client before").out();
      assertThat(run(COMMANDS.get(0)).status()).isZero();
      assertDone("pool claim ports --client after");

      Outcome restored = run(COMMANDS.get(1));

      assertThat(restored.status()).as(restored.err()).isZero();
      assertThat(restored.out()).contains("pool ports: values that are free rest until ");
      String other = "pool claim ports --client other --data restored";
      assertThat(mintmark().run(other.split(" ")).status()).isEqualTo(1);
      assertThat(valueOf(assertDone("pool claim ports --client before --data restored").out()))
          .isEqualTo(valueOf(before));
    } finally {
      server.close();
    }
  }

  private static String valueOf(String claim) {
    return claim.split(" ", 2)[0];
  }

  private Outcome run(ShownCommand command) {
    return mintmark().shell(command.line());
  }

  private Outcome assertDone(String arguments) {
    Outcome outcome = mintmark().run(arguments.split(" "));
    assertThat(outcome.status()).as(outcome.err()).isZero();
    return outcome;
  }

  private Mintmark mintmark() {
    return Mintmark.in(directory);
  }
}
