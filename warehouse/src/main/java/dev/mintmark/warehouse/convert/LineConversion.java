package dev.mintmark.warehouse.convert;

import dev.mintmark.Transcoder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Converts identifiers, one per line, in order. Line ends are unchanged: a line feed, or a carriage
 * return and a line feed; the last line may have none. A byte order mark at the start is copied.
 *
 * <p>Before a read blocks, everything that was read is in the output. So another program can write
 * a line and read its result.
 *
 * <p>An empty line is not an identifier and is rejected. Rejects that are written {@linkplain
 * Rejects.Aside aside} are CSV with the columns {@code line}, {@code reason} and {@code text}.
 */
public final class LineConversion implements Conversion {
  private static final byte[] REJECTS_HEADER = "text\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte REJECTS_DELIMITER = ',';

  private final Transcoder transcoder;
  private final Slicing slicing;

  private LineConversion(Transcoder transcoder, Slicing slicing) {
    this.transcoder = transcoder;
    this.slicing = slicing;
  }

  /** Returns a conversion of each line by {@code transcoder}. */
  public static LineConversion of(Transcoder transcoder) {
    return new LineConversion(transcoder, Slicing.ofProcessors());
  }

  /** Returns the same conversion in other slices. */
  LineConversion with(Slicing other) {
    return new LineConversion(transcoder, other);
  }

  @Override
  public Outcome convert(InputStream in, Output out, Rejects rejects, Progress progress)
      throws IOException {
    RejectSink sink = new RejectSink(rejects, REJECTS_DELIMITER, LineConversion::writeReject);
    sink.header(REJECTS_HEADER);
    int lengthMax = LineRows.lengthMax(transcoder);
    return new Pipeline(in, out, new LineFormat(transcoder), sink, progress, slicing, lengthMax)
        .run();
  }

  /** Writes a rejected line as a CSV field, with a line end. */
  private static void writeReject(byte[] bytes, int from, int next, ByteSink kept)
      throws IOException {
    boolean isEnded = next > from && bytes[next - 1] == '\n';
    int to = isEnded ? ByteSearch.textEnd(bytes, from, next - 1) : next;
    kept.putField(bytes, from, to, REJECTS_DELIMITER);
    kept.put((byte) '\n');
  }
}
