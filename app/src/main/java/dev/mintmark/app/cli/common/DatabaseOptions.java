package dev.mintmark.app.cli.common;

import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.DatabaseAddress;
import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.embedded.StartupException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that select the database of a command. */
public final class DatabaseOptions {
  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  @Option(
      names = "--database-url",
      paramLabel = "URL",
      description =
          "The PostgreSQL database: jdbc:postgresql: or postgresql://. Default: the libpq variables"
              + " PGHOST, PGDATABASE and so on, with ~/.pgpass for the password; if neither PGHOST nor"
              + " PGDATABASE is set, or --data is given, the embedded PostgreSQL.")
  @Nullable String url;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = ".mintmark",
      description = "The data directory of the embedded PostgreSQL. Default: ${DEFAULT-VALUE}")
  public Path data;

  /** Returns the address of the user's own database, if one is given. */
  public Optional<DatabaseAddress> named() {
    return Optional.ofNullable(url)
        .map(text -> DatabaseAddress.parse(text).orLoginOf(System.getenv()))
        .or(() -> isDataGiven() ? Optional.empty() : fromEnvironment());
  }

  /** Whether the user has named the directory of the embedded database. */
  public boolean isDataGiven() {
    return command.commandLine().getParseResult().hasMatchedOption("--data") || isDataSet();
  }

  /** Whether the environment or a file names it, for a command that reads settings from there. */
  private boolean isDataSet() {
    IDefaultValueProvider settings = command.defaultValueProvider();
    try {
      return settings != null && settings.defaultValue(command.findOption("--data")) != null;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Optional<DatabaseAddress> fromEnvironment() {
    return DatabaseAddress.fromEnvironment(System.getenv());
  }

  /** Whether the command works on the embedded database. */
  public boolean isEmbedded() {
    return named().isEmpty();
  }

  /** Whether the command works on an embedded database that must be created: a few seconds. */
  public boolean isNewEmbedded() {
    return isEmbedded() && !EmbeddedDatabase.exists(data);
  }

  /** Opens the user's own database, or the embedded one, which is created and started as needed. */
  public Database openToServe() {
    return shown(
        named()
            .map(Database::connect)
            .orElseGet(() -> Database.over(EmbeddedDatabase.start(data))));
  }

  /** Opens the user's own database, or a temporary embedded one. */
  public Database openToThrowAway() {
    return shown(
        named()
            .map(Database::connect)
            .orElseGet(() -> Database.over(EmbeddedDatabase.startTemporary())));
  }

  /**
   * Opens the user's own database, that of a running server, or the embedded one for the duration
   * of the command. Never creates a database.
   */
  public Database openToUse() {
    return open(Database::connectToUse);
  }

  /** As {@link #openToUse}, but does not look for or create our tables in a running database. */
  public Database openAsItIs() {
    return open(Database::connectAsItIs);
  }

  private Database open(Function<DatabaseAddress, Database> connect) {
    Optional<DatabaseAddress> running =
        named().or(() -> EmbeddedDatabase.findRunning(data).map(DatabaseAddress::parse));
    if (running.isPresent()) {
      return shown(connect.apply(running.get()));
    }
    if (!EmbeddedDatabase.exists(data)) {
      throw new StartupException(
          "no database: %s does not exist. Run mintmark serve, or select a PostgreSQL with"
                  .formatted(data.toAbsolutePath().normalize())
              + " --database-url");
    }
    return shown(Database.over(EmbeddedDatabase.start(data)));
  }

  /** With {@code -v}, prints what was opened. */
  private Database shown(Database opened) {
    if (Verbosity.of(command).isVerbose()) {
      PrintWriter details = Verbosity.details(command);
      details.println("database " + opened.description());
      details.flush();
    }
    return opened;
  }
}
