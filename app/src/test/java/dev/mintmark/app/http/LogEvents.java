package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.mintmark.fixtures.Patience;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What a logger logs, until this is closed. */
final class LogEvents implements AutoCloseable {
  private final Logger logger;
  private final @Nullable Level levelBefore;
  private final BlockingQueue<ILoggingEvent> events = new LinkedBlockingQueue<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          events.add(event);
        }
      };

  private LogEvents(String name) {
    this.logger = (Logger) LoggerFactory.getLogger(name);
    this.levelBefore = logger.getLevel();
    appender.setContext(logger.getLoggerContext());
    appender.start();
    logger.addAppender(appender);
    logger.setLevel(Level.INFO);
  }

  static LogEvents of(String logger) {
    return new LogEvents(logger);
  }

  void setLevel(Level level) {
    logger.setLevel(level);
  }

  /** Waits for the next event: the answer to a request can arrive before it is logged. */
  ILoggingEvent next() {
    try {
      ILoggingEvent event = events.poll(Patience.MAX.toSeconds(), TimeUnit.SECONDS);
      assertThat(event).as("nothing is logged").isNotNull();
      return event;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Events that {@link #next} has not returned. */
  BlockingQueue<ILoggingEvent> rest() {
    return events;
  }

  @Override
  public void close() {
    logger.setLevel(levelBefore);
    logger.detachAppender(appender);
  }
}
