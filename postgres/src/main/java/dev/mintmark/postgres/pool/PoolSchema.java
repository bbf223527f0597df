package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions;
import dev.mintmark.postgres.internal.Transactions.Statements;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** Creates and upgrades the tables of pools for programs without a tool for migrations. */
final class PoolSchema {
  /** The files of {@link Pools#MIGRATIONS}, in the order in which they are run. */
  static final List<String> MIGRATIONS =
      List.of(
          "V1__pools",
          "V2__exclusions",
          "V3__epochs",
          "V4__sweeps",
          "V5__slices",
          "V6__gates",
          "V7__sql_claims",
          "V8__search",
          "V9__usage",
          "V10__prefixes",
          "V11__limits",
          "V12__databases",
          "V13__supplies");

  private static final SqlFile LOCK_SCHEMA = SqlFile.load(PoolSchema.class, "lock_schema");
  private static final SqlFile SCHEMA_STATE = SqlFile.load(PoolSchema.class, "schema_state");
  private static final SqlFile CREATE_SCHEMA = SqlFile.load(PoolSchema.class, "create_schema");
  private static final SqlFile CREATE_HISTORY = SqlFile.load(PoolSchema.class, "create_history");
  private static final SqlFile LIST_MIGRATIONS = SqlFile.load(PoolSchema.class, "list_migrations");
  private static final SqlFile RECORD_MIGRATION =
      SqlFile.load(PoolSchema.class, "record_migration");

  private PoolSchema() {}

  private record State(boolean hasSchema, boolean hasPools, boolean isNewest, boolean hasHistory) {}

  static int migrate(DataSource dataSource) throws SQLException {
    return new Transactions(dataSource).transaction(PoolSchema::migrate, done -> true);
  }

  private static int migrate(Statements statements) throws SQLException {
    List<String> unused = statements.query(LOCK_SCHEMA, row -> "");
    State state = state(statements);
    if (state.hasPools && !state.hasHistory) {
      return checkTablesOfOtherTool(state);
    }
    if (!state.hasSchema) {
      statements.update(CREATE_SCHEMA);
    }
    if (!state.hasHistory) {
      statements.update(CREATE_HISTORY);
    }
    List<String> done = statements.query(LIST_MIGRATIONS, row -> row.getString("name"));
    List<String> missing = MIGRATIONS.stream().filter(name -> !done.contains(name)).toList();
    for (String name : missing) {
      statements.execute(script(name));
      statements.update(RECORD_MIGRATION, bind("name", name));
    }
    return missing.size();
  }

  private static State state(Statements statements) throws SQLException {
    return statements
        .query(
            SCHEMA_STATE,
            row ->
                new State(
                    row.getBoolean("has_schema"),
                    row.getBoolean("has_pools"),
                    row.getBoolean("is_newest"),
                    row.getBoolean("has_history")))
        .get(0);
  }

  /** Its history is not ours, so that tool upgrades its tables. */
  private static int checkTablesOfOtherTool(State state) {
    if (!state.isNewest) {
      throw new IllegalStateException(
          "the tables of pools belong to an earlier version of Mintmark, and another tool created"
              + " them: let that tool run the migrations at "
              + Pools.MIGRATIONS);
    }
    return 0;
  }

  private static String script(String name) {
    String file = "schema/" + name + ".sql";
    try (InputStream script = PoolSchema.class.getResourceAsStream(file)) {
      if (script == null) {
        throw new IllegalStateException("no " + file + " beside " + PoolSchema.class);
      }
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
