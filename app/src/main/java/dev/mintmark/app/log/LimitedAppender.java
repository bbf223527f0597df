package dev.mintmark.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.event.KeyValuePair;

/**
 * Passes log lines on, except warnings, errors and problems that one caller causes again and again:
 * {@link RepeatLimit} says how many, and a line says how many were left out. The access log is
 * passed on whole.
 */
final class LimitedAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
  private final Appender<ILoggingEvent> target;
  private final RepeatLimit limit;

  LimitedAppender(Appender<ILoggingEvent> target, RepeatLimit limit) {
    this.target = target;
    this.limit = limit;
  }

  @Override
  protected void append(ILoggingEvent event) {
    reportEnded();
    if (!isLimited(event) || limit.admits(kind(event))) {
      target.doAppend(event);
    }
  }

  private static boolean isLimited(ILoggingEvent event) {
    return !event.getLoggerName().equals(LogKeys.ACCESS_LOGGER)
        && (event.getLevel().isGreaterOrEqual(Level.WARN)
            || LogValues.own(event, LogKeys.CODE) != null);
  }

  private static RepeatLimit.Kind kind(ILoggingEvent event) {
    return new RepeatLimit.Kind(
        event.getLoggerName(),
        Objects.requireNonNullElseGet(
            LogValues.own(event, LogKeys.CODE), () -> String.valueOf(event.getMessage())),
        event.getMDCPropertyMap().getOrDefault(LogKeys.CALLER, ""));
  }

  /** Says what was left out in the minutes that are over. */
  void reportEnded() {
    report(limit.ended());
  }

  @Override
  public void stop() {
    report(limit.close());
    super.stop();
  }

  private void report(List<RepeatLimit.LeftOut> all) {
    for (RepeatLimit.LeftOut leftOut : all) {
      LoggingEvent event = new LoggingEvent();
      event.setLoggerName(leftOut.kind().logger());
      event.setLevel(Level.WARN);
      event.setThreadName(Thread.currentThread().getName());
      event.setInstant(Instant.now());
      event.setMessage(
          "left out "
              + leftOut.lines()
              + " more like this within a minute: "
              + leftOut.kind().code());
      event.setMDCPropertyMap(
          leftOut.kind().caller().isEmpty()
              ? Map.of()
              : Map.of(LogKeys.CALLER, leftOut.kind().caller()));
      event.addKeyValuePair(new KeyValuePair("left_out", leftOut.lines()));
      target.doAppend(event);
    }
  }
}
