package dev.mintmark.operations.migrate;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.operations.migrate.CutConnections.Cut;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/**
 * Runs migrations whose session ends before every statement that they send, and within every one
 * that makes an index, each once: after each cut the migration is resumed, until nothing is left to
 * be cut. Two statements are the same if their texts and those of the ones before them are, and as
 * much was done when they came.
 */
final class EveryPlace implements AutoCloseable {
  private static final String DONE =
      """
      select concat_ws(' ',
        (select string_agg(m.state, ' ' order by m.id) from mintmark.key_migration m),
        (select md5(string_agg(concat_ws(' ', s.state, s.cursor, s.rows_done), ',' order by s.migration_id, s.ordinal))
          from mintmark.key_migration_step s),
        (select md5(string_agg(i.indexrelid::regclass || ' ' || i.indisvalid, ',' order by i.indexrelid::regclass::text))
          from pg_index i where i.indexrelid >= 16384))""";

  private final CutConnections connections;
  private final HikariDataSource uncut;
  private final Migrations cut;
  private final Migrations whole;
  private final Set<String> places = new HashSet<>();

  private String before = "";
  private boolean hasBegun;

  EveryPlace(TestDatabase database) throws SQLException {
    this.connections = new CutConnections(database.dataSource());
    this.cut = Migrations.over(connections.dataSource());
    this.uncut = database.connectionPool(1);
    this.whole = Migrations.over(uncut);
  }

  /** Something that begins, or goes on with, a migration. */
  interface Run {
    MigrationOutcome with(Migrations migrations, MigrationListener listener) throws SQLException;
  }

  /** At how many places something was cut up to now. */
  int places() {
    return places.size();
  }

  /** Runs it to its end. */
  MigrationOutcome run(Run begin) throws SQLException {
    MigrationState state = state();
    while (true) {
      Run run =
          state() == state ? begin : (migrations, hears) -> migrations.resume(Migrated.PACE, hears);
      before = "";
      hasBegun = false;
      connections.cutWhere(this::at);
      try {
        MigrationOutcome outcome = run.with(cut, begun());
        connections.mend();
        return outcome;
      } catch (SQLException e) {
        if (!connections.mend()) {
          throw e;
        }
      }
    }
  }

  private MigrationListener begun() {
    return new MigrationListener() {
      @Override
      public void started(Step step, StepPosition position) {
        hasBegun = true;
      }
    };
  }

  private MigrationState state() throws SQLException {
    return whole.status().map(MigrationStatus::state).orElse(MigrationState.ROLLED_BACK);
  }

  private Cut at(String sql) throws SQLException {
    // What a run opens with is the same wherever it goes on.
    String place = (hasBegun ? done() : "opening") + "\n" + before + "\n" + sql;
    before = sql;
    if (places.add(place)) {
      return Cut.BEFORE;
    }
    boolean makesIndex = sql.startsWith("create ") && sql.contains(" index concurrently ");
    return makesIndex && places.add("within " + sql) ? Cut.WITHIN : Cut.NOT;
  }

  private String done() throws SQLException {
    return connections.ask(DONE, row -> row.getString(1));
  }

  @Override
  public void close() throws SQLException {
    try (uncut) {
      connections.close();
    }
  }
}
