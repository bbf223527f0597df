package dev.mintmark.warehouse.convert;

import dev.mintmark.Transcoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Converts identifiers that stand one a line, in order. Lines end as they came: with a line feed,
 * behind a carriage return or not, the last also with nothing. A byte order mark at the start
 * stays.
 *
 * <p>Before it waits for more, what was read is in the output: so another program may write a line
 * and read its answer.
 *
 * <p>An empty line is no identifier, and so rejected. What is kept {@linkplain Rejects.Aside aside}
 * is CSV with the columns {@code line}, {@code reason} and {@code text}.
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

  /** One that converts each line as {@code transcoder} does. */
  public static LineConversion of(Transcoder transcoder) {
    return new LineConversion(transcoder, Buffers.ofProcessors());
  }

  /** The same with others. */
  LineConversion with(Buffers others) {
    return new LineConversion(transcoder, others);
  }

  @Override
  public Outcome convert(InputStream in, OutputStream out, Rejects rejects, Progress progress)
      throws IOException {
    return new Run(in, out, rejects, progress).toEnd();
  }

  /** One run, with where it is. */
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
      boolean goesOn = whole();
      while (goesOn && !source.isEnded()) {
        if (source.isDry()) {
          sink.flush();
        }
        plain.end();
        source.read();
        plain.begin(source.bytes(), source.start(), source.end());
        progress.moveTo(source.count(), lines);
        goesOn = whole();
      }
      if (goesOn && source.length() > 0) {
        line(source.start(), source.end(), source.end());
      }
      sink.flush();
      rejects.flush();
      return new Outcome(lines, rejects.count(), rejects.isStopped());
    }

    /** Converts the lines whose end is there; {@code false} to stop. */
    private boolean whole() throws IOException {
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
      // One more may be the carriage return of its end.
      checkLength(source.length() - 1);
      return true;
    }

    /** Converts lines up to one that is not plain, and finds its end. */
    private int nextThatIsNotPlain(byte[] bytes, int end) throws IOException {
      lines += plain.convert(bytes, source.start(), end, source.start(), sink);
      source.moveTo(plain.start());
      return ByteSearch.find(bytes, source.start(), end, (byte) '\n');
    }

    /** Converts the line up to {@code to}, which ends before {@code next}. */
    private boolean line(int from, int to, int next) throws IOException {
      byte[] bytes = source.bytes();
      checkLength(to - from);
      lines++;
      byte[] target = sink.room(transcoder.lengthMax() + 2);
      int written = IdBytes.transcode(transcoder, bytes, from, to, target, sink.at());
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
      rejects.tell(reject);
      if (rejects.isStopped()) {
        return false;
      }
      putEnd(bytes, to, next);
      return true;
    }

    /** At most two bytes, for which there is room or which are put one by one. */
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
