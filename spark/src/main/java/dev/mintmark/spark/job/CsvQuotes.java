package dev.mintmark.spark.job;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.CodecStreams;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Finds quotes of CSV that are not closed. Spark reads the rows after such a quote as text of its
 * field, up to another quote or the end of the file, and reports no error.
 *
 * <p>An object reads one file.
 */
final class CsvQuotes {
  private static final int BUFFER = 1 << 16;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  /** What was read last. */
  private enum Place {
    DELIMITER,
    TEXT,
    QUOTED_TEXT,
    /** A quote in quoted text: it ends the text, unless another one follows. */
    QUOTE,
    BLANK_AFTER_QUOTE
  }

  private final char delimiter;
  private Place place = Place.DELIMITER;
  private long line = 1;

  /** The line of the last quote that began a field. */
  private long quoteLine;

  /** Whether a line break follows that quote in its field. */
  private boolean isBroken;

  private CsvQuotes(char delimiter) {
    this.delimiter = delimiter;
  }

  /**
   * Checks files, each in a task of its own.
   *
   * @throws JobException if there is a field as {@link #malformed} finds it
   */
  static void check(SparkSession spark, List<InputFile> files, char delimiter) {
    SerializableConfiguration hadoop =
        new SerializableConfiguration(spark.sparkContext().hadoopConfiguration());
    List<String> paths = files.stream().map(InputFile::path).toList();
    List<String> malformed =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(paths, paths.size())
            .flatMap(path -> malformed(hadoop, path, delimiter).stream().iterator())
            .collect();
    if (!malformed.isEmpty()) {
      throw new JobException(malformed.get(0));
    }
  }

  private static Optional<String> malformed(
      SerializableConfiguration hadoop, String path, char delimiter) throws IOException {
    try (Reader text =
        new InputStreamReader(
            CodecStreams.createInputStream(hadoop.value(), new Path(path)),
            StandardCharsets.UTF_8)) {
      OptionalLong found = malformed(text, delimiter);
      return found.isEmpty()
          ? Optional.empty()
          : Optional.of(
              ("%s: line %,d: a quote is not closed, or text follows the quote that closes it;"
                      + " correct the file, and use --restart to start over")
                  .formatted(path, found.getAsLong()));
    }
  }

  /**
   * Returns the line of the first field that begins with a quote, contains a line break, and does
   * not end with a quote, before blanks at most.
   */
  static OptionalLong malformed(Reader text, char delimiter) throws IOException {
    CsvQuotes quotes = new CsvQuotes(delimiter);
    char[] buffer = new char[BUFFER];
    for (int length = text.read(buffer); length >= 0; length = text.read(buffer)) {
      for (int i = 0; i < length; i++) {
        if (!quotes.accepts(buffer[i])) {
          return OptionalLong.of(quotes.quoteLine);
        }
      }
    }
    return quotes.place == Place.QUOTED_TEXT && quotes.isBroken
        ? OptionalLong.of(quotes.quoteLine)
        : OptionalLong.empty();
  }

  private boolean accepts(char c) {
    boolean isLineBreak = c == '\n' || c == '\r';
    if (c == '\n') {
      line++;
    }
    switch (place) {
      case DELIMITER, TEXT -> {
        if (c == '"' && place == Place.DELIMITER) {
          place = Place.QUOTED_TEXT;
          quoteLine = line;
          isBroken = false;
        } else if (c != BYTE_ORDER_MARK) {
          place = isLineBreak || c == delimiter ? Place.DELIMITER : Place.TEXT;
        }
      }
      case QUOTED_TEXT -> {
        isBroken |= isLineBreak;
        place = c == '"' ? Place.QUOTE : Place.QUOTED_TEXT;
      }
      case QUOTE, BLANK_AFTER_QUOTE -> {
        if (c == '"' && place == Place.QUOTE) {
          place = Place.QUOTED_TEXT;
        } else if (isLineBreak || c == delimiter) {
          place = Place.DELIMITER;
        } else if (c <= ' ') {
          place = Place.BLANK_AFTER_QUOTE;
        } else {
          place = Place.TEXT;
          return !isBroken;
        }
      }
    }
    return true;
  }
}
