package dev.mintmark.app.cli;

import dev.mintmark.app.cli.common.ExitStatus;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mintmark man}: prints the manual page of a command. */
@Command(
    name = ManCommand.NAME,
    description = {
      "Print the manual page of a command.",
      "To read it: mintmark man pool claim | man -l -"
    },
    footer = {
      "",
      "An unpacked archive has the pages in share/man, where man finds them if bin is on the PATH.",
    },
    mixinStandardHelpOptions = true)
final class ManCommand implements Callable<Integer> {
  static final String NAME = "man";

  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "The command, with those below it. Default: the program itself")
  List<String> path = List.of();

  @Override
  public Integer call() {
    CommandSpec command =
        HelpCommand.find(path, spec.parent().commandLine(), spec.commandLine()).getCommandSpec();
    // A page has the name of the program, not the path by which it was called.
    spec.parent().commandLine().setCommandName(MintmarkCommand.NAME);
    spec.commandLine().getOut().print(ManPage.of(command));
    spec.commandLine().getOut().flush();
    return ExitStatus.DONE;
  }
}
