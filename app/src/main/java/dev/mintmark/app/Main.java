package dev.mintmark.app;

import dev.mintmark.app.cli.MintmarkCommand;

/** Starts the {@code mintmark} program. */
public final class Main {
  private Main() {}

  /** Runs a command and ends the process with its exit status. */
  public static void main(String[] args) {
    MintmarkCommand.run(args);
  }
}
