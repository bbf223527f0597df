package dev.mintmark.operations.doctor;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.Rollback;
import dev.mintmark.postgres.internal.SqlFile;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Reads a database and reports present and future problems of its identifiers.
 *
 * <pre>{@code
 * Diagnosis diagnosis = Doctor.over(dataSource).examine();
 * diagnosis.findings().forEach(finding -> log(finding.object() + ": " + finding.found()));
 * }</pre>
 *
 * <p><b>Safe on production.</b> Everything is read in one transaction, {@code repeatable read read
 * only}, which is rolled back. No lock is stronger than ACCESS SHARE, and each is released after
 * its statement. No statement waits for a lock, or runs, longer than {@link DoctorOptions} allows.
 * Most data comes from the system catalog and the statistics. The doctor reads these rows: the
 * greatest value of a key, if an index begins with it; for a key that runs out, two more rows by
 * that index; the first 1,000 rows of a table with a column whose statistics the role may not see;
 * and the names of sequences that are fed from pools.
 *
 * <p><b>Few privileges.</b> Any role that may connect is sufficient. What it may not read is in
 * {@link Diagnosis#notLookedAt()} and {@link Diagnosis#unseenTables()}.
 *
 * <p>PostgreSQL 14 and later, also on a standby. Immutable; safe for use by many threads.
 */
public final class Doctor {
  private static final SqlFile SETTINGS = SqlFile.load(Doctor.class, "settings");

  private static final SqlFile MISSING_SCHEMAS = SqlFile.load(Doctor.class, "missing_schemas");

  private static final SqlFile UNSEEN_TABLES = SqlFile.load(Doctor.class, "unseen_tables");

  private static final int SERVER_VERSION_MIN = 14;

  private static final Comparator<Finding> WORST_FIRST =
      Comparator.comparing(Finding::severity)
          .reversed()
          .thenComparing(Finding::check)
          .thenComparing(Finding::object);

  private final DataSource connections;

  private Doctor(DataSource connections) {
    this.connections = connections;
  }

  /** Returns the doctor of a database. Each examination takes one connection. */
  public static Doctor over(DataSource connections) {
    return new Doctor(connections);
  }

  /**
   * Examines all tables with the default options.
   *
   * @throws SQLException as {@link #examine(DoctorOptions)}
   */
  public Diagnosis examine() throws SQLException {
    return examine(DoctorOptions.defaults());
  }

  /**
   * Examines the tables of users: not those of system schemas, of the schema {@code mintmark} and
   * of extensions, and not temporary tables.
   *
   * @throws IllegalArgumentException if one of the schemas does not exist
   * @throws SQLException if the database cannot be reached, the connection is lost, or the server
   *     is older than 14
   */
  public Diagnosis examine(DoctorOptions options) throws SQLException {
    return examine(options, List.of());
  }

  /**
   * Examines the tables of users as {@link #examine(DoctorOptions)} does, and compares the defaults
   * of columns with what a catalog declares ({@link Check#MINT_DRIFT}).
   *
   * @param declared what the catalog declares; columns that do not exist are skipped
   * @throws IllegalArgumentException if one of the schemas does not exist
   * @throws SQLException as {@link #examine(DoctorOptions)}
   */
  public Diagnosis examine(DoctorOptions options, List<DeclaredMint> declared) throws SQLException {
    try (Connection connection = connections.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      try {
        begin(connection, options);
        Diagnosis diagnosis = examine(new GuardedReader(connection), options, declared);
        connection.rollback();
        connection.setAutoCommit(autoCommit);
        return diagnosis;
      } catch (SQLException | RuntimeException e) {
        Rollback.after(e, connection);
        throw e;
      }
    }
  }

  private static void begin(Connection connection, DoctorOptions options) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set transaction isolation level repeatable read, read only");
    }
    SETTINGS.query(
        connection,
        Map.of(
            "statement_timeout", options.statementTimeout().toMillis(),
            "lock_timeout", options.lockTimeout().toMillis()),
        row -> row.getString(1));
    int version = connection.getMetaData().getDatabaseMajorVersion();
    if (version < SERVER_VERSION_MIN) {
      throw new SQLException(
          "the server is PostgreSQL %s: expected %s or later"
              .formatted(version, SERVER_VERSION_MIN),
          "0A000");
    }
    List<String> missing =
        MISSING_SCHEMAS.query(
            connection,
            Map.of("schemas", options.schemas().toArray(String[]::new)),
            row -> row.getString("name"));
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no schema " + Quoted.of(missing.get(0)) + " in this database");
    }
  }

  private static Diagnosis examine(
      GuardedReader reader, DoctorOptions options, List<DeclaredMint> declared)
      throws SQLException {
    SchemaSnapshot snapshot = SchemaSnapshot.read(reader, options.schemas());
    List<Finding> findings = new ArrayList<>();
    NumberKeys numbers = NumberKeys.read(snapshot, reader);
    findings.addAll(numbers.findings());
    findings.addAll(References.findings(snapshot, numbers));
    findings.addAll(TextIds.findings(snapshot, reader));
    findings.addAll(RandomKeys.findings(snapshot, reader));
    findings.addAll(Defaults.findings(snapshot, reader));
    findings.addAll(MintDrift.findings(snapshot, declared));
    findings.addAll(Leftovers.findings(snapshot, reader));
    findings.addAll(LooseIds.findings(snapshot));
    findings.sort(WORST_FIRST);
    return new Diagnosis(
        snapshot.count(), findings, reader.notLookedAt(), unseenTables(snapshot, reader));
  }

  private static List<UnseenTable> unseenTables(SchemaSnapshot snapshot, GuardedReader reader)
      throws SQLException {
    List<UnseenTable> unseen = new ArrayList<>(reader.lockedTables());
    unseen.addAll(
        reader.query(
            UNSEEN_TABLES,
            "privileges of this role",
            Map.of(
                "tables",
                snapshot.tables().values().stream()
                    .map(Table::root)
                    .distinct()
                    .toArray(Long[]::new)),
            row ->
                new UnseenTable(
                    row.getString("schema"),
                    row.getString("name"),
                    row.getString("shown"),
                    row.getString("reason"),
                    Optional.of(row.getString("remedy")))));
    return unseen;
  }
}
