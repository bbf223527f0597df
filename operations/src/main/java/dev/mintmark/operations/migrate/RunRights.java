package dev.mintmark.operations.migrate;

import dev.mintmark.postgres.internal.SqlFile;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * What a role lacks to run a migration.
 *
 * @param role the role
 * @param notOwned the tables of the migration that it does not own
 * @param notWritten the tables with the progress of migrations that it may not write
 */
public record RunRights(String role, List<String> notOwned, List<String> notWritten) {
  private static final SqlFile RIGHTS = SqlFile.load(RunRights.class, "run_rights");

  public RunRights {
    notOwned = List.copyOf(notOwned);
    notWritten = List.copyOf(notWritten);
  }

  static RunRights of(Connection connection, List<String> tables) throws SQLException {
    return RIGHTS
        .query(
            connection,
            Map.of("tables", tables.toArray(new String[0])),
            row ->
                new RunRights(
                    row.getString("role"), texts(row, "not_owned"), texts(row, "not_written")))
        .get(0);
  }

  private static List<String> texts(ResultSet row, String column) throws SQLException {
    return List.of((String[]) row.getArray(column).getArray());
  }

  /** Returns whether the role may run the migration. */
  public boolean areSufficient() {
    return notOwned.isEmpty() && notWritten.isEmpty();
  }
}
