package dev.mintmark.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600) // for a machine ten times slower than this
class PostmasterTest {
  /** The first process of a container often does not ask for the end of those that it inherits. */
  @Test
  void hasEndedAlsoIfItsParentDoesNotAskForThat() throws Exception {
    Process parent =
        new ProcessBuilder("sh", "-c", "sleep 3600 & echo $!; exec sleep 3600").start();
    try (BufferedReader output = parent.inputReader()) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
      Postmaster postmaster = Postmaster.find(child.pid()).orElseThrow();
      assertThat(postmaster.hasEnded()).isFalse();

      assertThat(child.destroyForcibly()).isTrue();

      while (!postmaster.hasEnded()) {
        PollDelay.sleepMillis(10);
      }
    } finally {
      parent.destroyForcibly().waitFor();
    }
  }

  @Test
  void aProcessThatHasEndedIsNotFound() throws Exception {
    Process ended = new ProcessBuilder("true").start();
    assertThat(ended.waitFor()).isZero();

    assertThat(Postmaster.find(ended.pid())).isEmpty();
  }
}
