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

  @ParameterizedTest
  @ValueSource(strings = {"\n", "7\n", "12\n", "123\n", "PAR\n", "0123456789\n"})
  void aLineIsReturnedBeforeMoreIsWaitedFor(String line) throws IOException {
    try (InputStream interactive = thatBlocksAfter(line)) {
      InputStream in = TextInput.of("stdin", interactive).stream();
      byte[] read = new byte[100];
      int length = 0;

      while (length < line.length()) {
        length += in.read(read, length, read.length - length);
      }

      assertThat(new String(read, 0, length, StandardCharsets.US_ASCII)).isEqualTo(line);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PARENT_ID\n", "PAR", "BZhou,id\n", "BZh0", "BZh"})
  void textThatBeginsLikeAnotherFormatIsText(String text) throws IOException {
    InputStream bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));

    try (InputStream in = TextInput.of("stdin", bytes).stream()) {
      assertThat(in.readAllBytes()).asString(StandardCharsets.US_ASCII).isEqualTo(text);
    }
  }

  @ParameterizedTest
  @CsvSource({"PAR1x, is Parquet", "BZh91AY, is bzip2", "PK\u0003\u0004x, is a ZIP archive"})
  void otherFormatsAreNamed(String start, String message) {
    byte[] bytes = start.getBytes(StandardCharsets.US_ASCII);

    assertThatExceptionOfType(TextInput.NotText.class)
        .isThrownBy(() -> TextInput.of("stdin", new ByteArrayInputStream(bytes)))
        .withMessageStartingWith("stdin: " + message);
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

  /** Returns the stream of a caller that waits for an answer to a line before it sends more. */
  private static InputStream thatBlocksAfter(String line) {
    return new ByteArrayInputStream(line.getBytes(StandardCharsets.US_ASCII)) {
      @Override
      public synchronized int read() {
        return next(super.read());
      }

      @Override
      public synchronized int read(byte[] target, int from, int count) {
        return next(super.read(target, from, count));
      }

      private int next(int read) {
        if (read < 0) {
          throw new IllegalStateException("it would block");
        }
        return read;
      }
    };
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
