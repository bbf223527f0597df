package dev.mintmark.app;

import dev.mintmark.app.cli.MintmarkCommand;

/** Starts the {@code mintmark} program. */
public final class Main {
  /** The exit status of {@code -XX:+ExitOnOutOfMemoryError}. */
  private static final int OUT_OF_MEMORY = 3;

  private Main() {}

  private static void uncaught(Thread thread, Throwable e) {
    if (e instanceof OutOfMemoryError) {
      // Other threads would wait for this one. Exit hooks could run out of memory too.
      System.err.println("mintmark: out of memory: " + e.getMessage());
      Runtime.getRuntime().halt(OUT_OF_MEMORY);
    }
    System.err.print("Exception in thread \"" + thread.getName() + "\" ");
    e.printStackTrace();
  }

  /** Runs a command and ends the process with its exit status. */
  public static void main(String[] args) {
    handleUncaught();
    MintmarkCommand.run(args);
  }

  static void handleUncaught() {
    Thread.setDefaultUncaughtExceptionHandler(Main::uncaught);
  }
}
