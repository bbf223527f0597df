package dev.mintmark.app.database;

import dev.mintmark.app.access.Keys;
import dev.mintmark.operations.migrate.Migrations;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.numbers.SequenceFeed;
import java.util.List;
import java.util.stream.Stream;

/**
 * The tables of Mintmark, all in the schema {@code mintmark}, by the migrations that create them.
 */
public enum TableSet {
  POOLS(
      Pools.MIGRATIONS,
      "schema_history",
      "pool pool_arrival pool_block pool_bucket pool_claim pool_claim_label pool_claim_note"
          + " pool_departure pool_epoch pool_free pool_gate pool_history pool_listed pool_name"
          + " pool_owner pool_quarantine pool_slice pool_source pool_supply pool_sweep pool_usage"),

  /** Keys and the audit. */
  ACCESS(Keys.MIGRATIONS, "access_schema_history", "access_audit access_key"),

  /** What feeds sequences; one script without versions. */
  FEEDS(SequenceFeed.MIGRATIONS, "schema_history", "sequence_feed sequence_run"),

  /** Migrations of keys; one script without versions. */
  KEY_MIGRATIONS(
      Migrations.MIGRATIONS,
      "schema_history",
      "key_migration key_migration_limit key_migration_step key_migration_wait key_quarantine");

  public static final String SCHEMA = "mintmark";

  private final String migrations;
  private final String history;
  private final String tables;

  TableSet(String migrations, String history, String tables) {
    this.migrations = migrations;
    this.history = history;
    this.tables = tables;
  }

  /** Where the migrations are on the class path. */
  String migrations() {
    return migrations;
  }

  /** The names of the tables of all sets. */
  public static List<String> allTables() {
    return Stream.of(values()).flatMap(set -> set.tables().stream()).toList();
  }

  /** Whether its migrations have versions, which the history records. */
  public boolean hasVersions() {
    return this == POOLS || this == ACCESS;
  }

  /** The table that says which migrations we ran. */
  public String history() {
    return history;
  }

  /** The names of the tables, in the order of the alphabet. */
  public List<String> tables() {
    return List.of(tables.split(" ", -1));
  }
}
