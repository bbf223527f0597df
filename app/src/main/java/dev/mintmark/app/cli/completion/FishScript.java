package dev.mintmark.app.cli.completion;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The completion script of fish: one {@code complete} statement for each command and option, with
 * the condition that the words typed so far are those of the command above it.
 *
 * <p>Source: the page of {@code complete} in the manual of fish.
 */
final class FishScript {
  private final String program;
  private final String condition;
  private final CommandLine commandLine;

  FishScript(String program, CommandLine commandLine) {
    this.program = program;
    this.condition = "__" + program + "_at";
    this.commandLine = commandLine;
  }

  String text() {
    List<String> paths = new ArrayList<>();
    List<String> statements = new ArrayList<>();
    add("", commandLine, paths, statements);
    return """
    # Completion of %1$s in fish: %1$s completion fish > ~/.config/fish/completions/%1$s.fish

    # Whether the commands that were typed so far are those of the argument.
    function %2$s
      set -l commands %3$s
      set -l path ""
      for word in (commandline -opc)[2..-1]
        set -l longer (string trim -- "$path $word")
        if contains -- $longer $commands
          set path $longer
        end
      end
      test "$path" = "$argv[1]"
    end

    complete -c %1$s -f
    %4$s
    """
        .formatted(
            program,
            condition,
            paths.stream().map(FishScript::quoted).collect(Collectors.joining(" ")),
            String.join("\n", statements));
  }

  private void add(String path, CommandLine command, List<String> paths, List<String> statements) {
    CommandSpec spec = command.getCommandSpec();
    spec.options().stream()
        .filter(option -> !option.hidden())
        .forEach(option -> statements.add(statement(path, option(option))));
    spec.positionalParameters().stream()
        .filter(parameter -> !parameter.hidden())
        .filter(parameter -> isFile(parameter) || parameter.completionCandidates() != null)
        .forEach(parameter -> statements.add(statement(path, values(parameter))));
    for (Map.Entry<String, CommandLine> below : command.getSubcommands().entrySet()) {
      CommandSpec of = below.getValue().getCommandSpec();
      statements.add(statement(path, "-a %s -d %s".formatted(below.getKey(), quoted(summary(of)))));
      String longer = (path + " " + below.getKey()).strip();
      paths.add(longer);
      add(longer, below.getValue(), paths, statements);
    }
  }

  private String statement(String path, String what) {
    return "complete -c %s -n %s %s"
        .formatted(program, quoted(condition + " \"" + path + "\""), what);
  }

  private static String option(OptionSpec option) {
    List<String> words = new ArrayList<>();
    for (String name : option.names()) {
      words.add(name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1));
    }
    if (option.arity().min() > 0) {
      words.add(isFile(option) ? "-r" : "-x");
      words.add(values(option));
    }
    words.add("-d " + quoted(summary(option)));
    return words.stream().filter(word -> !word.isEmpty()).collect(Collectors.joining(" "));
  }

  /** What may stand there: files, a list of words, or nothing that is known. */
  private static String values(ArgSpec argument) {
    if (isFile(argument)) {
      return "-F";
    }
    if (argument.completionCandidates() == null) {
      return "";
    }
    String candidates =
        StreamSupport.stream(argument.completionCandidates().spliterator(), false)
            .collect(Collectors.joining(" "));
    return candidates.isEmpty() ? "" : "-a " + quoted(candidates);
  }

  private static boolean isFile(ArgSpec argument) {
    Class<?> type = argument.typeInfo().getType();
    List<Class<?>> auxiliary = List.of(argument.auxiliaryTypes());
    return type == Path.class
        || type == File.class
        || auxiliary.contains(Path.class)
        || auxiliary.contains(File.class);
  }

  /** Without the list of values, which fish shows anyway. */
  private static String summary(OptionSpec option) {
    String sentence = firstSentence(option.description());
    return option.completionCandidates() == null ? sentence : sentence.replaceFirst(":.*", "");
  }

  private static String summary(CommandSpec spec) {
    return firstSentence(spec.usageMessage().description());
  }

  private static String firstSentence(String... description) {
    String text = String.join(" ", description).strip();
    return text.replaceFirst("\\.( .*)?$", "");
  }

  /** In single quotes, where fish replaces nothing but {@code \\} and {@code \'}. */
  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", " ") + "'";
  }
}
