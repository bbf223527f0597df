package dev.mintmark.app.maintenance;

import dev.mintmark.operations.migrate.MigrationSummary;
import dev.mintmark.operations.migrate.Migrations;
import dev.mintmark.operations.migrate.RunRights;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The doctor and the migrations of the database of a server, with the rights of its role. Closing
 * it ends what runs. Safe for use by many threads.
 */
public final class Maintenance implements AutoCloseable {
  private final Migrations migrations;
  private final DoctorRuns doctor;
  private final PlanRuns plans;
  private final MigrationRuns runs;

  /**
   * @param requests connections for statements that answer requests
   * @param examinations connections for the doctor, whose statements end after 10 s
   * @param runs connections for plans and runs: a new one for each use, directly to the server,
   *     without a limit for an answer
   * @param catalogFile the file of the catalog; empty if the server has none
   */
  public Maintenance(
      DataSource requests, DataSource examinations, DataSource runs, Optional<Path> catalogFile) {
    InstantSource clock = InstantSource.system();
    this.migrations = Migrations.over(requests);
    this.doctor = new DoctorRuns(examinations, catalogFile, clock);
    this.plans = new PlanRuns(runs, catalogFile, clock);
    this.runs = new MigrationRuns(runs, clock);
  }

  /** The status and the list of migrations, and their pause. */
  public Migrations migrations() {
    return migrations;
  }

  public DoctorRuns doctor() {
    return doctor;
  }

  public PlanRuns plans() {
    return plans;
  }

  public MigrationRuns runs() {
    return runs;
  }

  /** Returns why the role of the server cannot run a migration of these tables. */
  public Optional<String> obstacle(List<String> tables) throws SQLException {
    RunRights rights = migrations.rights(tables);
    if (rights.areSufficient()) {
      return Optional.empty();
    }
    String lacking =
        rights.notOwned().isEmpty()
            ? "may not write " + String.join(", ", rights.notWritten())
            : "does not own " + String.join(", ", rights.notOwned());
    return Optional.of(
        "the role of the server, %s, %s: run mintmark migrate as the owner"
            .formatted(rights.role(), lacking));
  }

  /** Returns why the role of the server cannot run the active one of these migrations. */
  public Optional<String> obstacleOf(List<MigrationSummary> listed) throws SQLException {
    Optional<MigrationSummary> active =
        listed.stream().filter(one -> !one.state().isEnd()).findFirst();
    return active.isEmpty() ? Optional.empty() : obstacle(active.get().tables());
  }

  @Override
  public void close() {
    runs.close();
    plans.close();
    doctor.close();
  }
}
