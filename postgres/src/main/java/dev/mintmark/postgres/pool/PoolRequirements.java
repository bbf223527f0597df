package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Statements;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Checks what pools require of a database and some relatives of PostgreSQL do not provide, in part
 * without an error: tokens that ascend across sessions, statements that see what was committed
 * before them, rows that can be changed by their address while they are locked, {@code skip
 * locked}, advisory locks, and exclusion constraints.
 *
 * <p>A database that provides all of it may still lack something else: {@code mintmark pool verify}
 * runs pools there under faults.
 */
public final class PoolRequirements {
  private static final SqlFile TOKEN = SqlFile.load(PoolRequirements.class, "require_tokens");
  private static final SqlFile CONSTRAINTS =
      SqlFile.load(PoolRequirements.class, "require_constraints");
  private static final SqlFile SEEN = SqlFile.load(PoolRequirements.class, "require_seen");
  private static final SqlFile CHANGE = SqlFile.load(PoolRequirements.class, "require_change");
  private static final SqlFile ADDRESS = SqlFile.load(PoolRequirements.class, "require_address");
  private static final SqlFile SKIPPED = SqlFile.load(PoolRequirements.class, "require_skipped");
  private static final SqlFile ADVISORY = SqlFile.load(PoolRequirements.class, "require_advisory");

  /** The overlap of addresses and that of numbers. */
  private static final int CONSTRAINTS_PRESENT = 2;

  /** SQLSTATE classes: syntax error or access rule violation, feature not supported. */
  private static final List<String> UNSUPPORTED = List.of("42", "0A");

  /** Insufficient privilege: this says nothing about the database. */
  private static final String DENIED = "42501";

  private final PoolDatabase database;
  private final List<String> unmet = new ArrayList<>();

  private PoolRequirements(PoolDatabase database) {
    this.database = database;
  }

  /**
   * Returns the requirements that a database does not meet, each as a sentence with what was found;
   * empty if it meets all. Takes some ten statements, draws three tokens and changes no pool. Any
   * number of instances may check at the same time.
   *
   * @param dataSource gives two connections at the same time, of a role that may claim
   * @throws PoolUnavailableException if the database failed, the tables of pools are missing, or
   *     the role may not claim
   */
  public static List<String> unmetBy(DataSource dataSource) {
    PoolRequirements check = new PoolRequirements(PoolDatabase.of(dataSource));
    check.run("tokens that ascend across sessions", check::tokens);
    check.run("exclusion constraints", check::constraints);
    check.run("statements that see what was committed before", check::readCommitted);
    check.run("rows that are changed by their address (ctid)", check::address);
    check.run("advisory locks", check::advisoryLocks);
    return List.copyOf(check.unmet);
  }

  private void tokens(Statements one) throws SQLException {
    List<Long> drawn = List.of(token(one), database.single(PoolRequirements::token), token(one));
    if (drawn.get(0) >= drawn.get(1) || drawn.get(1) >= drawn.get(2)) {
      unmet.add(
          "two sessions drew the tokens %s, %s and %s in this order, which do not ascend: the sequence mintmark.pool_token must not be cached (on YugabyteDB set ysql_sequence_cache_minval=0 and create it with cache 1)"
              .formatted(drawn.get(0), drawn.get(1), drawn.get(2)));
    }
  }

  private static long token(Statements session) throws SQLException {
    return session.query(TOKEN, row -> row.getLong("token")).get(0);
  }

  private void constraints(Statements one) throws SQLException {
    int present = one.query(CONSTRAINTS, row -> row.getInt("present")).get(0);
    if (present < CONSTRAINTS_PRESENT) {
      unmet.add(
          "%s of the %s exclusion constraints of mintmark.pool_block are present: without them blocks that overlap are added"
              .formatted(present, CONSTRAINTS_PRESENT));
    }
  }

  private void readCommitted(Statements one) throws SQLException {
    String before = seen(one);
    int unused = database.single(other -> other.update(CHANGE));
    if (seen(one).equals(before)) {
      unmet.add(
          "a transaction in read committed did not see what another session had committed before the statement (on YugabyteDB set yb_enable_read_committed_isolation=true)");
    }
  }

  private static String seen(Statements session) throws SQLException {
    return session.query(SEEN, row -> row.getString("swept_at")).get(0);
  }

  private void address(Statements one) throws SQLException {
    if (one.update(ADDRESS) != 1) {
      unmet.add("a row was not found by its address (ctid) in the statement that locked it");
    } else if (!database.single(other -> other.query(SKIPPED, row -> "")).isEmpty()) {
      unmet.add("a row that another session had locked was not skipped (skip locked)");
    }
  }

  private void advisoryLocks(Statements one) throws SQLException {
    if (!isTaken(one)) {
      return; // Another instance checks: its lock is the proof.
    }
    if (database.single(PoolRequirements::isTaken)) {
      unmet.add("two sessions have the same advisory lock");
    }
  }

  private static boolean isTaken(Statements session) throws SQLException {
    return session.query(ADVISORY, row -> row.getBoolean("taken")).get(0);
  }

  private interface Requirement {
    void check(Statements one) throws SQLException;
  }

  /** Checks in a transaction that is rolled back. */
  private void run(String name, Requirement requirement) {
    try {
      boolean unused =
          database.transactionWithoutRepeat(
              one -> {
                requirement.check(one);
                return false;
              },
              keep -> keep);
    } catch (PoolUnavailableException e) {
      if (!isUnsupported(e)) {
        throw e;
      }
      unmet.add("%s: %s".formatted(name, reason(e)));
    }
  }

  private static boolean isUnsupported(PoolUnavailableException e) {
    return e.getCause() instanceof SQLException cause
        && !PoolDatabase.isTableMissing(cause)
        && cause.getSQLState() != null
        && !cause.getSQLState().equals(DENIED)
        && UNSUPPORTED.stream().anyMatch(cause.getSQLState()::startsWith);
  }

  private static String reason(PoolUnavailableException e) {
    Throwable cause = e.getCause();
    return cause == null ? String.valueOf(e.getMessage()) : String.valueOf(cause.getMessage());
  }
}
