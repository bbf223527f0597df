package dev.mintmark.app.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Map;

/**
 * Log lines for people. Values follow the message as {@code key=value}; a stack trace follows the
 * line.
 *
 * <pre>
 * 12:00:00 WARN  Server - sweep failed (failures=1, for=0s): ...
 * 12:00:01 ERROR Problems - a request failed code=internal-error request_id=01M7Z4F... caller=127.0.0.1
 * </pre>
 */
public final class TextLines extends LogLines {
  /** As long as the longest name of a level that is logged. */
  private static final int LEVEL_WIDTH = 5;

  @Override
  String line(ILoggingEvent event) {
    StringBuilder line = new StringBuilder(160);
    LocalTime time = LocalTime.ofInstant(event.getInstant(), ZoneId.systemDefault());
    appendTwo(line, time.getHour()).append(':');
    appendTwo(line, time.getMinute()).append(':');
    appendTwo(line, time.getSecond()).append(' ');
    String level = event.getLevel().toString();
    line.append(level).append(" ".repeat(Math.max(0, LEVEL_WIDTH - level.length()))).append(' ');
    String logger = event.getLoggerName();
    EscapedText.append(line, logger.substring(logger.lastIndexOf('.') + 1));
    EscapedText.append(line.append(" - "), String.valueOf(event.getFormattedMessage()));
    for (Map.Entry<String, Object> value : LogValues.of(event).entrySet()) {
      EscapedText.append(line.append(' '), value.getKey());
      EscapedText.appendWord(line.append('='), value.getValue().toString());
    }
    line.append('\n');
    if (event.getThrowableProxy() != null) {
      line.append(StackText.of(event.getThrowableProxy()));
    }
    return line.toString();
  }

  private static StringBuilder appendTwo(StringBuilder line, int number) {
    return line.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
  }
}
