package dev.mintmark.app.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/** The values beside the message of a line: those of the line itself, then those of its request. */
final class LogValues {
  /** What the request that is being handled contributes, in this order. */
  private static final List<String> OF_REQUEST =
      List.of(LogKeys.REQUEST_ID, LogKeys.TRACE_ID, LogKeys.CALLER);

  private LogValues() {}

  static Map<String, Object> of(ILoggingEvent event) {
    Map<String, Object> values = new LinkedHashMap<>();
    List<KeyValuePair> own = event.getKeyValuePairs();
    if (own != null) {
      for (KeyValuePair pair : own) {
        if (pair.value != null) {
          values.put(pair.key, pair.value);
        }
      }
    }
    Map<String, String> request = event.getMDCPropertyMap();
    for (String key : OF_REQUEST) {
      String value = request.get(key);
      if (value != null) {
        values.putIfAbsent(key, value);
      }
    }
    return values;
  }

  /** Returns a value of the line itself. */
  static @Nullable String own(ILoggingEvent event, String key) {
    List<KeyValuePair> own = event.getKeyValuePairs();
    if (own != null) {
      for (KeyValuePair pair : own) {
        if (pair.key.equals(key)) {
          return String.valueOf(pair.value);
        }
      }
    }
    return null;
  }
}
