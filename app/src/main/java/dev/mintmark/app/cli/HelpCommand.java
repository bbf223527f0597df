package dev.mintmark.app.cli;

import dev.mintmark.Spelling;
import dev.mintmark.app.cli.common.ExitStatus;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mintmark help}: the same as {@code --help} of the command that it names. */
@Command(
    name = HelpCommand.NAME,
    description = "Show the help of a command: mintmark help pool claim.",
    mixinStandardHelpOptions = true)
final class HelpCommand implements Callable<Integer> {
  static final String NAME = "help";

  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "The command, with those below it. Default: the program itself")
  List<String> path = List.of();

  @Override
  public Integer call() {
    find(path, spec.parent().commandLine(), spec.commandLine()).usage(spec.commandLine().getOut());
    return ExitStatus.DONE;
  }

  /**
   * Returns the command with these names below {@code root}.
   *
   * @throws ParameterException of {@code asking} if there is none
   */
  static CommandLine find(List<String> path, CommandLine root, CommandLine asking) {
    CommandLine command = root;
    for (String name : path) {
      CommandLine next = command.getSubcommands().get(name);
      if (next == null) {
        throw new ParameterException(asking, unknown(name, command));
      }
      command = next;
    }
    return command;
  }

  private static String unknown(String name, CommandLine above) {
    return above.getSubcommands().isEmpty()
        ? above.getCommandSpec().qualifiedName() + " has no commands below it: '" + name + "'"
        : Spelling.unknown("command", name, List.copyOf(above.getSubcommands().keySet()));
  }
}
