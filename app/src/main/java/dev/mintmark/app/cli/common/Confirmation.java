package dev.mintmark.app.cli.common;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The option {@code --yes} of a command that destroys something, and the question that the command
 * asks without it. A question is asked only if stdin and stderr are terminals, so a script runs as
 * it does with {@code --yes}.
 */
public final class Confirmation {
  /** The launcher sets these properties: Java cannot test a single stream. */
  private static final String STDIN_IS_TERMINAL = "mintmark.stdin-is-terminal";

  private static final String STDERR_IS_TERMINAL = "mintmark.stderr-is-terminal";

  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  @Option(names = "--yes", description = "Do not ask for confirmation on a terminal.")
  boolean yes;

  /** Whether the user gave {@code --yes}. */
  public boolean isGiven() {
    return yes;
  }

  /** Whether a person can answer a question: stdin and stderr are terminals. */
  public boolean canAsk() {
    return personCanAnswer();
  }

  /** The same, for a command without {@code --yes}. */
  public static boolean personCanAnswer() {
    return stdinIsTerminal() && Boolean.getBoolean(STDERR_IS_TERMINAL);
  }

  /** Whether a person types what is read from stdin. */
  public static boolean stdinIsTerminal() {
    return Boolean.getBoolean(STDIN_IS_TERMINAL);
  }

  /**
   * Returns whether the command may continue: {@code --yes} is given, no person can be asked, or
   * the person types one of the names.
   *
   * @param consequence what the command destroys: {@code this drops the old columns}
   * @param what the kind of name: {@code the name of the pool}
   * @param names the accepted answers; the first one is shown
   */
  public boolean allows(String consequence, String what, Collection<String> names) {
    return yes || !canAsk() || ask(consequence, what, names);
  }

  private boolean ask(String consequence, String what, Collection<String> names) {
    PrintWriter err = command.commandLine().getErr();
    err.println("mintmark: " + consequence);
    err.print("Type %s (%s) to continue: ".formatted(what, names.iterator().next()));
    err.flush();
    boolean confirmed = names.contains(line().strip());
    if (!confirmed) {
      err.println("mintmark: not confirmed: nothing was changed");
      err.flush();
    }
    return confirmed;
  }

  /** Returns the next line of stdin; empty at its end. */
  private static String line() {
    try {
      String line =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
      return line == null ? "" : line;
    } catch (IOException e) {
      throw new FileException("stdin", e);
    }
  }
}
