package dev.mintmark.app.cli;

import dev.mintmark.Spelling;
import dev.mintmark.app.cli.common.FileException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Where the options of {@code serve} come from: the first of these that has one.
 *
 * <pre>
 *   flag          --tls-key key.pem
 *   environment   MINTMARK_SERVE_TLS_KEY=key.pem
 *   file          tls-key: key.pem           in mintmark-serve.yaml, or the file of --config
 *   default
 * </pre>
 *
 * <p>What the environment and the file set is checked as flags are, and a name that no option has
 * is an error. Used by one thread.
 */
final class ServeSettings implements IDefaultValueProvider {
  /** What the names of variables begin with. */
  static final String PREFIX = "MINTMARK_SERVE_";

  /** The file that is read if it exists. */
  static final Path FILE = Path.of("mintmark-serve.yaml");

  static final String CONFIG = "--config";

  private static final String DASHES = "--";

  /** Options that are no settings: they say what the command does. */
  private static final Set<String> NO_SETTINGS =
      Set.of("--help", "--version", "--quiet", "--verbose");

  private final Map<String, String> environment;
  private final Map<String, String> places = new HashMap<>();
  private @Nullable Map<String, Given> given;

  ServeSettings(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Where a value comes from, from the strongest to the weakest. */
  enum Source {
    FLAG,
    ENVIRONMENT,
    FILE,
    DEFAULT;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What the environment or the file sets.
   *
   * @param place the variable, or the file with its line
   */
  record Given(String text, Source source, String place) {}

  /**
   * Lets a command read its settings just before its arguments are parsed, unless its help is asked
   * for: help shows the defaults of the program, also beside a file that is wrong.
   */
  static final class Reading implements IParameterPreprocessor {
    private static final Set<String> HELP = Set.of("-h", "--help", "-V", "--version");

    @Override
    public boolean preprocess(
        Stack<String> arguments,
        CommandSpec command,
        @Nullable ArgSpec argument,
        Map<String, Object> info) {
      if (command.defaultValueProvider() == null && arguments.stream().noneMatch(HELP::contains)) {
        command.defaultValueProvider(new ServeSettings(System.getenv()));
      }
      return false;
    }
  }

  /** Whether an option is a setting. */
  static boolean isSetting(OptionSpec option) {
    return option.longestName().startsWith(DASHES) && !NO_SETTINGS.contains(option.longestName());
  }

  /** Returns the name of a setting: that of its option without the dashes. */
  static String name(OptionSpec option) {
    return option.longestName().substring(DASHES.length());
  }

  /** Returns the environment variable of a setting. */
  static String variable(String name) {
    return PREFIX + name.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** Called for the options that no flag has set. */
  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option) || !isSetting(option)) {
      return null;
    }
    Optional<Given> value = given(option);
    value.ifPresent(used -> places.put(name(option), used.place));
    return value.map(Given::text).orElse(null);
  }

  /** Returns what the environment or the file sets an option to, unless a stronger one hides it. */
  Optional<Given> given(OptionSpec option) {
    Map<String, Given> all = all(option.command());
    return Optional.ofNullable(all.get(name(option)))
        .filter(value -> !isHidden(option, value, all));
  }

  /** A directory that is given where flags are is stronger than a URL that is given elsewhere. */
  private static boolean isHidden(OptionSpec option, Given value, Map<String, Given> all) {
    if (!name(option).equals("database-url")) {
      return false;
    }
    Given data = all.get("data");
    boolean isDataFlag = option.command().commandLine().getParseResult().hasMatchedOption("--data");
    return isDataFlag || (data != null && data.source.compareTo(value.source) < 0);
  }

  private Map<String, Given> all(CommandSpec command) {
    Map<String, Given> all = given;
    if (all == null) {
      all = read(command);
      given = all;
    }
    return all;
  }

  private Map<String, Given> read(CommandSpec command) {
    List<String> names = names(command);
    Map<String, Given> all = new HashMap<>();
    file(command)
        .ifPresent(
            file ->
                entries(command, file)
                    .forEach(
                        (name, entry) -> {
                          String place = file + ":" + entry.line();
                          check(command, place, name, name, names);
                          if (name.equals(CONFIG.substring(DASHES.length()))) {
                            throw wrong(command, place + ": a file does not name another");
                          }
                          all.put(name, new Given(entry.text(), Source.FILE, place));
                        }));
    environment.forEach(
        (variable, text) -> {
          if (variable.startsWith(PREFIX) && !text.isEmpty()) {
            String name =
                variable.substring(PREFIX.length()).toLowerCase(Locale.ROOT).replace('_', '-');
            check(command, "environment", variable, name, names);
            all.put(name, new Given(text, Source.ENVIRONMENT, variable));
          }
        });
    return all;
  }

  /** Picocli reports other exceptions with the arguments, which are not what is wrong. */
  private static Map<String, SettingsFile.Entry> entries(CommandSpec command, Path file) {
    try {
      return SettingsFile.read(file);
    } catch (IllegalArgumentException | FileException e) {
      throw wrong(command, String.valueOf(e.getMessage()));
    }
  }

  private static ParameterException wrong(CommandSpec command, String message) {
    return new ParameterException(command.commandLine(), message);
  }

  private static List<String> names(CommandSpec command) {
    List<String> names = new ArrayList<>();
    for (OptionSpec option : command.options()) {
      if (isSetting(option)) {
        names.add(name(option));
      }
    }
    return names;
  }

  private static void check(
      CommandSpec command, String place, String written, String name, List<String> names) {
    if (!names.contains(name)) {
      String near =
          Spelling.nearest(name, names)
              .map(known -> written.startsWith(PREFIX) ? variable(known) : known)
              .map(": did you mean %s?"::formatted)
              .orElse(": mintmark config lists the settings");
      throw wrong(command, "%s: unknown setting %s%s".formatted(place, written, near));
    }
  }

  /** Returns the file: the one that is named, or the usual one if it exists. */
  private Optional<Path> file(CommandSpec command) {
    Path named = command.findOption(CONFIG).getValue();
    String variable = environment.getOrDefault(variable("config"), "");
    if (named == null && !variable.isEmpty()) {
      named = Path.of(variable);
    }
    return named == null ? Optional.of(FILE).filter(Files::exists) : Optional.of(named);
  }

  /** Returns where the value of an argument came from; empty if it was a flag or a default. */
  Optional<String> place(ArgSpec argument) {
    return argument instanceof OptionSpec option
        ? Optional.ofNullable(places.get(name(option)))
        : Optional.empty();
  }

  /** Whether a flag has set an option. */
  static boolean isFlag(OptionSpec option) {
    return option.command().commandLine().getParseResult().hasMatchedOption(option);
  }
}
