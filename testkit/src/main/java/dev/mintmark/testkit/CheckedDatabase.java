package dev.mintmark.testkit;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.RowReader;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** The database of a pool, as a check looks at it. Safe for use by many threads. */
final class CheckedDatabase {
  private static final SqlFile CENSUS = SqlFile.load(CheckedDatabase.class, "census");
  private static final SqlFile TERMINATE_SESSION =
      SqlFile.load(CheckedDatabase.class, "terminate_session");

  private final Transactions transactions;
  private final String pool;

  /**
   * @param connections connections without planted faults
   */
  CheckedDatabase(DataSource connections, String pool) {
    this.transactions = new Transactions(connections);
    this.pool = pool;
  }

  /** Counts the values of the pool by state, in one snapshot. */
  PoolCounts counts() {
    return query(CENSUS, CheckedDatabase::readCounts, bind("name", pool)).get(0);
  }

  /**
   * Terminates sessions in the middle of a statement, or idle ones. Returns how many.
   *
   * @param applicationName which sessions
   */
  long terminateSessions(String applicationName, boolean idle) {
    return query(
            TERMINATE_SESSION,
            row -> row.getLong("terminated"),
            bind("application_name", applicationName),
            bind("idle", idle))
        .get(0);
  }

  /** Runs a statement, and once again after a broken connection. */
  private <T> List<T> query(SqlFile statement, RowReader<T> reader, Bind... binds) {
    try {
      try {
        return transactions.single(statements -> statements.query(statement, reader, binds));
      } catch (SQLException e) {
        if (!Transactions.isConnectionFailure(e)) {
          throw e;
        }
      }
      return transactions.single(statements -> statements.query(statement, reader, binds));
    } catch (SQLException e) {
      throw new PoolUnavailableException(
          "pool %s: the database failed: %s".formatted(Quoted.of(pool), e.getMessage()), e);
    }
  }

  private static PoolCounts readCounts(ResultSet row) throws SQLException {
    return new PoolCounts(
        row.getLong("capacity"),
        row.getLong("free"),
        row.getLong("never_issued"),
        row.getLong("held"),
        row.getLong("quarantined"),
        row.getLong("draining"),
        row.getLong("twofold"));
  }
}
