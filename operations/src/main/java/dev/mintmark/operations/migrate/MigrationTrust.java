package dev.mintmark.operations.migrate;

import dev.mintmark.postgres.internal.SqlFile;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Who can change the tables of migrations: a run executes their statements with the rights of its
 * role, and the status executes the queries of their limits. To be called under {@link
 * SqlSettings#PINNED}.
 */
final class MigrationTrust {
  private static final SqlFile UNTRUSTED = SqlFile.load(MigrationTrust.class, "untrusted");

  private MigrationTrust() {}

  /**
   * @param runsCode whether reading it runs code of its owner
   */
  private record Untrusted(String reason, boolean runsCode) {}

  private static List<Untrusted> untrusted(Connection connection) throws SQLException {
    return UNTRUSTED.query(
        connection,
        Map.of(),
        row -> new Untrusted(row.getString("reason"), row.getBoolean("runs_code")));
  }

  /**
   * Checks that their statements may be executed.
   *
   * @throws MigrationException if a role that has not the rights of this one could change them
   */
  static void requireForRun(Connection connection) throws SQLException {
    refuse(untrusted(connection));
  }

  /**
   * Checks that they may be read.
   *
   * @throws MigrationException if that would run code of a role that has not the rights of this one
   */
  static void requireForReading(Connection connection) throws SQLException {
    refuse(untrusted(connection).stream().filter(Untrusted::runsCode).toList());
  }

  private static void refuse(List<Untrusted> found) {
    if (!found.isEmpty()) {
      throw new MigrationException(
          "another role could change what this one runs: %s; run it as the owner, or give the schema mintmark and its tables key_* to this role, and revoke the privileges of others"
              .formatted(found.stream().map(Untrusted::reason).collect(Collectors.joining(", "))));
    }
  }

  /** Returns why their queries must not be executed; empty if they may be. */
  static Optional<String> obstacle(Connection connection) throws SQLException {
    return untrusted(connection).stream()
        .map(found -> "not read, because another role could change the query: " + found.reason())
        .findFirst();
  }
}
