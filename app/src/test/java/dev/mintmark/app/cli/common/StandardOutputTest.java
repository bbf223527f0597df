package dev.mintmark.app.cli.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StandardOutputTest {
  @Test
  void remembersWhatAWriterKeepsToItself() {
    StandardOutput out = new StandardOutput(failing("No space left on device"));

    new PrintWriter(out, true, StandardCharsets.UTF_8).println("lost");

    assertThat(out.failure().orElseThrow()).hasMessage("stdout: No space left on device");
  }

  @Test
  void isNoFailureWhereNobodyReadsOnOrAllIsWritten() {
    StandardOutput closed = new StandardOutput(failing("Broken pipe"));
    StandardOutput good = new StandardOutput(OutputStream.nullOutputStream());

    new PrintStream(closed, true, StandardCharsets.UTF_8).println("unread");
    new PrintStream(good, true, StandardCharsets.UTF_8).println("written");

    assertThat(closed.failure()).isEmpty();
    assertThat(good.failure()).isEmpty();
  }

  private static OutputStream failing(String message) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException(message);
      }
    };
  }
}
