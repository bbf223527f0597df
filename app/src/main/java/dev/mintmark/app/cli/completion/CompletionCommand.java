package dev.mintmark.app.cli.completion;

import dev.mintmark.Spelling;
import dev.mintmark.app.cli.common.ExitStatus;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code mintmark completion}: prints the script that completes commands and options in a shell.
 */
@Command(
    name = CompletionCommand.NAME,
    description = "Print a script that completes commands, options and their values in a shell.",
    footer = {
      "",
      "To complete in every new shell:",
      "  bash  mintmark completion bash > ~/.local/share/bash-completion/completions/mintmark",
      "  zsh   mintmark completion zsh > ~/.mintmark.zsh; echo '. ~/.mintmark.zsh' >> ~/.zshrc",
      "  fish  mintmark completion fish > ~/.config/fish/completions/mintmark.fish",
    },
    mixinStandardHelpOptions = true)
public final class CompletionCommand implements Callable<Integer> {
  public static final String NAME = "completion";

  /** The name that is completed, also if it is typed with a path before it. */
  private static final String PROGRAM = "mintmark";

  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "SHELL",
      converter = Label.class,
      completionCandidates = Label.class,
      description = "The shell: ${COMPLETION-CANDIDATES}")
  Shell shell;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    // The script stays when the program is called by another path.
    CommandLine program = spec.parent().commandLine().setCommandName(PROGRAM);
    out.print(shell.script(PROGRAM, program));
    out.flush();
    return ExitStatus.DONE;
  }

  /** Reads the name of a shell, and lists all names. */
  static final class Label implements ITypeConverter<Shell>, Iterable<String> {
    @Override
    public Shell convert(String label) {
      return Arrays.stream(Shell.values())
          .filter(shell -> label(shell).equals(label))
          .findFirst()
          .orElseThrow(
              () -> new TypeConversionException(Spelling.unknown("shell", label, labels())));
    }

    @Override
    public Iterator<String> iterator() {
      return labels().iterator();
    }

    private static List<String> labels() {
      return Arrays.stream(Shell.values()).map(Label::label).toList();
    }

    private static String label(Shell shell) {
      return shell.name().toLowerCase(Locale.ROOT);
    }
  }
}
