package dev.mintmark.app;

import dev.mintmark.MalformedIdException;
import dev.mintmark.MintException;
import dev.mintmark.app.embedded.StartupException;
import dev.mintmark.catalog.CatalogException;
import dev.mintmark.postgres.migrate.MigrationException;
import dev.mintmark.postgres.pack.PackException;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.UnknownPoolException;
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
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit status: 0 done, 1 the answer is no, 2 wrong usage, 3 the database or the network failed.",
      "mintmark COMMAND --help tells more."
    })
public final class Main implements Callable<Integer> {
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

  private Main(OutputStream bytesOut) {
    this.bytesOut = bytesOut;
  }

  /** Runs the program and ends the process. */
  public static void main(String[] args) {
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

  static CommandLine commandLine(String... args) {
    return commandLine(new FileOutputStream(FileDescriptor.out), args);
  }

  /**
   * One that knows the command that {@code args} begin with, or all where they begin with none. To
   * look at all takes longer than the rest of the start.
   *
   * @param bytesOut where results go that are bytes: stdout, unbuffered
   */
  static CommandLine commandLine(OutputStream bytesOut, String... args) {
    CommandLine commandLine = new CommandLine(new Main(bytesOut));
    for (Class<?> command : commands(args)) {
      // Made by itself, or what transforms its model would not be heard.
      commandLine.addSubcommand(new CommandLine(command));
    }
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    commandLine.setUsageHelpAutoWidth(true);
    commandLine.setParameterExceptionHandler(Main::refuse);
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

  /**
   * Stdout for the command of {@code spec}, if it writes bytes; its own writer then stays unused.
   */
  static OutputStream bytesOut(CommandSpec spec) {
    return ((Main) spec.root().userObject()).bytesOut;
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

  /** What the process ends with. */
  static final class ExitStatus {
    static final int DONE = 0;
    static final int NO = 1;
    static final int USAGE = 2;
    static final int FAILED = 3;

    /** Not a status: the server goes on, and ends the process itself. */
    static final int SERVING = -1;

    private ExitStatus() {}

    /** Empty for what should not have happened. */
    private static Optional<Integer> of(Exception e) {
      if (e instanceof MalformedIdException
          || e instanceof UnknownPoolException
          || e instanceof MintException
          || e instanceof MigrationException
          || e instanceof PackException) {
        return Optional.of(NO);
      }
      if (e instanceof CatalogException || e instanceof IllegalArgumentException) {
        return Optional.of(USAGE);
      }
      if (e instanceof StartupException
          || e instanceof PoolUnavailableException
          || e instanceof FileException) {
        return Optional.of(FAILED);
      }
      return Optional.empty();
    }
  }

  /** The version the jar was built as. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"mintmark " + (version == null ? "(unpackaged)" : version)};
    }
  }
}
