package dev.mintmark.app.http;

import dev.mintmark.Quoted;
import dev.mintmark.app.maintenance.Maintenance;
import dev.mintmark.app.maintenance.MigrationRuns.Command;
import dev.mintmark.app.service.ConfirmingTable;
import dev.mintmark.app.view.MigrationConfirmationJson;
import dev.mintmark.app.view.MigrationListJson;
import dev.mintmark.app.view.MigrationStatusJson;
import dev.mintmark.operations.migrate.MigrationException;
import dev.mintmark.operations.migrate.MigrationState;
import dev.mintmark.operations.migrate.MigrationStatus;
import dev.mintmark.operations.migrate.MigrationSummary;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /v1/migrations}: the migrations of the database, their progress, and their runs. A
 * migration is begun on the command line alone.
 */
@RestController
@ConditionalOnBean(Maintenance.class)
@RequestMapping(
    path = "/v1/migrations",
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class MigrationsController {
  /** Positive, and within 64 bits. */
  private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,17}");

  private final Maintenance maintenance;

  MigrationsController(Maintenance maintenance) {
    this.maintenance = maintenance;
  }

  @GetMapping
  MigrationListJson listMigrations() throws SQLException {
    List<MigrationSummary> listed = maintenance.migrations().list();
    return MigrationListJson.of(listed, maintenance.obstacleOf(listed), maintenance.runs().last());
  }

  @GetMapping("/{migration}")
  MigrationStatusJson getMigration(@PathVariable String migration) throws SQLException {
    return MigrationStatusJson.of(status(migration));
  }

  @PostMapping("/{migration}/pause")
  MigrationStatusJson pauseMigration(@PathVariable String migration) throws SQLException {
    active(migration, "pause");
    maintenance.migrations().pause();
    return MigrationStatusJson.of(status(migration));
  }

  @PostMapping("/{migration}/resume")
  @ResponseStatus(HttpStatus.ACCEPTED)
  MigrationStatusJson resumeMigration(@PathVariable String migration) throws SQLException {
    return run(active(migration, "resume"), Command.RESUME);
  }

  @PostMapping("/{migration}/rollback")
  @ResponseStatus(HttpStatus.ACCEPTED)
  MigrationStatusJson rollBackMigration(
      @PathVariable String migration, @RequestBody MigrationConfirmationJson body)
      throws SQLException {
    MigrationStatus status = active(migration, "roll back");
    requireConfirmed(status, body.table());
    return run(status, Command.ROLLBACK);
  }

  @PostMapping("/{migration}/contract")
  @ResponseStatus(HttpStatus.ACCEPTED)
  MigrationStatusJson contractMigration(
      @PathVariable String migration, @RequestBody MigrationConfirmationJson body)
      throws SQLException {
    MigrationStatus status = active(migration, "contract");
    requireConfirmed(status, body.table());
    if (status.state() != MigrationState.BAKING && status.state() != MigrationState.CONTRACTING) {
      throw conflict(
          "migration %s is %s: it can be contracted once it is baking"
              .formatted(status.migration(), status.state().label()));
    }
    return run(status, Command.CONTRACT);
  }

  private MigrationStatus status(String migration) throws SQLException {
    Optional<MigrationStatus> found =
        NUMBER.matcher(migration).matches()
            ? maintenance.migrations().status(Long.parseLong(migration))
            : Optional.empty();
    return found.orElseThrow(
        () ->
            new ProblemException(
                ProblemCode.MIGRATION_NOT_FOUND,
                "this database has no migration " + Quoted.of(migration)));
  }

  /** The migration, if it has not ended: only the active one can be run. */
  private MigrationStatus active(String migration, String what) throws SQLException {
    MigrationStatus status = status(migration);
    if (status.state().isEnd()) {
      throw conflict(
          "migration %s is %s: there is nothing to %s"
              .formatted(status.migration(), status.state().label(), what));
    }
    return status;
  }

  private static void requireConfirmed(MigrationStatus status, @Nullable String table) {
    ConfirmingTable confirming = ConfirmingTable.of(status);
    if (table == null) {
      throw new ProblemException(
          ProblemCode.TABLE_NOT_CONFIRMED,
          "the key \"table\" is missing: expected %s, the name of the table of migration %s"
              .formatted(Quoted.of(confirming.name()), status.migration()));
    }
    if (!confirming.names().contains(table)) {
      throw new ProblemException(
          ProblemCode.TABLE_NOT_CONFIRMED,
          "%s is not the table of migration %s: expected %s; nothing was done"
              .formatted(Quoted.of(table), status.migration(), Quoted.of(confirming.name())));
    }
  }

  /** Starts a run in the background, if the role of the server may run the migration. */
  private MigrationStatusJson run(MigrationStatus status, Command command) throws SQLException {
    maintenance
        .obstacle(status.tables())
        .ifPresent(
            why -> {
              throw new ProblemException(ProblemCode.PERMISSION_DENIED, why);
            });
    if (!maintenance.runs().start(command)) {
      throw conflict("a run of this server is in progress: pause it first");
    }
    return MigrationStatusJson.of(status(Long.toString(status.migration())));
  }

  private static ProblemException conflict(String detail) {
    return new ProblemException(ProblemCode.MIGRATION_CONFLICT, detail);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> refused(MigrationException e) {
    return Problems.answer(ProblemCode.MIGRATION_CONFLICT.problem(String.valueOf(e.getMessage())))
        .build();
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> failed(SQLException e) {
    return Problems.answer(e);
  }
}
