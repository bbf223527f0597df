package dev.mintmark.app.cli.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mintmark.app.cli.common.FileException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextInputTest {
  /** The JDK takes a pipe that is empty after a member for one that is at its end. */
  @Test
  void allMembersOfGzipAreReadFromAPipeThatIsEmptyBetweenThem() throws IOException {
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      members.write(gzip("member " + i + "\n"));
      text.append("member ").append(i).append('\n');
    }

    try (InputStream in = TextInput.of("stdin", oneByteAtATime(members.toByteArray())).stream()) {
      assertThat(in.readAllBytes()).asString(StandardCharsets.US_ASCII).isEqualTo(text.toString());
    }
  }

  @Test
  void gzipMayBlockIfThePipeMay() throws IOException {
    try (InputStream empty = oneByteAtATime(gzip("text"))) {
      InputStream in = TextInput.of("stdin", empty).stream();

      assertThat(in.read()).isEqualTo('t');
      assertThat(in.available()).isZero();
    }
  }

  /** {@link java.util.zip.GZIPInputStream} takes them for the end of the file. */
  @ParameterizedTest
  @CsvSource({
    "420A, bytes that are no gzip follow a member",
    "1F, it ends within a member",
    "1F8B08000000000000, it ends within a member",
    "1F8B07000000000000FF, a header of a member is wrong",
    "1F8B08800000000000FF, a header of a member is wrong",
    "1F8B08080000000000FF61, it ends within a member",
    "1F8B08020000000000FF0000, the checksum of a header is wrong",
    "1F8B08000000000000FF, it ends within a member",
    "1F8B08000000000000FFFFFF, is damaged gzip: invalid block type",
    "1F8B08000000000000FF0300000000, it ends within a member",
    "1F8B08000000000000FF03000100000000000000, its checksum is wrong",
    "1F8B08000000000000FF03000000000001000000, its length is wrong",
    "000042, bytes that are no gzip follow a member"
  })
  void whatFollowsAMemberAndIsNoMemberIsAnError(String hex, String why) throws IOException {
    byte[] bytes = after(gzip("first\n"), HexFormat.of().parseHex(hex));

    try (InputStream in = TextInput.of("input a.gz", new ByteArrayInputStream(bytes)).stream()) {
      assertThatExceptionOfType(FileException.class)
          .isThrownBy(in::readAllBytes)
          .withMessageStartingWith("input a.gz: is damaged gzip: ")
          .withMessageContaining(why);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "00000000000000000000",
        // No text, with an extra field, a name, a comment and a checksum of the header.
        "1F8B081E0000000000FF020061626300640010F503000000000000000000"
      })
  void zerosAndWholeMembersMayFollow(String hex) throws IOException {
    byte[] bytes = after(gzip("first\n"), HexFormat.of().parseHex(hex));

    for (InputStream source : List.of(new ByteArrayInputStream(bytes), oneByteAtATime(bytes))) {
      try (InputStream in = TextInput.of("stdin", source).stream()) {
        assertThat(in.readAllBytes()).asString(StandardCharsets.US_ASCII).isEqualTo("first\n");
      }
    }
  }

  private static byte[] after(byte[] member, byte[] more) {
    byte[] all = Arrays.copyOf(member, member.length + more.length);
    System.arraycopy(more, 0, all, member.length, more.length);
    return all;
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream member = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(member)) {
      gzip.write(text.getBytes(StandardCharsets.US_ASCII));
    }
    return member.toByteArray();
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
