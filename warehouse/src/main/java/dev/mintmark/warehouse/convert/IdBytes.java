package dev.mintmark.warehouse.convert;

import dev.mintmark.Quoted;
import dev.mintmark.ReadingTally;
import dev.mintmark.Transcoder;
import java.nio.charset.StandardCharsets;

/** Converts identifiers in bytes and explains malformed ones, of any length. */
final class IdBytes {
  /** The maximum length of an identifier. The text of every form is shorter. */
  static final int LENGTH_MAX = 1024;

  private IdBytes() {}

  /**
   * Converts an identifier as {@link Transcoder#transcode} does. Longer bytes than {@link
   * #LENGTH_MAX} are malformed.
   */
  static int transcode(
      Transcoder transcoder,
      byte[] source,
      int from,
      int to,
      byte[] target,
      int at,
      ReadingTally tally) {
    return to - from > LENGTH_MAX
        ? Transcoder.MALFORMED
        : transcoder.transcode(source, from, to - from, target, at, tally);
  }

  /** Returns the reason why {@link #transcode} reports bytes as malformed. */
  static String reason(Transcoder transcoder, byte[] source, int from, int to) {
    int length = to - from;
    if (length <= LENGTH_MAX) {
      return String.valueOf(transcoder.malformed(source, from, length).getMessage());
    }
    return "malformed identifier that begins with "
        + Quoted.of(new String(source, from, Quoted.LENGTH_MAX, StandardCharsets.UTF_8))
        + ": it has "
        + length
        + " bytes: expected at most "
        + LENGTH_MAX;
  }
}
