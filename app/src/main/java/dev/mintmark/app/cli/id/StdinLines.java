package dev.mintmark.app.cli.id;

import dev.mintmark.app.cli.common.FileException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The lines of stdin as bytes, so that one that is not UTF-8 can be rejected by itself. */
final class StdinLines {
  /** With a charset that keeps every byte. */
  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.ISO_8859_1));

  /**
   * Returns the next line; empty at the end.
   *
   * @throws FileException if stdin cannot be read
   */
  Optional<byte[]> next() {
    try {
      return Optional.ofNullable(in.readLine())
          .map(line -> line.getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new FileException("stdin", e);
    }
  }

  /** Returns a text for people, with U+FFFD for what is not UTF-8. */
  static String shown(byte[] line) {
    return new String(line, StandardCharsets.UTF_8);
  }
}
