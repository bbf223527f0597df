package dev.mintmark.app.cli;

import dev.mintmark.app.backup.Backup;
import dev.mintmark.app.backup.BackupManifest;
import dev.mintmark.app.cli.common.DatabaseOptions;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.FileException;
import dev.mintmark.app.cli.common.Progress;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.view.BackupJson;
import dev.mintmark.app.view.Json;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mintmark backup}: writes the tables of Mintmark to a file. */
@Command(
    name = "backup",
    description = {
      "Back up pools with their claims, API keys and the audit to a file, while servers and clients go"
          + " on.",
      "The file can be restored with this and later versions of Mintmark and PostgreSQL. It says who"
          + " holds what, so only you may read it. It does not contain the keyring (MINTMARK_SECRET).",
      "A database that also has other tables is refused: back it up with pg_dump of PostgreSQL."
    },
    mixinStandardHelpOptions = true)
final class BackupCommand implements Callable<Integer> {
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("'mintmark-'yyyyMMdd'T'HHmmss'Z.zip'").withZone(ZoneOffset.UTC);

  @Spec CommandSpec spec;

  @Mixin DatabaseOptions databaseOptions;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description =
          "The file, which must not exist. Default: mintmark-TIME.zip in the current directory")
  @Nullable Path file;

  @Option(names = "--json", description = "Print what the backup contains as JSON.")
  boolean json;

  @Override
  public Integer call() {
    Path written = file == null ? Path.of(NAME.format(Instant.now())) : file;
    try (CloseAtExit atExit = new CloseAtExit()) {
      NewFile place = atExit.add(NewFile.create("backup", written));
      Database database = atExit.open(databaseOptions::openAsItIs);
      BackupManifest manifest = write(database, place);
      if (json) {
        Json.print(spec.commandLine().getOut(), view(written, manifest));
      } else {
        spec.commandLine()
            .getOut()
            .println(
                "%s: %s tables, %s rows, %s bytes, as of %s"
                    .formatted(
                        written,
                        manifest.tables().size(),
                        manifest.rows(),
                        size(written),
                        manifest.createdAt()));
      }
    }
    return ExitStatus.DONE;
  }

  private static BackupJson view(Path file, BackupManifest manifest) {
    return new BackupJson(
        file.toString(),
        manifest.createdAt(),
        manifest.mintmark(),
        manifest.postgresql(),
        manifest.rows(),
        manifest.tables().stream()
            .map(
                table ->
                    new BackupJson.TableJson(
                        table.name(), table.columns(), table.rows(), table.bytes(), table.sha256()))
            .toList());
  }

  private BackupManifest write(Database database, NewFile place) {
    DataSource connections = database.ownConnections("mintmark-backup");
    try (Backup backup = Backup.begin(connections, MintmarkCommand.version());
        Progress progress =
            Progress.afterTwoSeconds(
                spec,
                "backup",
                "rows",
                backup.expectedRows() == 0 ? Progress.TOTAL_UNKNOWN : backup.expectedRows());
        OutputStream out = new BufferedOutputStream(place.stream(), 1 << 16)) {
      BackupManifest manifest = backup.write(out, progress::moveTo);
      out.flush();
      place.complete();
      return manifest;
    } catch (SQLException e) {
      throw database.failure(e);
    } catch (IOException e) {
      throw new FileException(place.name(), e);
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new FileException("backup " + file, e);
    }
  }
}
