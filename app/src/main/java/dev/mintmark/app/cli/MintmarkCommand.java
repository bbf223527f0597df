package dev.mintmark.app.cli;

import dev.mintmark.Quoted;
import dev.mintmark.app.cli.common.CalledAs;
import dev.mintmark.app.cli.common.CatalogFile;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.StandardOutput;
import dev.mintmark.app.cli.common.Verbosity;
import dev.mintmark.app.cli.completion.CompletionCommand;
import dev.mintmark.app.cli.id.CompareCommand;
import dev.mintmark.app.cli.id.ConvertCommand;
import dev.mintmark.app.cli.id.FindCommand;
import dev.mintmark.app.cli.id.InspectCommand;
import dev.mintmark.app.cli.id.Ipv6Command;
import dev.mintmark.app.cli.id.MaskCommand;
import dev.mintmark.app.cli.id.MintCommand;
import dev.mintmark.app.cli.migrate.MigrateCommand;
import dev.mintmark.app.cli.pool.PoolCommand;
import dev.mintmark.app.storm.StormCommand;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code mintmark} program. */
@Command(
    name = MintmarkCommand.NAME,
    description = "Mint, read, convert and allocate identifiers for Java and PostgreSQL.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit status: 0 done, 1 the answer is no, 2 wrong usage, 3 the database, a file or the network"
          + " failed.",
      "Run ${ROOT-COMMAND-NAME} COMMAND --help for the options of a command."
    })
public final class MintmarkCommand
    implements Callable<Integer>, StandardOutput.Bytes, Verbosity.Holder {
  static final String NAME = "mintmark";

  /** Options that need no command: loading all of them takes longer than the rest of the start. */
  private static final Set<String> VERSION = Set.of("--version", "-V");

  /** The commands in the order of the help. */
  private static final List<Class<?>> COMMANDS =
      List.of(
          ServeCommand.class,
          ConfigCommand.class,
          MintCommand.class,
          InspectCommand.class,
          CompareCommand.class,
          ConvertCommand.class,
          MaskCommand.class,
          FindCommand.class,
          Ipv6Command.class,
          CatalogCommand.class,
          InitCommand.class,
          PackCommand.class,
          PoolCommand.class,
          MigrateCommand.class,
          DoctorCommand.class,
          KeyCommand.class,
          AuditCommand.class,
          BackupCommand.class,
          RestoreCommand.class,
          UdfCommand.class,
          StormCommand.class,
          TourCommand.class,
          HelpCommand.class,
          ManCommand.class,
          CompletionCommand.class);

  /** Commands that have commands. */
  private static final Map<Class<?>, List<Class<?>>> GROUPS =
      Map.of(
          PoolCommand.class, PoolCommand.COMMANDS, MigrateCommand.class, MigrateCommand.COMMANDS);

  /** Commands about all other commands. */
  private static final Set<String> ABOUT_COMMANDS =
      Set.of(HelpCommand.NAME, ManCommand.NAME, CompletionCommand.NAME);

  @Spec CommandSpec spec;

  private final OutputStream bytesOut;
  private final Verbosity verbosity = new Verbosity();

  private MintmarkCommand(OutputStream bytesOut) {
    this.bytesOut = bytesOut;
  }

  /** Runs a command in this process and returns its exit status. */
  public static int execute(String... args) {
    return commandLine(args).execute(args);
  }

  /** Runs the command that {@code args} name and ends the process with its exit status. */
  public static void run(String[] args) {
    Locale.setDefault(Locale.ROOT); // so that numbers are printed with the digits 0 to 9
    StandardOutput stdout = new StandardOutput();
    CommandLine commandLine = commandLine(args);
    // Not flushed after each line: a command that prints many lines flushes itself.
    commandLine.setOut(
        new PrintWriter(
            new OutputStreamWriter(
                new BufferedOutputStream(stdout, 1 << 16), StandardCharsets.UTF_8)));
    int status = commandLine.execute(args);
    commandLine.getOut().flush();
    if (stdout.failure().isPresent()) {
      status = explain(stdout.failure().get(), commandLine);
    }
    if (status != ExitStatus.SERVING) {
      System.exit(status);
    }
  }

  /** Prints the help if no command is given. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitStatus.USAGE;
  }

  public static CommandLine commandLine(String... args) {
    return commandLine(new FileOutputStream(FileDescriptor.out), args);
  }

  /**
   * Returns a command line with the command that {@code args} start with, or with all commands; of
   * a group such as {@code pool} with the one command that follows, or with all. Loading all
   * commands takes longer than the rest of the start.
   *
   * @param bytesOut the stream for results that are bytes: stdout, unbuffered
   */
  public static CommandLine commandLine(OutputStream bytesOut, String... args) {
    MintmarkCommand program = new MintmarkCommand(bytesOut);
    CommandLine commandLine = new CommandLine(program);
    commandLine.setCommandName(CalledAs.NAME);
    List<String> words = Arrays.stream(args).filter(word -> !Verbosity.isOption(word)).toList();
    for (Class<?> command : commands(words)) {
      // Wrapped in its own CommandLine: picocli calls a command's modelTransformer only then.
      CommandLine one = new CommandLine(command);
      List<Class<?>> group = GROUPS.getOrDefault(command, List.of());
      boolean isNamed = words.size() > 1 && isNamed(command, words.get(0));
      for (Class<?> sub : isNamed ? named(group, words.get(1)) : group) {
        one.addSubcommand(new CommandLine(sub));
      }
      commandLine.addSubcommand(one);
    }
    program.giveOptions(commandLine);
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    commandLine.setExecutionStrategy(new Execution());
    commandLine.setParameterExceptionHandler(new Refusal());
    commandLine.setExecutionExceptionHandler(new Explanation());
    return commandLine;
  }

  /**
   * Lets {@code --version} of every command print the version of the program, and every command
   * accept {@code -q} and {@code -v}, which only the help of the program lists.
   */
  private void giveOptions(CommandLine command) {
    command.getCommandSpec().versionProvider(new Version());
    verbosity.addTo(command.getCommandSpec(), command.getParent() != null);
    command.getSubcommands().values().forEach(this::giveOptions);
  }

  private static List<Class<?>> commands(List<String> words) {
    if (words.size() == 1 && VERSION.contains(words.get(0))) {
      return List.of();
    }
    return words.isEmpty() || ABOUT_COMMANDS.contains(words.get(0))
        ? COMMANDS
        : named(COMMANDS, words.get(0));
  }

  /** Returns the command with a name; all if there is none. */
  private static List<Class<?>> named(List<Class<?>> commands, String name) {
    for (Class<?> command : commands) {
      if (isNamed(command, name)) {
        return List.of(command);
      }
    }
    return commands;
  }

  private static boolean isNamed(Class<?> command, String name) {
    return command.getAnnotation(Command.class).name().equals(name);
  }

  @Override
  public OutputStream bytes() {
    return bytesOut;
  }

  @Override
  public Verbosity verbosity() {
    return verbosity;
  }

  /** Rejects what Java could not decode: with U+FFFD in it, different arguments are equal. */
  private static void checkDecoded(CommandLine.ParseResult result) {
    List<String> arguments = result.originalArgs();
    for (int i = 0; i < arguments.size(); i++) {
      if (arguments.get(i).indexOf('\uFFFD') >= 0) {
        throw new ParameterException(
            result.commandSpec().commandLine(),
            "argument %s, %s, has U+FFFD: it is not UTF-8, or LC_ALL is not a locale of UTF-8"
                .formatted(i + 1, Quoted.of(arguments.get(i))));
      }
    }
  }

  /** Prints what is wrong with the command line, and the command that prints the help. */
  private static int refuse(ParameterException e) {
    CommandLine command = e.getCommandLine();
    String name = command.getParent() == null ? NAME : command.getCommandName();
    command.getErr().println(name + ": " + place(e) + e.getMessage());
    Suggestion.of(e).ifPresent(near -> command.getErr().println("Did you mean: " + near + "?"));
    boolean takesIds =
        command.getCommandSpec().positionalParameters().stream()
            .anyMatch(parameter -> parameter.paramLabel().equals("ID"));
    if (takesIds
        && e instanceof CommandLine.UnmatchedArgumentException unmatched
        && unmatched.isUnknownOption()) {
      command
          .getErr()
          .println(
              "An identifier that begins with - is read after --: "
                  + command.getCommandSpec().qualifiedName()
                  + " -- "
                  + unmatched.getUnmatched().get(0));
    }
    command.getErr().println("try: " + command.getCommandSpec().qualifiedName() + " --help");
    return ExitStatus.USAGE;
  }

  /** Returns where a wrong value came from, if it was not an argument. */
  private static String place(ParameterException e) {
    ArgSpec argument = e.getArgSpec();
    return argument != null
            && argument.command().defaultValueProvider() instanceof ServeSettings settings
        ? settings.place(argument).map(place -> place + ": ").orElse("")
        : "";
  }

  /** Prints one line for an error of the user or the environment, a stack trace for a defect. */
  private static int explain(Exception e, CommandLine command) {
    Optional<Integer> status = ExitStatus.of(e);
    if (status.isEmpty()) {
      e.printStackTrace(command.getErr());
    } else {
      command
          .getErr()
          .println(NAME + ": " + CalledAs.in(e.getMessage() + CatalogFile.remedy(e).orElse("")));
      printCauses(e, Verbosity.details(command.getCommandSpec()));
    }
    command.getErr().flush();
    return status.orElse(ExitStatus.FAILED);
  }

  /** Prints the causes of a failure, from the outermost on, with the SQLSTATE of a database. */
  private static void printCauses(Throwable failure, PrintWriter details) {
    Set<Throwable> printed = new HashSet<>();
    for (Throwable cause = failure.getCause();
        cause != null && printed.add(cause);
        cause = cause.getCause()) {
      String state =
          cause instanceof SQLException sql && sql.getSQLState() != null
              ? "SQLSTATE " + sql.getSQLState() + ", "
              : "";
      details.println(
          "  caused by: %s%s: %s".formatted(state, cause.getClass().getName(), cause.getMessage()));
    }
  }

  // Classes and not lambdas: an archive of classes would leave out the old interfaces of picocli
  // that it has linked to lambdas, and the JVM would open all jars to find them.

  private static final class Execution implements CommandLine.IExecutionStrategy {
    @Override
    public int execute(CommandLine.ParseResult result) {
      checkDecoded(result);
      return new CommandLine.RunLast().execute(result);
    }
  }

  private static final class Refusal implements CommandLine.IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException e, String[] args) {
      return refuse(e);
    }
  }

  private static final class Explanation implements CommandLine.IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(
        Exception e, CommandLine command, CommandLine.ParseResult result) {
      return explain(e, command);
    }
  }

  /** Returns the version of the jar. */
  static String version() {
    String version = MintmarkCommand.class.getPackage().getImplementationVersion();
    return version == null ? "(unpackaged)" : version;
  }

  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"mintmark " + version()};
    }
  }
}
