package dev.mintmark.postgres.page;

import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Measures the cost of the transaction column and its index for inserts, and prints a table. It
 * runs by name only: {@code mvn -q -pl postgres -am test -Dtest=XidColumnCost
 * -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class XidColumnCost {
  private static final int ROUNDS = 3;
  private static final int ROWS = 1_000_000;
  private static final int SINGLE_ROWS = 10_000;

  private final TestDatabase database = TestServer.NEWEST.createDatabase();

  /**
   * The table without the transaction column, with the column, and with the column and its index.
   */
  private enum Variant {
    WITHOUT("", ""),
    COLUMN(", xid xid8 not null default pg_current_xact_id()", ""),
    COLUMN_AND_INDEX(
        ", xid xid8 not null default pg_current_xact_id()",
        "create index on incidents (organisation_id, xid, id)");

    private final String column;
    private final String index;

    Variant(String column, String index) {
      this.column = column;
      this.index = index;
    }
  }

  /** The time, the written WAL and the size of the table. */
  private record Cost(double millis, long walBytes, long tableBytes) {
    static Cost best(List<Cost> rounds) {
      return new Cost(
          rounds.stream().mapToDouble(Cost::millis).min().orElseThrow(),
          rounds.stream().mapToLong(Cost::walBytes).min().orElseThrow(),
          rounds.stream().mapToLong(Cost::tableBytes).min().orElseThrow());
    }
  }

  /** The measured work, which inserts the rows. */
  private interface Load {
    void run(Connection connection) throws SQLException;
  }

  @Test
  void print() throws SQLException {
    print(ROWS + " rows in one statement", XidColumnCost::insertAll);
    print(SINGLE_ROWS + " rows in a statement and transaction each", XidColumnCost::insertSingly);
  }

  private void print(String what, Load load) throws SQLException {
    List<List<Cost>> costs =
        Arrays.stream(Variant.values()).map(v -> (List<Cost>) new ArrayList<Cost>()).toList();
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < costs.size(); i++) {
        costs.get(i).add(measure(Variant.values()[i], load));
      }
    }
    Cost without = Cost.best(costs.get(0));
    System.out.printf(
        "%n%s%n%-18s %10s %6s %10s %6s %10s %6s%n",
        what, "", "ms", "ratio", "WAL MB", "ratio", "size MB", "ratio");
    for (int i = 0; i < costs.size(); i++) {
      Cost cost = Cost.best(costs.get(i));
      System.out.printf(
          "%-18s %10.0f %6.2f %10.1f %6.2f %10.1f %6.2f%n",
          Variant.values()[i],
          cost.millis(),
          cost.millis() / without.millis(),
          cost.walBytes() / 1e6,
          (double) cost.walBytes() / without.walBytes(),
          cost.tableBytes() / 1e6,
          (double) cost.tableBytes() / without.tableBytes());
    }
  }

  private Cost measure(Variant variant, Load load) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      Incidents.execute(connection, "drop table if exists incidents");
      Incidents.execute(
          connection,
          "create table incidents (id uuid primary key default uuidv7(), organisation_id text not null, name text not null"
              + variant.column
              + ")");
      Incidents.execute(connection, "create index on incidents (organisation_id, id)");
      if (!variant.index.isEmpty()) {
        Incidents.execute(connection, variant.index);
      }
      Incidents.execute(connection, "checkpoint");
      long before = wal(connection);
      long start = System.nanoTime();
      load.run(connection);
      double millis = (System.nanoTime() - start) / 1e6;
      long after = wal(connection);
      long size = Incidents.number(connection, "select pg_total_relation_size('incidents')");
      return new Cost(millis, after - before, size);
    }
  }

  private static long wal(Connection connection) throws SQLException {
    return Incidents.number(connection, "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
  }

  private static void insertAll(Connection connection) throws SQLException {
    Incidents.execute(
        connection,
        "insert into incidents (organisation_id, name) select 'org' || n % 100, 'incident ' || n from generate_series(1, "
            + ROWS
            + ") n");
  }

  private static void insertSingly(Connection connection) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into incidents (organisation_id, name) values (?, ?)")) {
      for (int i = 0; i < SINGLE_ROWS; i++) {
        insert.setString(1, "org" + i % 100);
        insert.setString(2, "incident " + i);
        insert.executeUpdate();
      }
    }
  }
}
