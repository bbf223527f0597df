package dev.mintmark.app.cli;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.StandardOutput;
import dev.mintmark.app.cli.id.CompareCommand;
import dev.mintmark.app.cli.id.ConvertCommand;
import dev.mintmark.app.cli.id.InspectCommand;
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
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code mintmark} program. */
@Command(
    name = "mintmark",
    description = "Identifiers for Java and PostgreSQL: minted, read, converted, handed out.",
    mixinStandardHelpOptions = true,
    versionProvider = MintmarkCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit status: 0 done, 1 the answer is no, 2 wrong usage, 3 the database or the network failed.",
      "mintmark COMMAND --help tells more."
    })
public final class MintmarkCommand implements Callable<Integer>, StandardOutput.Bytes {
  /** The commands as the help lists them, by their names. */
  private static final List<Class<?>> COMMANDS =
      List.of(
          ServeCommand.class,
          MintCommand.class,
          InspectCommand.class,
          CompareCommand.class,
          ConvertCommand.class,
          CatalogCommand.class,
          PackCommand.class,
          PoolCommand.class,
          MigrateCommand.class,
          DoctorCommand.class,
          UdfCommand.class,
          StormCommand.class);

  @Spec CommandSpec spec;

  private final OutputStream bytesOut;

  private MintmarkCommand(OutputStream bytesOut) {
    this.bytesOut = bytesOut;
  }

  /** Runs the command that {@code args} name and ends the process with its exit status. */
  public static void run(String[] args) {
    Locale.setDefault(Locale.ROOT); // English has the digits 0 to 9.
    StandardOutput stdout = new StandardOutput();
    CommandLine commandLine = commandLine(args);
    // Not flushed at each line: a command that writes many says when.
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

  /** Without a command: what there is. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitStatus.USAGE;
  }

  public static CommandLine commandLine(String... args) {
    return commandLine(new FileOutputStream(FileDescriptor.out), args);
  }

  /**
   * One that knows the command that {@code args} begin with, or all where they begin with none. To
   * look at all takes longer than the rest of the start.
   *
   * @param bytesOut where results go that are bytes: stdout, unbuffered
   */
  public static CommandLine commandLine(OutputStream bytesOut, String... args) {
    CommandLine commandLine = new CommandLine(new MintmarkCommand(bytesOut));
    for (Class<?> command : commands(args)) {
      // Made by itself, or what transforms its model would not be heard.
      commandLine.addSubcommand(new CommandLine(command));
    }
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    commandLine.setUsageHelpAutoWidth(true);
    commandLine.setParameterExceptionHandler(MintmarkCommand::refuse);
    commandLine.setExecutionExceptionHandler((e, command, result) -> explain(e, command));
    return commandLine;
  }

  private static List<Class<?>> commands(String... args) {
    if (args.length > 0) {
      for (Class<?> command : COMMANDS) {
        if (command.getAnnotation(Command.class).name().equals(args[0])) {
          return List.of(command);
        }
      }
    }
    return COMMANDS;
  }

  @Override
  public OutputStream bytes() {
    return bytesOut;
  }

  /** One line on what was wrong with the command, and where to read on. */
  private static int refuse(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    command.getErr().println(command.getCommandName() + ": " + e.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(e, command.getErr());
    command.getErr().println("try: " + command.getCommandSpec().qualifiedName() + " --help");
    return ExitStatus.USAGE;
  }

  /** One line for what a user can do something about; a stack trace for what we must. */
  private static int explain(Exception e, CommandLine command) {
    Optional<Integer> status = ExitStatus.of(e);
    if (status.isEmpty()) {
      e.printStackTrace(command.getErr());
    } else {
      command.getErr().println("mintmark: " + e.getMessage());
    }
    command.getErr().flush();
    return status.orElse(ExitStatus.FAILED);
  }

  /** The version the jar was built as. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = MintmarkCommand.class.getPackage().getImplementationVersion();
      return new String[] {"mintmark " + (version == null ? "(unpackaged)" : version)};
    }
  }
}
