package dev.mintmark.app.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;

/** A form of log lines, in UTF-8, with nothing before the first and after the last. */
abstract class LogLines extends EncoderBase<ILoggingEvent> {
  private static final byte[] NOTHING = {};

  /** Returns the line of an event, with its end. */
  abstract String line(ILoggingEvent event);

  @Override
  public final byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public final byte[] encode(ILoggingEvent event) {
    return line(event).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public final byte[] footerBytes() {
    return NOTHING;
  }
}
