package dev.mintmark.app.cli.id;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class TextInputTest {
  /** The JDK takes a pipe that is empty after a member for one that is at its end. */
  @Test
  void allMembersOfGzipAreReadFromAPipeThatIsEmptyBetweenThem() throws IOException {
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      try (OutputStream member = new GZIPOutputStream(members)) {
        member.write(("member " + i + "\n").getBytes(StandardCharsets.US_ASCII));
      }
      text.append("member ").append(i).append('\n');
    }

    try (InputStream in = TextInput.of("stdin", oneByteAtATime(members.toByteArray())).stream()) {
      assertThat(in.readAllBytes()).asString(StandardCharsets.US_ASCII).isEqualTo(text.toString());
    }
  }

  @Test
  void gzipMayBlockIfThePipeMay() throws IOException {
    ByteArrayOutputStream member = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(member)) {
      gzip.write("text".getBytes(StandardCharsets.US_ASCII));
    }

    try (InputStream empty = oneByteAtATime(member.toByteArray())) {
      InputStream in = TextInput.of("stdin", empty).stream();

      assertThat(in.read()).isEqualTo('t');
      assertThat(in.available()).isZero();
    }
  }

  private static InputStream oneByteAtATime(byte[] bytes) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] target, int from, int count) {
        return super.read(target, from, Math.min(count, 1));
      }

      @Override
      public synchronized int available() {
        return 0;
      }
    };
  }
}
