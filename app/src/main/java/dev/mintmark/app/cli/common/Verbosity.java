package dev.mintmark.app.cli.common;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/**
 * How much a command says on stderr. {@code -q} and {@code -v} are accepted before and after the
 * name of every command; the last one applies. Results and errors do not depend on it.
 *
 * <pre>
 *   -q   errors and warnings
 *        also progress and notices
 *   -v   also details: the database, the catalog, the causes of a failure
 * </pre>
 */
public final class Verbosity {
  private static final Set<String> OPTIONS = Set.of("-q", "--quiet", "-v", "--verbose");

  private Level level = Level.NORMAL;

  /** Ordered from little to much. */
  private enum Level {
    QUIET,
    NORMAL,
    VERBOSE
  }

  /** The root command, which holds the verbosity of a call. */
  public interface Holder {
    Verbosity verbosity();
  }

  /** Returns the verbosity of the call that a command is part of. */
  public static Verbosity of(CommandSpec command) {
    return Optional.ofNullable(command.root().userObject())
        .filter(Holder.class::isInstance)
        .map(root -> ((Holder) root).verbosity())
        .orElseGet(Verbosity::new);
  }

  /** Whether an argument is one of the options. */
  public static boolean isOption(String argument) {
    return OPTIONS.contains(argument);
  }

  /** Returns the writer for progress and notices: stderr, or one that discards them. */
  public static PrintWriter notices(CommandSpec command) {
    return of(command).writer(command, Level.NORMAL);
  }

  /** Returns the writer for details: stderr with {@code -v}, otherwise one that discards them. */
  public static PrintWriter details(CommandSpec command) {
    return of(command).writer(command, Level.VERBOSE);
  }

  /**
   * Adds the options to a command.
   *
   * @param hidden whether the help of the command omits them
   */
  public void addTo(CommandSpec command, boolean hidden) {
    command.addOption(
        option(Level.QUIET, hidden, "Print errors and warnings alone to stderr.", "-q", "--quiet"));
    command.addOption(
        option(
            Level.VERBOSE,
            hidden,
            "Print more to stderr: the database and the catalog in use, and the causes and SQLSTATE"
                + " of a failure.",
            "-v",
            "--verbose"));
  }

  private OptionSpec option(Level set, boolean hidden, String description, String... names) {
    return OptionSpec.builder(names)
        .type(boolean.class)
        .arity("0")
        .hidden(hidden)
        .description(description)
        .setter(
            new ISetter() {
              /** Picocli resets the option of every command; only a given one changes the level. */
              @Override
              @SuppressWarnings("TypeParameterUnusedInFormals")
              public <T> T set(T value) {
                if (Boolean.TRUE.equals(value)) {
                  level = set;
                }
                return value;
              }
            })
        .build();
  }

  /** Whether progress is shown. */
  public boolean showsProgress() {
    return level.compareTo(Level.NORMAL) >= 0;
  }

  /** Whether details are shown. */
  public boolean isVerbose() {
    return level == Level.VERBOSE;
  }

  private PrintWriter writer(CommandSpec command, Level least) {
    return level.compareTo(least) >= 0
        ? command.commandLine().getErr()
        : new PrintWriter(Writer.nullWriter());
  }
}
