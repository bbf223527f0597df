package dev.mintmark.app.cli;

import dev.mintmark.app.cli.common.CatalogFile;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.PoolDatabaseOptions;
import dev.mintmark.app.cli.common.Table;
import dev.mintmark.app.cli.common.Verbosity;
import dev.mintmark.app.database.DatabaseAddress;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.SettingJson;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** {@code mintmark config}: the settings of {@code serve} that are in force, and their origin. */
@Command(
    name = "config",
    description = {
      "Show the settings with which mintmark serve would start here, and where each comes from: a"
          + " flag, the environment, the file mintmark-serve.yaml, or the default. Secrets are shown"
          + " as (set).",
      "Accepts the options of mintmark serve as well, and shows them as flags."
    },
    mixinStandardHelpOptions = true)
final class ConfigCommand implements Callable<Integer> {
  private static final String SET = "(set)";

  private static final String POOL_DATABASE = PoolDatabaseOptions.OPTION.substring(2);

  /** Names of settings whose values are secret; a file with a secret is not. */
  private static final Pattern SECRET =
      Pattern.compile(".*(secret|password|token)", Pattern.CASE_INSENSITIVE);

  /** Variables that are read as they are, without an option, beside those of databases. */
  private static final Set<String> VARIABLES =
      Set.of("MINTMARK_JAVA_OPTS", "MINTMARK_SECRET", "MINTMARK_START");

  @Spec CommandSpec spec;

  @Option(names = "--json", description = "Print the settings as JSON.")
  boolean json;

  @Option(
      names = "--check",
      description =
          "Print no settings: exit status 0 if serve accepts them, 2 with a message if a name is"
              + " unknown or a value is wrong. Neither the database nor the port is tried.")
  boolean check;

  @Unmatched @Nullable List<String> flags;

  private final Map<String, String> environment;

  ConfigCommand() {
    this(System.getenv());
  }

  ConfigCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    ServeSettings settings = new ServeSettings(environment);
    CommandLine program = MintmarkCommand.commandLine("serve");
    program.setErr(spec.commandLine().getErr());
    CommandLine serve = Objects.requireNonNull(program.getSubcommands().get("serve"));
    serve.getCommandSpec().defaultValueProvider(settings);
    program.parseArgs(
        Stream.concat(Stream.of("serve"), Stream.ofNullable(flags).flatMap(List::stream))
            .toArray(String[]::new));
    if (check) {
      serve.<ServeCommand>getCommand().check(environment);
      PrintWriter notices = Verbosity.notices(spec);
      notices.println("settings are valid");
      notices.flush();
      return ExitStatus.DONE;
    }
    List<SettingJson> shown = new ArrayList<>();
    for (OptionSpec option : serve.getCommandSpec().options()) {
      if (ServeSettings.isSetting(option)) {
        shown.add(shown(option, settings));
      }
    }
    new TreeMap<>(environment)
        .forEach(
            (name, value) -> {
              boolean isRead =
                  VARIABLES.contains(name)
                      || DatabaseAddress.isVariable(name)
                      || PoolDatabaseOptions.isVariable(name);
              if (isRead && !value.isEmpty()) {
                shown.add(
                    new SettingJson(
                        name, hidden(name, value), ServeSettings.Source.ENVIRONMENT.label(), name));
              }
            });
    print(shown);
    return ExitStatus.DONE;
  }

  private static SettingJson shown(OptionSpec option, ServeSettings settings) {
    String name = ServeSettings.name(option);
    if (ServeSettings.isFlag(option)) {
      List<String> values = option.stringValues();
      String text = values.isEmpty() ? "true" : String.join(" ", values);
      return new SettingJson(
          name, hidden(name, text), ServeSettings.Source.FLAG.label(), option.longestName());
    }
    return settings
        .given(option)
        .map(
            given ->
                new SettingJson(
                    name, hidden(name, given.text()), given.source().label(), given.place()))
        .orElseGet(
            () ->
                new SettingJson(
                    name, byDefault(option), ServeSettings.Source.DEFAULT.label(), null));
  }

  private static @Nullable String byDefault(OptionSpec option) {
    return switch (option.longestName()) {
      case ServeSettings.CONFIG -> ifExists(ServeSettings.FILE);
      case "--catalog" -> ifExists(CatalogFile.DEFAULT);
      default ->
          option.defaultValue() == null && option.typeInfo().isBoolean()
              ? "false"
              : option.defaultValue();
    };
  }

  private static @Nullable String ifExists(Path file) {
    return Files.exists(file) ? file.toString() : null;
  }

  private static String hidden(String name, String value) {
    if (SECRET.matcher(name).matches()) {
      return SET;
    }
    if (name.equals("database-url") || PoolDatabaseOptions.isVariable(name)) {
      return DatabaseAddress.parse(value).toString();
    }
    return name.equals(POOL_DATABASE) ? PoolDatabaseOptions.shown(value) : value;
  }

  private void print(List<SettingJson> settings) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(out, settings);
      return;
    }
    Table table =
        Table.of(
            Table.Column.identifier("setting"),
            Table.Column.identifier("value"),
            Table.Column.identifier("source"),
            Table.Column.identifier("place"));
    for (SettingJson setting : settings) {
      table.add(setting.name(), value(setting), setting.source(), place(setting));
    }
    table.print(
        spec,
        settings.stream()
            .map(
                setting ->
                    "%s %s %s %s"
                        .formatted(setting.name(), value(setting), setting.source(), place(setting))
                        .strip()));
  }

  private static String value(SettingJson setting) {
    return Objects.requireNonNullElse(setting.value(), "-");
  }

  private static String place(SettingJson setting) {
    return Objects.requireNonNullElse(setting.place(), "");
  }
}
