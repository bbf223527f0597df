package dev.mintmark.warehouse.convert;

import dev.mintmark.Transcoder;
import java.io.IOException;

/** Converts plain lines: well-formed identifiers, each followed by a line end. */
final class PlainLines extends PlainRows {
  private final Transcoder transcoder;

  PlainLines(Transcoder transcoder) {
    this.transcoder = transcoder;
  }

  @Override
  int convert(byte[] bytes, int from, int end, ByteSink sink) throws IOException {
    int newline = ByteSearch.find(bytes, from, end, (byte) '\n');
    int needed = transcoder.lengthMax() + 2;
    if (newline == ByteSearch.NONE || needed > sink.size()) {
      return ByteSearch.NONE;
    }
    int to = ByteSearch.textEnd(bytes, from, newline);
    byte[] target = sink.room(needed);
    int at = sink.at();
    int written = IdBytes.transcode(transcoder, bytes, from, to, target, at, tally());
    if (written == Transcoder.MALFORMED) {
      return ByteSearch.NONE;
    }
    at += written;
    for (int i = to; i <= newline; i++) {
      target[at++] = bytes[i];
    }
    sink.wrote(at - sink.at());
    copiedTo(newline + 1);
    return newline + 1;
  }
}
