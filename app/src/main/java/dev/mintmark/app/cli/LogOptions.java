package dev.mintmark.app.cli;

import dev.mintmark.app.log.LogWriter;
import dev.mintmark.app.log.ServerLog;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** What {@code serve} logs, and in which form. */
final class LogOptions {
  @Option(
      names = "--log-format",
      paramLabel = "FORM",
      defaultValue = "text",
      description =
          "The form of log lines: text, or json with an object on each line. Default:"
              + " ${DEFAULT-VALUE}")
  ServerLog.Format format;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      defaultValue = "info",
      description = "The least severe lines: error, warn, info or debug. Default: ${DEFAULT-VALUE}")
  ServerLog.Severity level;

  @Option(
      names = "--access-log",
      description =
          "Log each request when it has ended: its id, method, path without its values, status,"
              + " duration, key and address.")
  boolean access;

  /** Starts the log. With JSON, what the command prints to stderr is a line of the log too. */
  ServerLog start(CommandLine command) {
    ServerLog log = ServerLog.start(format, level, access);
    if (format == ServerLog.Format.JSON) {
      command.setErr(new PrintWriter(new LogWriter(), true));
    }
    return log;
  }
}
