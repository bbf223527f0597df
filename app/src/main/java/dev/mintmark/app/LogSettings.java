package dev.mintmark.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.mintmark.app.log.LogKeys;
import dev.mintmark.app.log.TextLines;
import java.util.List;
import org.slf4j.Logger;

/**
 * What is logged: to stderr, because results go to stdout. Logback finds this as a service. It is
 * code because reading the same settings from XML takes a tenth of a second, which each command
 * with a database would spend. {@link dev.mintmark.app.log.ServerLog} changes it for {@code serve}.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class LogSettings extends ContextAwareBase implements Configurator {
  /** Where Spring Boot logs that an application does not start. */
  private static final List<String> FAILURES_OF_START =
      List.of(
          "SpringApplication",
          "diagnostics",
          "tomcat.servlet.DeferredServletContainerInitializers");

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    TextLines lines = new TextLines();
    lines.setContext(context);
    lines.start();
    ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
    stderr.setContext(context);
    stderr.setName("stderr");
    stderr.setTarget("System.err");
    stderr.setEncoder(lines);
    stderr.start();

    context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(stderr);
    context.getLogger("dev.mintmark").setLevel(Level.INFO);
    context.getLogger(LogKeys.ACCESS_LOGGER).setLevel(Level.OFF);
    // That the database is away is said once, by us; not with a stack trace for each connection.
    context.getLogger("com.zaxxer.hikari").setLevel(Level.OFF);
    // A client's mistake is answered with a problem. Clients must not be able to fill the log.
    context.getLogger("org.springframework.web").setLevel(Level.ERROR);
    // Why a server does not start is reported once, by us.
    for (String name : FAILURES_OF_START) {
      context.getLogger("org.springframework.boot." + name).setLevel(Level.OFF);
    }
    context.getLogger("org.springframework.boot.web.server.servlet.context").setLevel(Level.ERROR);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
