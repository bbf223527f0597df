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
  private static final int BUFFER_SIZE = 1 << 17;
  private static final byte[] REJECTS_HEADER = "text\n".getBytes(StandardCharsets.US_ASCII);

  private final Transcoder transcoder;
  private final int bufferSize;

  private LineConversion(Transcoder transcoder, int bufferSize) {
    this.transcoder = transcoder;
    this.bufferSize = bufferSize;
  }

  /** One that converts each line as {@code transcoder} does. */
  public static LineConversion of(Transcoder transcoder) {
    return new LineConversion(transcoder, BUFFER_SIZE);
  }

  /** The same with another size of its buffers at the start. */
  LineConversion withBufferSize(int size) {
    return new LineConversion(transcoder, size);
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
    private final RejectSink rejects;
    private final Progress progress;
    private long lines;

    Run(InputStream in, OutputStream out, Rejects rejects, Progress progress) {
      this.source = new ByteSource(in, bufferSize, LINE_LENGTH_MAX + 1);
      this.sink = new ByteSink(out, Math.max(BUFFER_SIZE, transcoder.lengthMax() + 2));
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
        source.read();
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
      int start = source.start();
      int end = source.end();
      int newline = ByteSearch.find(bytes, start, end, (byte) '\n');
      while (newline != ByteSearch.NONE) {
        int to = newline > start && bytes[newline - 1] == '\r' ? newline - 1 : newline;
        if (!line(start, to, newline + 1)) {
          return false;
        }
        start = newline + 1;
        newline = ByteSearch.find(bytes, start, end, (byte) '\n');
      }
      source.moveTo(start);
      // One more may be the carriage return of its end.
      checkLength(source.length() - 1);
      return true;
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
