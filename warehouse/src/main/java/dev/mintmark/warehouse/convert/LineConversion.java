package dev.mintmark.warehouse.convert;

import dev.mintmark.Transcoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
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
  private static final int SINK_SIZE = 1 << 17;
  private static final byte[] REJECTS_HEADER = "text\n".getBytes(StandardCharsets.US_ASCII);

  private final Transcoder transcoder;
  private final Buffers buffers;

  private LineConversion(Transcoder transcoder, Buffers buffers) {
    this.transcoder = transcoder;
    this.buffers = buffers;
  }

  /** Returns a conversion of each line by {@code transcoder}. */
  public static LineConversion of(Transcoder transcoder) {
    return new LineConversion(transcoder, Buffers.ofProcessors());
  }

  /** Returns the same conversion with other buffers. */
  LineConversion with(Buffers others) {
    return new LineConversion(transcoder, others);
  }

  @Override
  public Outcome convert(InputStream in, OutputStream out, Rejects rejects, Progress progress)
      throws IOException {
    return new Run(in, out, rejects, progress).toEnd();
  }

  /** One run of the conversion, with its position. */
  private final class Run {
    private final ByteSource source;
    private final ByteSink sink;
    private final Slices plain;
    private final RejectSink rejects;
    private final Progress progress;
    private long lines;

    Run(InputStream in, OutputStream out, Rejects rejects, Progress progress) {
      this.source = new ByteSource(in, buffers.size(), LINE_LENGTH_MAX + 1);
      this.sink = new ByteSink(out, Math.max(SINK_SIZE, transcoder.lengthMax() + 2));
      this.plain = new Slices(buffers, () -> new PlainLines(transcoder));
      this.rejects = new RejectSink(rejects, (byte) ',');
      this.rejects.header(REJECTS_HEADER);
      this.progress = progress;
    }

    Outcome toEnd() throws IOException {
      int text = source.startOfText();
      sink.put(source.bytes(), source.start(), text);
      source.moveTo(text);
      boolean continues = wholeLines();
      while (continues && !source.isEnded()) {
        if (source.mayBlock()) {
          sink.flush();
        }
        plain.end();
        source.read();
        plain.begin(source.bytes(), source.start(), source.end());
        progress.moveTo(source.count(), lines);
        continues = wholeLines();
      }
      if (continues && source.length() > 0) {
        line(source.start(), source.end(), source.end());
      }
      sink.flush();
      rejects.flush();
      return new Outcome(lines, rejects.count(), rejects.isStopped(), plain.tally().counts());
    }

    /** Converts the lines whose end was read. Returns {@code false} to stop. */
    private boolean wholeLines() throws IOException {
      byte[] bytes = source.bytes();
      int end = source.end();
      int newline = nextThatIsNotPlain(bytes, end);
      while (newline != ByteSearch.NONE) {
        int start = source.start();
        int to = ByteSearch.textEnd(bytes, start, newline);
        if (!line(start, to, newline + 1)) {
          return false;
        }
        source.moveTo(newline + 1);
        newline = nextThatIsNotPlain(bytes, end);
      }
      // One byte more may be the carriage return of the line end.
      checkLength(source.length() - 1);
      return true;
    }

    /** Converts lines up to one that is not plain, and returns its end. */
    private int nextThatIsNotPlain(byte[] bytes, int end) throws IOException {
      lines += plain.convert(bytes, source.start(), end, source.start(), sink);
      source.moveTo(plain.start());
      return ByteSearch.find(bytes, source.start(), end, (byte) '\n');
    }

    /** Converts the line up to {@code to}; its line end is before {@code next}. */
    private boolean line(int from, int to, int next) throws IOException {
      byte[] bytes = source.bytes();
      checkLength(to - from);
      lines++;
      byte[] target = sink.room(transcoder.lengthMax() + 2);
      int written =
          IdBytes.transcode(transcoder, bytes, from, to, target, sink.at(), plain.tally());
      plain.tally().commit();
      if (written == Transcoder.MALFORMED) {
        return reject(from, to, next);
      }
      sink.wrote(written);
      putEnd(bytes, to, next);
      return true;
    }

    private boolean reject(int from, int to, int next) throws IOException {
      byte[] bytes = source.bytes();
      Reject reject = new Reject(lines, IdBytes.reason(transcoder, bytes, from, to));
      rejects.add();
      if (rejects.isAside()) {
        ByteSink kept = rejects.keep(reject);
        kept.putField(bytes, from, to, (byte) ',');
        kept.put((byte) '\n');
        return true;
      }
      rejects.report(reject);
      if (rejects.isStopped()) {
        return false;
      }
      putEnd(bytes, to, next);
      return true;
    }

    /** Writes a line end: at most two bytes. */
    private void putEnd(byte[] bytes, int from, int to) throws IOException {
      for (int at = from; at < to; at++) {
        sink.put(bytes[at]);
      }
    }

    private void checkLength(int length) {
      if (length > LINE_LENGTH_MAX) {
        throw new ConversionException(
            lines + 1,
            "it is longer than %,d bytes: expected an identifier".formatted(LINE_LENGTH_MAX));
      }
    }
  }
}
