package dev.mintmark.app.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;

/**
 * Log lines for programs: an object of JSON on each line, the stack trace included. Logback's own
 * encoder has neither times that people can read nor values of ours at the top.
 *
 * <pre>
 * {"timestamp":"2026-11-22T12:00:00.123456Z","level":"ERROR","logger":"dev.mintmark.app.http.Problems",
 *  "thread":"http-nio-1","message":"a request failed","code":"internal-error","request_id":"01M7Z4F...",
 *  "exception":{"type":"java.lang.IllegalStateException","message":"...","stack_trace":"..."}}
 * </pre>
 */
final class JsonLines extends LogLines {
  /** RFC 3339, always with microseconds, so that lines sort as text. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  @Override
  String line(ILoggingEvent event) {
    StringBuilder line = new StringBuilder(256);
    line.append("{\"timestamp\":\"").append(TIME.format(event.getInstant())).append('"');
    append(line, "level", event.getLevel().toString());
    append(line, "logger", event.getLoggerName());
    append(line, "thread", String.valueOf(event.getThreadName()));
    append(line, "message", String.valueOf(event.getFormattedMessage()));
    for (Map.Entry<String, Object> value : LogValues.of(event).entrySet()) {
      append(line, value.getKey(), value.getValue());
    }
    IThrowableProxy thrown = event.getThrowableProxy();
    if (thrown != null) {
      line.append(",\"exception\":{\"type\":");
      EscapedText.appendJson(line, thrown.getClassName());
      append(line, "message", String.valueOf(thrown.getMessage()));
      line.append(",\"stack_trace\":");
      EscapedText.appendWholeJson(line, StackText.of(thrown));
      line.append('}');
    }
    return line.append("}\n").toString();
  }

  private static void append(StringBuilder line, String key, Object value) {
    EscapedText.appendJson(line.append(','), key);
    line.append(':');
    if (value instanceof Integer || value instanceof Long || value instanceof Boolean) {
      line.append(value);
    } else {
      EscapedText.appendJson(line, value.toString());
    }
  }
}
