package dev.mintmark.app.cli.common;

import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.DatabaseAddress;
import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.embedded.StartupException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which database a command works on. */
public final class DatabaseOptions {
  @Option(
      names = "--database-url",
      paramLabel = "URL",
      description =
          "A PostgreSQL of your own: jdbc:postgresql: or postgresql://. Without it PGHOST, PGDATABASE"
              + " and their like count, with ~/.pgpass for the password; without those, the embedded"
              + " one.")
  @Nullable String url;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = ".mintmark",
      description = "Where the embedded PostgreSQL keeps its data. Default: ${DEFAULT-VALUE}")
  public Path data;

  /** The user's own database, if one is named. */
  public Optional<DatabaseAddress> named() {
    return Optional.ofNullable(url)
        .map(text -> DatabaseAddress.parse(text).orLoginOf(System.getenv()))
        .or(() -> DatabaseAddress.fromEnvironment(System.getenv()));
  }

  /** Whether the embedded database is meant, which is ours. */
  public boolean isEmbedded() {
    return named().isEmpty();
  }

  /** Whether the embedded database is meant, and has to be set up, which takes a few seconds. */
  public boolean isNewEmbedded() {
    return isEmbedded() && !EmbeddedDatabase.exists(data);
  }

  /** The user's own database, or the embedded one, which is started and set up as needed. */
  public Database openToServe() {
    return named()
        .map(Database::connect)
        .orElseGet(() -> Database.over(EmbeddedDatabase.start(data)));
  }

  /** The user's own database, or a new one that is thrown away. */
  public Database openToThrowAway() {
    return named()
        .map(Database::connect)
        .orElseGet(() -> Database.over(EmbeddedDatabase.startTemporary()));
  }

  /**
   * The user's own database, the one of a server that runs, or the embedded one for as long as the
   * command takes; never a new one.
   */
  public Database openToUse() {
    return open(Database::connectToUse);
  }

  /** The same, but nothing of ours is looked for or made in what runs already. */
  public Database openAsItIs() {
    return open(Database::connectAsItIs);
  }

  private Database open(Function<DatabaseAddress, Database> connect) {
    Optional<DatabaseAddress> running =
        named().or(() -> EmbeddedDatabase.findRunning(data).map(DatabaseAddress::parse));
    if (running.isPresent()) {
      return connect.apply(running.get());
    }
    if (!EmbeddedDatabase.exists(data)) {
      throw new StartupException(
          "no database: nothing is kept in %s yet. Run mintmark serve, or name a PostgreSQL with"
                  .formatted(data.toAbsolutePath().normalize())
              + " --database-url");
    }
    return Database.over(EmbeddedDatabase.start(data));
  }
}
