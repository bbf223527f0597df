package dev.mintmark.operations.migrate;

import java.util.Locale;

/**
 * The reasons why a plan cannot be applied. A code never changes its meaning; {@code
 * docs/errors.md} lists all of them with cause and remedy.
 */
public enum RefusalCode {
  /** The server is older than PostgreSQL 14. */
  SERVER_VERSION,
  /** The catalog names a table that does not exist. */
  MISSING_TABLE,
  /** The catalog names a view or another relation that is not a table. */
  NOT_A_TABLE,
  /** A collection is declared an integer, and its column does not exist. */
  MISSING_COLUMN,
  /** An entry of {@code referenced-by} names a column that does not exist. */
  MISSING_REFERENCE,
  /** The column that {@code created} names does not exist. */
  MISSING_CREATED_COLUMN,
  /** The column that {@code created} names does not hold times. */
  CREATED_COLUMN_TYPE,
  /** The column is declared {@code mint: server} and cannot have such a default. */
  MINT_BY_SERVER,
  /** The column has a type that the declared kind cannot be made of. */
  UNSUITABLE_TYPE,
  /** The column has a domain over a type that would have to change. */
  DOMAIN_TYPE,
  /** The column is a bigint and is declared an integer. */
  NARROWING,
  /** The column is a uuid or an integer and is declared to be text. */
  CONVERSION_TO_TEXT,
  /** A column that shares its values with the key has a type that cannot change with it. */
  CONNECTED_COLUMN_TYPE,
  /** A text column holds both ULIDs and UUIDs. */
  MIXED_IDENTIFIERS,
  /** The texts have a prefix, which a change to uuid cannot remove. */
  PREFIXED_TEXT,
  /** A text column holds values that are not identifiers, or not in their canonical form. */
  INVALID_VALUES,
  /** A text column of a unique index holds two spellings of one identifier. */
  DUPLICATE_IDENTIFIERS,
  /** A column of the key is too short for the texts of new identifiers. */
  SHORT_COLUMN,
  /**
   * The collation treats different texts as equal, and texts that are no identifiers are accepted.
   */
  NONDETERMINISTIC_COLLATION,
  /** The table is partitioned, a partition, a foreign table or part of an inheritance. */
  PARTITIONED_TABLE,
  /** The table is part of a publication. */
  PUBLISHED_TABLE,
  /** A subscription writes the table. */
  SUBSCRIBED_TABLE,
  /** Another role owns the table. */
  NOT_OWNER,
  /** Row security may hide rows from the role that migrates. */
  HIDDEN_ROWS,
  /** The table has row security, and the server is older than PostgreSQL 15. */
  ROW_SECURITY_VERSION,
  /** The table has row security and privileges on single columns. */
  COLUMN_PRIVILEGES,
  /** The role that migrates may not create objects in a schema. */
  SCHEMA_PRIVILEGE,
  /** The table has rewrite rules. */
  TABLE_RULES,
  /** The replica identity of the table is an index. */
  REPLICA_IDENTITY,
  /** A function or a column uses the row type of the table. */
  ROW_TYPE,
  /** A name that the migration needs is taken. */
  NAME_TAKEN,
  /** The key is a generated column. */
  GENERATED_COLUMN,
  /** A column of the key is nullable and has a default. */
  NULLABLE_DEFAULT,
  /** An object that cannot be carried over depends on the key. */
  DEPENDENT_OBJECT,
  /** A materialized view shows the key. */
  MATERIALIZED_VIEW,
  /** A view shows the key and cannot be created again as it is. */
  VIEW_NOT_RECREATABLE,
  /** The query of a view does not fit the new type. */
  VIEW_QUERY,
  /** Extended statistics compute with the text of the key. */
  STATISTICS_EXPRESSION,
  /** An index is invalid. */
  INVALID_INDEX,
  /** The role that migrates may not create in the tablespace of an index. */
  TABLESPACE_PRIVILEGE,
  /** The key is part of an exclusion constraint. */
  EXCLUSION_CONSTRAINT,
  /** The key is part of a constraint {@code without overlaps}. */
  TEMPORAL_CONSTRAINT,
  /** An index of the key has an access method that does not support uuid. */
  INDEX_METHOD,
  /** An index computes with the text of the key. */
  INDEX_EXPRESSION,
  /** A check constraint calls a user's function on the key. */
  CHECK_FUNCTION,
  /** A check constraint compares the text of the key with other columns. */
  CHECK_EXPRESSION,
  /** A trigger fires after the one that synchronizes the columns, and may change the row. */
  TRIGGER_ORDER,
  /** A trigger uses the text of the key. */
  TRIGGER_USES_KEY,
  /** A foreign key has the action {@code set default}. */
  SET_DEFAULT_ACTION;

  /** Returns the code as plans write it: {@code partitioned-table}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
