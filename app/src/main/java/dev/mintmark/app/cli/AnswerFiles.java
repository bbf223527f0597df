package dev.mintmark.app.cli;

import dev.mintmark.app.cli.completion.CompletionCommand;
import dev.mintmark.app.cli.completion.Shell;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The files from which the launcher answers {@code --help} of every command and {@code completion},
 * without starting Java. The build writes them:
 *
 * <pre>
 * in-directory/plain/mintmark.pool.claim    called as ./mintmark, stdout is not a terminal
 * on-path/colored/mintmark.pool.claim       called as mintmark, on a terminal
 * completion.bash
 * share/man/man1/mintmark-pool-claim.1     the manual, for the archive of the program
 * </pre>
 */
final class AnswerFiles {
  /** The names by which the program is usually called, and the directories of their files. */
  private static final Map<String, String> CALLED_AS =
      Map.of("./" + MintmarkCommand.NAME, "in-directory", MintmarkCommand.NAME, "on-path");

  private static final Map<String, Ansi> STYLES = Map.of("plain", Ansi.OFF, "colored", Ansi.ON);

  private final Path directory;

  private AnswerFiles(Path directory) {
    this.directory = directory;
  }

  /** Writes all files to the directory that is the only argument. */
  public static void main(String[] args) throws IOException {
    Locale.setDefault(Locale.ROOT);
    new AnswerFiles(Path.of(args[0])).write();
  }

  private void write() throws IOException {
    for (Map.Entry<String, String> name : CALLED_AS.entrySet()) {
      CommandLine commandLine = MintmarkCommand.commandLine();
      commandLine.setCommandName(name.getKey());
      for (Map.Entry<String, Ansi> style : STYLES.entrySet()) {
        Path help =
            Files.createDirectories(directory.resolve(name.getValue()).resolve(style.getKey()));
        writeHelp(commandLine, help.resolve(MintmarkCommand.NAME), style.getValue());
      }
    }
    Path manual = Files.createDirectories(directory.resolve("share/man/man" + ManPage.SECTION));
    CommandLine commandLine = MintmarkCommand.commandLine().setCommandName(MintmarkCommand.NAME);
    writePages(commandLine, manual);
    for (Shell shell : Shell.values()) {
      write(
          directory.resolve(CompletionCommand.NAME + "." + shell.name().toLowerCase(Locale.ROOT)),
          shell.script(MintmarkCommand.NAME, MintmarkCommand.commandLine()));
    }
  }

  private static void writeHelp(CommandLine command, Path file, Ansi ansi) {
    write(file, command.getUsageMessage(ansi));
    command
        .getSubcommands()
        .forEach((name, below) -> writeHelp(below, Path.of(file + "." + name), ansi));
  }

  private static void writePages(CommandLine command, Path manual) {
    CommandSpec spec = command.getCommandSpec();
    write(manual.resolve(ManPage.name(spec) + "." + ManPage.SECTION), ManPage.of(spec));
    command.getSubcommands().values().forEach(below -> writePages(below, manual));
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
