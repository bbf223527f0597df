package dev.mintmark.warehouse.convert;

import dev.mintmark.Quoted;
import dev.mintmark.Transcoder;
import java.nio.charset.StandardCharsets;

/** Says why bytes are no identifier, however many they are. */
final class IdBytes {
  /** No form has a text as long as this. */
  static final int LENGTH_MAX = 1024;

  private IdBytes() {}

  /** What {@link Transcoder#transcode} answers, which is not asked of what is too long. */
  static int transcode(
      Transcoder transcoder, byte[] source, int from, int to, byte[] target, int at) {
    return to - from > LENGTH_MAX
        ? Transcoder.MALFORMED
        : transcoder.transcode(source, from, to - from, target, at);
  }

  /** Why {@link #transcode} refuses it. */
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
