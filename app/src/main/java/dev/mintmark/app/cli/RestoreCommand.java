package dev.mintmark.app.cli;

import dev.mintmark.Catalog;
import dev.mintmark.app.access.Audit;
import dev.mintmark.app.access.AuditEntry;
import dev.mintmark.app.backup.BackupFile;
import dev.mintmark.app.backup.BackupManifest;
import dev.mintmark.app.backup.Restore;
import dev.mintmark.app.cli.common.CatalogFile;
import dev.mintmark.app.cli.common.CommandAudit;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.FileException;
import dev.mintmark.app.cli.common.Progress;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.RestoreJson;
import dev.mintmark.postgres.pool.Failover;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mintmark restore}: restores a backup into a new data directory. */
@Command(
    name = "restore",
    description = {
      "Restore a file of mintmark backup into a new data directory of the embedded PostgreSQL.",
      "What was claimed after the backup is not in it, so values that look free may be in use:"
          + " afterwards each pool does what its after-failover says. Free values of a pool with a"
          + " lease rest for the longest lease and the quarantine; a pool without a lease grants nothing"
          + " until you decide. An interrupted restore begins again with the same command."
    },
    mixinStandardHelpOptions = true)
final class RestoreCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The backup.")
  Path file = Path.of("");

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = ".mintmark",
      description = "The directory, which must be new or empty. Default: ${DEFAULT-VALUE}")
  Path data = Path.of("");

  @Option(
      names = "--catalog",
      paramLabel = "FILE",
      description = {
        "The catalog. Blocks, leases and pools that were added to it after the backup are restored"
            + " from it, so that their values rest too. Not read with --no-quarantine. Default:"
            + " mintmark.yaml if it exists"
      })
  @Nullable Path catalogFile;

  @Option(
      names = "--no-quarantine",
      description =
          "Nothing was claimed, renewed or released since the backup was made, as when a stopped"
              + " server moves to another version or machine: all pools go on, except those that still had"
              + " an earlier failover to deal with.")
  boolean complete;

  @Option(names = "--json", description = "Print what was restored as JSON.")
  boolean json;

  @Override
  public Integer call() {
    try (BackupFile backup = BackupFile.open(file);
        CloseAtExit atExit = new CloseAtExit()) {
      BackupManifest manifest = backup.manifest();
      if (complete) {
        backup.checkComplete();
      }
      Optional<Catalog> catalog = complete ? Optional.empty() : catalog();
      Database database = atExit.open(() -> Database.startRestore(data));
      List<Failover.Settled> settled = restore(backup, database, catalog);
      audit(database);
      database.endRestore();
      print(manifest, settled);
    }
    return ExitStatus.DONE;
  }

  private Optional<Catalog> catalog() {
    return catalogFile == null
        ? CatalogFile.readIfPresent(spec, CatalogFile.DEFAULT)
        : Optional.of(CatalogFile.read(spec, catalogFile));
  }

  private List<Failover.Settled> restore(
      BackupFile backup, Database database, Optional<Catalog> catalog) {
    long bytes = backup.manifest().bytes();
    try (Progress progress = Progress.ofBytesAfterTwoSeconds(spec, "restore", bytes)) {
      Restore restore = new Restore(backup, database);
      return complete
          ? restore.runComplete(progress::moveTo)
          : restore.run(catalog, progress::moveTo, this::warn);
    } catch (SQLException e) {
      throw database.failure(e);
    } catch (IOException e) {
      throw new FileException("backup " + file, e);
    }
  }

  private void warn(String warning) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("warning: " + warning);
    err.flush();
  }

  private void audit(Database database) {
    if (database.hasAccessTables()) {
      database.createAccessTables(); // The backup may be of an earlier version.
      Audit audit = Audit.over(database.connection());
      AuditEntry begun = audit.begin(CommandAudit.entry(spec));
      audit.end(begun.ended("exit " + ExitStatus.DONE));
    }
  }

  private void print(BackupManifest manifest, List<Failover.Settled> settled) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(
          out,
          new RestoreJson(
              file.toString(),
              data.toString(),
              manifest.createdAt(),
              manifest.tables().size(),
              manifest.rows(),
              settled.stream().map(RestoreJson.SettledPoolJson::of).toList()));
      return;
    }
    out.println(
        "%s: %s tables, %s rows, as of %s"
            .formatted(data, manifest.tables().size(), manifest.rows(), manifest.createdAt()));
    settled.forEach(pool -> out.println(text(pool)));
  }

  private static String text(Failover.Settled pool) {
    return switch (pool.conduct()) {
      case TRUST -> "pool %s: goes on".formatted(pool.pool());
      case QUARANTINE ->
          "pool %s: values that are free rest%s"
              .formatted(pool.pool(), pool.restUntil().map(end -> " until " + end).orElse(""));
      case STOP ->
          ("pool %s: grants nothing until mintmark pool quarantine %s --all --for TIME or, if nothing"
                  + " was claimed since the backup, mintmark pool resume %s")
              .formatted(pool.pool(), pool.pool(), pool.pool());
    };
  }
}
