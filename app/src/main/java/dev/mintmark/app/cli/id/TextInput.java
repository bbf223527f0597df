package dev.mintmark.app.cli.id;

import dev.mintmark.app.cli.common.FileException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * The input of {@code mintmark convert}, after a look at its first bytes. Gzip is decompressed.
 *
 * @param stream the text
 * @param isGzip whether it was compressed
 */
record TextInput(InputStream stream, boolean isGzip) {
  /** The number of bytes that tell most formats apart. */
  private static final int LOOKED_AT = 3;

  private static final int LOOKED_AT_MAX = 4;

  /** A format that is not text in UTF-8, by its first bytes. */
  private enum Format {
    UTF_16_LITTLE("UTF-16", "UTF-8: iconv -f UTF-16 -t UTF-8 FILE", 0xFF, 0xFE),
    UTF_16_BIG("UTF-16", "UTF-8: iconv -f UTF-16 -t UTF-8 FILE", 0xFE, 0xFF),
    ZSTANDARD("Zstandard", "text: zstd -dc FILE", 0x28, 0xB5, 0x2F),
    BZIP2("bzip2", "text: bzip2 -dc FILE", 'B', 'Z', 'h') {
      /** The digit of the block size follows. */
      @Override
      boolean begins(byte[] first) {
        return super.begins(first)
            && first.length > LOOKED_AT
            && first[LOOKED_AT] >= '1'
            && first[LOOKED_AT] <= '9';
      }
    },
    XZ("xz", "text: xz -dc FILE", 0xFD, '7', 'z'),
    ZIP("a ZIP archive", "text: unzip -p FILE", 'P', 'K', 3),
    PARQUET("Parquet", "text: duckdb -csv -c \"from 'FILE'\"", 'P', 'A', 'R', '1');

    private final String what;
    private final String remedy;

    @SuppressWarnings("ImmutableEnumChecker") // Written here only.
    private final byte[] start;

    Format(String what, String remedy, int... start) {
      this.what = what;
      this.remedy = remedy;
      this.start = new byte[start.length];
      for (int i = 0; i < start.length; i++) {
        this.start[i] = (byte) start[i];
      }
    }

    static Optional<Format> of(byte[] first) {
      if (first.length >= 2 && (first[0] == 0) != (first[1] == 0)) {
        return Optional.of(first[0] == 0 ? UTF_16_BIG : UTF_16_LITTLE); // An ASCII character.
      }
      return Arrays.stream(values()).filter(format -> format.begins(first)).findFirst();
    }

    /** Returns whether a file with these first bytes has this format. */
    boolean begins(byte[] first) {
      return first.length >= start.length
          && Arrays.equals(first, 0, start.length, start, 0, start.length);
    }
  }

  /**
   * Returns the text of a stream.
   *
   * @param name the purpose and the path of the stream: {@code input a.csv}
   * @throws FileException if it cannot be read, or is damaged
   * @throws NotText if it is in a format that is not read; the message names it and a remedy
   */
  static TextInput of(String name, InputStream in) {
    try {
      byte[] first = first(in);
      InputStream raw = new Unread(in, first);
      if (first.length >= 2 && first[0] == 0x1F && first[1] == (byte) 0x8B) {
        return new TextInput(NamedStreams.reading(name, new GzipMembers(raw)), true);
      }
      Optional<Format> other = Format.of(first);
      if (other.isPresent()) {
        throw new NotText(
            "%s: is %s: expected %s | mintmark convert ..."
                .formatted(name, other.get().what, other.get().remedy));
      }
      return new TextInput(NamedStreams.reading(name, raw), false);
    } catch (IOException e) {
      throw new FileException(name, e);
    }
  }

  /**
   * Reads the first bytes. It waits for none that an interactive caller may not send: none after a
   * line feed, and a fourth one only if the first three may begin Parquet or bzip2.
   */
  private static byte[] first(InputStream in) throws IOException {
    byte[] first = new byte[LOOKED_AT_MAX];
    int count = 0;
    boolean ended = false;
    while (!ended && (count < LOOKED_AT || (count == LOOKED_AT && isAmbiguous(first)))) {
      int next = in.read();
      if (next >= 0) {
        first[count++] = (byte) next;
      }
      ended = next < 0 || next == '\n';
    }
    return Arrays.copyOf(first, count);
  }

  private static boolean isAmbiguous(byte[] first) {
    return (first[0] == 'P' && first[1] == 'A' && first[2] == 'R')
        || (first[0] == 'B' && first[1] == 'Z' && first[2] == 'h');
  }

  /**
   * A stream whose first bytes were read and are returned once more, without waiting for others.
   */
  private static final class Unread extends PushbackInputStream {
    Unread(InputStream in, byte[] first) throws IOException {
      super(in, LOOKED_AT_MAX);
      unread(first);
    }

    @Override
    public int read(byte[] target, int from, int count) throws IOException {
      int unread = buf.length - pos;
      return super.read(target, from, unread == 0 ? count : Math.min(count, unread));
    }
  }

  /** An input is not text in UTF-8. */
  static final class NotText extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotText(String message) {
      super(message);
    }
  }
}
