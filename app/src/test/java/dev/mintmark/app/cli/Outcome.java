package dev.mintmark.app.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/** What a command that was run in this process has printed, and its exit status. */
final class Outcome {
  final int status;
  final String out;
  final String err;

  private Outcome(int status, String out, String err) {
    this.status = status;
    this.out = out;
    this.err = err;
  }

  static Outcome of(String... command) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commandLine = MintmarkCommand.commandLine(new ByteArrayOutputStream(), command);
    commandLine.setOut(new PrintWriter(out));
    commandLine.setErr(new PrintWriter(err));
    return new Outcome(commandLine.execute(command), out.toString(), err.toString());
  }

  List<String> lines() {
    return out.lines().toList();
  }
}
