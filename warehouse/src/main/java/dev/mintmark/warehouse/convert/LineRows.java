package dev.mintmark.warehouse.convert;

import dev.mintmark.Transcoder;
import java.io.IOException;
import java.util.List;

/** Converts lines. A plain line is a well-formed identifier followed by a line end. */
final class LineRows extends Rows {
  private final Transcoder transcoder;

  /** The most bytes that a line becomes: an identifier and a line end. */
  private final int lengthMax;

  LineRows(Transcoder transcoder) {
    this.transcoder = transcoder;
    this.lengthMax = lengthMax(transcoder);
  }

  static int lengthMax(Transcoder transcoder) {
    return transcoder.lengthMax() + 2;
  }

  @Override
  int plain(byte[] bytes, int from, int end, Gathered target) throws IOException {
    int newline = ByteSearch.find(bytes, from, end, (byte) '\n');
    if (newline == ByteSearch.NONE) {
      return NONE;
    }
    int to = ByteSearch.textEnd(bytes, from, newline);
    ByteSink out = target.out();
    byte[] room = out.room(lengthMax);
    int at = out.at();
    int written = IdBytes.transcode(transcoder, bytes, from, to, room, at, target.tally());
    if (written == Transcoder.MALFORMED) {
      target.tally().discard();
      return NONE;
    }
    at += written;
    for (int i = to; i <= newline; i++) {
      room[at++] = bytes[i];
    }
    out.wrote(at - out.at());
    target.tally().commit();
    target.addRow();
    target.addLines(1);
    copiedTo(newline + 1);
    return newline + 1;
  }

  @Override
  int row(byte[] bytes, int from, int end, boolean isLast, RowTarget target) throws IOException {
    int newline = ByteSearch.find(bytes, from, end, (byte) '\n');
    if (newline == ByteSearch.NONE && !isLast) {
      return NONE;
    }
    int to = newline == ByteSearch.NONE ? end : ByteSearch.textEnd(bytes, from, newline);
    int next = newline == ByteSearch.NONE ? end : newline + 1;
    if (to - from > Conversion.LINE_LENGTH_MAX) {
      throw LineFormat.tooLongAt(target.line());
    }
    ByteSink out = target.out();
    byte[] room = out.room(lengthMax);
    int written = IdBytes.transcode(transcoder, bytes, from, to, room, out.at(), target.tally());
    target.tally().commit();
    target.addRow();
    if (written == Transcoder.MALFORMED) {
      List<String> reasons = List.of(IdBytes.reason(transcoder, bytes, from, to));
      if (!target.reject(reasons, bytes, from, next)) {
        return NONE;
      }
    } else {
      out.wrote(written);
    }
    boolean isKept = written == Transcoder.MALFORMED && target.isAside();
    copiedTo(isKept ? next : to);
    pass(bytes, next, out);
    target.addLines(1);
    return next;
  }
}
