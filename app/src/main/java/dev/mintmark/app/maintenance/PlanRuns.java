package dev.mintmark.app.maintenance;

import dev.mintmark.app.service.LocatedPlan;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.catalog.LocatedCatalog;
import dev.mintmark.operations.migrate.InvalidValues;
import dev.mintmark.operations.migrate.MigrationStatus;
import dev.mintmark.operations.migrate.Migrations;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The plans of a server: plans the migration to what its catalog declares on request, one plan at a
 * time, and keeps the last one. The file of the catalog is read again for each plan. Safe for use
 * by many threads.
 */
public final class PlanRuns implements AutoCloseable {
  private final DataSource connections;
  private final Optional<Path> catalogFile;
  private final LatestRun<Planned> runs;
  private volatile @Nullable String reading;

  PlanRuns(DataSource connections, Optional<Path> catalogFile, InstantSource clock) {
    this.connections = connections;
    this.catalogFile = catalogFile;
    this.runs = new LatestRun<>("mintmark-plan", clock);
  }

  /**
   * What was planned.
   *
   * @param plan empty if a migration is active, so that there is no plan
   * @param active the active migration
   */
  public record Planned(
      InvalidValues invalid, Optional<LocatedPlan> plan, Optional<MigrationStatus> active) {}

  /** The file of the catalog; empty if the server has none, and so makes no plan. */
  public Optional<Path> catalogFile() {
    return catalogFile;
  }

  /**
   * Starts to plan, unless a plan is being made.
   *
   * @return false if the server has no file of a catalog, so that there is nothing to plan
   */
  public boolean start(InvalidValues invalid) {
    catalogFile.ifPresent(file -> runs.start(() -> plan(file, invalid)));
    return catalogFile.isPresent();
  }

  private Planned plan(Path file, InvalidValues invalid) throws SQLException {
    try {
      LocatedCatalog catalog = CatalogReader.readLocated(file);
      Optional<MigrationStatus> active =
          Migrations.over(connections).status().filter(status -> !status.state().isEnd());
      Optional<LocatedPlan> plan =
          active.isPresent()
              ? Optional.empty()
              : Optional.of(
                  LocatedPlan.of(catalog, connections, invalid, table -> reading = table));
      return new Planned(invalid, plan, active);
    } finally {
      reading = null;
    }
  }

  /** Returns the last plan, and whether one is being made. */
  public RunState<Planned> state() {
    return runs.state();
  }

  /** Returns the table that is read in full for the plan that is being made. */
  public Optional<String> reading() {
    return Optional.ofNullable(reading);
  }

  @Override
  public void close() {
    runs.close();
  }
}
