package dev.mintmark.app.cli;

import dev.mintmark.Spelling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What the user probably meant by a command, an option or a value that does not exist. */
final class Suggestion {
  private static final String DASHES = "--";

  /** Picocli's message about a value that is not one of a list has no suggestion. */
  private static final Pattern REJECTED = Pattern.compile("but was '([^']*)'$");

  private Suggestion() {}

  /** Returns what could be typed instead; empty if nothing is near, or the message has it. */
  static Optional<String> of(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      String typed = unmatched.getUnmatched().get(0).replaceFirst("=.*", "");
      CommandSpec command = e.getCommandLine().getCommandSpec();
      return unmatched.isUnknownOption()
          ? Spelling.nearest(typed, command.optionsMap().keySet())
          : ofCommand(typed, command);
    }
    ArgSpec argument = e.getArgSpec();
    Matcher rejected = REJECTED.matcher(String.valueOf(e.getMessage()));
    return argument != null && argument.completionCandidates() != null && rejected.find()
        ? Spelling.nearest(rejected.group(1).toLowerCase(Locale.ROOT), candidates(argument))
        : Optional.empty();
  }

  /**
   * Returns the nearest command below this one; otherwise the command of the same name below one of
   * those, {@code mintmark pool claim} for {@code mintmark claim}; otherwise an option without its
   * dashes, {@code mintmark --version} for {@code mintmark version}.
   */
  private static Optional<String> ofCommand(String typed, CommandSpec command) {
    return Spelling.nearest(typed, command.subcommands().keySet())
        .or(() -> below(typed, command))
        .or(() -> option(typed, command))
        .filter(near -> !command.subcommands().isEmpty())
        .map(near -> command.qualifiedName() + " " + near);
  }

  private static Optional<String> below(String typed, CommandSpec command) {
    return command.subcommands().entrySet().stream()
        .filter(group -> group.getValue().getSubcommands().containsKey(typed))
        .map(group -> group.getKey() + " " + typed)
        .findFirst();
  }

  private static Optional<String> option(String typed, CommandSpec command) {
    Map<String, String> options = new LinkedHashMap<>();
    for (String name : command.optionsMap().keySet()) {
      if (name.startsWith(DASHES)) {
        options.put(name.substring(DASHES.length()), name);
      }
    }
    return Spelling.nearest(typed, options.keySet()).map(options::get);
  }

  private static List<String> candidates(ArgSpec argument) {
    List<String> candidates = new ArrayList<>();
    for (String candidate : argument.completionCandidates()) {
      candidates.add(candidate.toLowerCase(Locale.ROOT));
    }
    return candidates;
  }
}
