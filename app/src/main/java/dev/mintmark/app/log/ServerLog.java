package dev.mintmark.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * The log of {@code serve}: its form, its level, the access log, and limits on what repeats. Until
 * it is started, and after it is closed, everything is logged as commands do.
 */
public final class ServerLog implements AutoCloseable {
  private static final String STDERR = "stderr";

  /** Seconds between looks for minutes that are over. */
  private static final int REPORT_SECONDS = 5;

  private final Logger root;
  private final OutputStreamAppender<ILoggingEvent> stderr;
  private final LimitedAppender limited;
  private final ScheduledExecutorService reporting;

  private ServerLog(
      Logger root, OutputStreamAppender<ILoggingEvent> stderr, LimitedAppender limited) {
    this.root = root;
    this.stderr = stderr;
    this.limited = limited;
    this.reporting =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "mintmark-log");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** The form of log lines. */
  public enum Format {
    /** A line for people: {@link TextLines}. */
    TEXT,
    /** An object of JSON: {@link JsonLines}. */
    JSON
  }

  /** The least severe lines that the program itself logs. */
  public enum Severity {
    ERROR,
    WARN,
    INFO,
    DEBUG;

    private Level level() {
      return Level.toLevel(name());
    }
  }

  /**
   * Starts the log of a server.
   *
   * @param severity for the lines of the program. Those of its libraries are logged from WARN on at
   *     most: below that they contain what clients send.
   * @param access whether each request is logged
   */
  public static ServerLog start(Format format, Severity severity, boolean access) {
    return start(format, severity, access, System::nanoTime);
  }

  static ServerLog start(Format format, Severity severity, boolean access, LongSupplier nanoTime) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    if (!(root.getAppender(STDERR) instanceof OutputStreamAppender<ILoggingEvent> stderr)) {
      throw new IllegalStateException("nothing is logged to stderr");
    }
    stderr.setEncoder(encoder(format, context));
    root.setLevel(severity == Severity.ERROR ? Level.ERROR : Level.WARN);
    context.getLogger("dev.mintmark").setLevel(severity.level());
    context.getLogger(LogKeys.ACCESS_LOGGER).setLevel(access ? Level.INFO : Level.OFF);

    LimitedAppender limited = new LimitedAppender(stderr, new RepeatLimit(nanoTime));
    limited.setContext(context);
    limited.start();
    root.addAppender(limited);
    root.detachAppender(stderr);
    ServerLog log = new ServerLog(root, stderr, limited);
    var unused =
        log.reporting.scheduleWithFixedDelay(
            limited::reportEnded, REPORT_SECONDS, REPORT_SECONDS, TimeUnit.SECONDS);
    return log;
  }

  private static Encoder<ILoggingEvent> encoder(Format format, LoggerContext context) {
    Encoder<ILoggingEvent> lines =
        switch (format) {
          case TEXT -> new TextLines();
          case JSON -> new JsonLines();
        };
    lines.setContext(context);
    lines.start();
    return lines;
  }

  /** Says what was left out. Later lines are not limited, and keep their form. */
  @Override
  public void close() {
    reporting.shutdownNow();
    root.addAppender(stderr);
    root.detachAppender(limited);
    limited.stop();
  }
}
