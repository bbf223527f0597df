package dev.mintmark.app.log;

import java.io.Writer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what a command prints for people, line by line, so that all of stderr has one form. */
public final class LogWriter extends Writer {
  private static final Logger LOG = LoggerFactory.getLogger("dev.mintmark.serve");

  private static final String WARNING = "warning: ";
  private static final String FAILURE = "mintmark: ";

  private final StringBuilder line = new StringBuilder();

  @Override
  public void write(char[] text, int offset, int length) {
    synchronized (lock) {
      for (int i = offset; i < offset + length; i++) {
        if (text[i] == '\n') {
          log();
        } else if (text[i] != '\r') {
          line.append(text[i]);
        }
      }
    }
  }

  private void log() {
    String text = line.toString();
    line.setLength(0);
    // Without arguments, so that the text is not a format, and each one is a kind of its own.
    if (text.startsWith(WARNING)) {
      LOG.warn(text.substring(WARNING.length()));
    } else if (text.startsWith(FAILURE)) {
      LOG.error(text.substring(FAILURE.length()));
    } else if (!text.isBlank()) {
      LOG.info(text);
    }
  }

  @Override
  public void flush() {}

  /** Logs a line that has no end. */
  @Override
  public void close() {
    synchronized (lock) {
      if (!line.isEmpty()) {
        log();
      }
    }
  }
}
