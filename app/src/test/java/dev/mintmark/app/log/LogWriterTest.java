package dev.mintmark.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.PrintWriter;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogWriterTest {
  @Test
  void whatACommandPrintsIsLoggedLineByLine() {
    Logger logger = (Logger) LoggerFactory.getLogger("dev.mintmark.serve");
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    logged.start();
    logger.addAppender(logged);
    try (PrintWriter err = new PrintWriter(new LogWriter(), true)) {
      err.print("drain");
      assertThat(logged.list).isEmpty();
      err.println("ing for {} 15s");
      err.println("warning: no accounts {}");
      err.println();
      err.println("mintmark: port 1 is taken");
      err.print("no end");
    } finally {
      logger.detachAppender(logged);
    }

    assertThat(logged.list)
        .extracting(event -> event.getLevel() + " " + event.getFormattedMessage())
        .containsExactly(
            "INFO draining for {} 15s",
            "WARN no accounts {}",
            "ERROR port 1 is taken",
            "INFO no end");
    assertThat(logged.list)
        .as("kinds of lines")
        .extracting(ILoggingEvent::getMessage)
        .doesNotHaveDuplicates();
  }
}
