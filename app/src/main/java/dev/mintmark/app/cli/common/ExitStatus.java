package dev.mintmark.app.cli.common;

import dev.mintmark.MalformedIdException;
import dev.mintmark.MintException;
import dev.mintmark.app.access.AccessUnavailableException;
import dev.mintmark.app.backup.BackupException;
import dev.mintmark.catalog.CatalogException;
import dev.mintmark.embedded.StartupException;
import dev.mintmark.operations.migrate.MigrationException;
import dev.mintmark.postgres.pack.PackException;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.UnknownPoolException;
import java.nio.file.AccessDeniedException;
import java.util.Optional;

/** The exit statuses of the program. */
public final class ExitStatus {
  /** The command succeeded. */
  public static final int DONE = 0;

  /** The answer is no. */
  public static final int NO = 1;

  /** The command line or the catalog is wrong. */
  public static final int USAGE = 2;

  /** The database, a file or the network failed. */
  public static final int FAILED = 3;

  /** Not a status: the server keeps running and ends the process itself. */
  public static final int SERVING = -1;

  private ExitStatus() {}

  /** Returns the status for an exception; empty if it is a defect of the program. */
  public static Optional<Integer> of(Exception e) {
    if (e instanceof MalformedIdException
        || e instanceof UnknownPoolException
        || e instanceof MintException
        || e instanceof MigrationException
        || e instanceof PackException) {
      return Optional.of(NO);
    }
    if (e instanceof CatalogException && e.getCause() instanceof AccessDeniedException) {
      return Optional.of(FAILED);
    }
    if (e instanceof CatalogException || e instanceof IllegalArgumentException) {
      return Optional.of(USAGE);
    }
    if (e instanceof StartupException
        || e instanceof AccessUnavailableException
        || e instanceof PoolUnavailableException
        || e instanceof FileException
        || e instanceof BackupException) {
      return Optional.of(FAILED);
    }
    return Optional.empty();
  }
}
