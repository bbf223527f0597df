package dev.mintmark.warehouse.convert;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The result of a conversion.
 *
 * @param output the output
 * @param kept the rejects that were written aside; empty if there are none
 * @param reported the rejects that stay in place, as they were reported
 */
record Run(Conversion.Outcome outcome, String output, String kept, List<String> reported) {
  static Run inPlace(Conversion conversion, String input) {
    return of(conversion, new ByteArrayInputStream(input.getBytes(UTF_8)), false);
  }

  static Run aside(Conversion conversion, String input) {
    return of(conversion, new ByteArrayInputStream(input.getBytes(UTF_8)), true);
  }

  static Run of(Conversion conversion, InputStream in, boolean aside) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    List<String> reported = new ArrayList<>();
    Rejects rejects =
        aside
            ? new Rejects.Aside(() -> kept)
            : new Rejects.InPlace(reject -> reported.add(reject.toString()));
    try {
      Conversion.Outcome outcome = conversion.convert(in, out, rejects);
      return new Run(outcome, out.toString(UTF_8), kept.toString(UTF_8), reported);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a stream that returns a few bytes at a time. */
  static InputStream inPieces(String text, Random random) {
    return new ByteArrayInputStream(text.getBytes(UTF_8)) {
      @Override
      public synchronized int read(byte[] bytes, int from, int count) {
        return super.read(bytes, from, Math.min(count, 1 + random.nextInt(50)));
      }
    };
  }
}
