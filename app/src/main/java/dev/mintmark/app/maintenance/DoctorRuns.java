package dev.mintmark.app.maintenance;

import dev.mintmark.app.service.DeclaredMints;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.operations.doctor.DeclaredMint;
import dev.mintmark.operations.doctor.Diagnosis;
import dev.mintmark.operations.doctor.Doctor;
import dev.mintmark.operations.doctor.DoctorOptions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The doctor of a server: examines its database on request, with the limits of {@code mintmark
 * doctor}, one run at a time, and keeps the last report. Safe for use by many threads.
 */
public final class DoctorRuns implements AutoCloseable {
  private final DataSource connections;
  private final Optional<Path> catalogFile;
  private final LatestRun<Examination> runs;

  DoctorRuns(DataSource connections, Optional<Path> catalogFile, InstantSource clock) {
    this.connections = connections;
    this.catalogFile = catalogFile;
    this.runs = new LatestRun<>("mintmark-doctor", clock);
  }

  /** A report, and the role whose rights it depends on. */
  public record Examination(String role, Diagnosis diagnosis) {}

  /** The file of the catalog whose mints the reports compare with. */
  public Optional<Path> catalogFile() {
    return catalogFile;
  }

  /** Starts a run, unless one is in progress. */
  public void start() {
    runs.start(this::examine);
  }

  private Examination examine() throws SQLException {
    List<DeclaredMint> declared =
        catalogFile.map(file -> DeclaredMints.of(CatalogReader.read(file))).orElse(List.of());
    String role;
    try (Connection connection = connections.getConnection()) {
      role = connection.getMetaData().getUserName();
    }
    return new Examination(
        role, Doctor.over(connections).examine(DoctorOptions.defaults(), declared));
  }

  /** Returns the last report, and whether a run is in progress. */
  public RunState<Examination> state() {
    return runs.state();
  }

  @Override
  public void close() {
    runs.close();
  }
}
