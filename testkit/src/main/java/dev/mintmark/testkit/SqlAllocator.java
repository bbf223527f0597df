package dev.mintmark.testkit;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import dev.mintmark.postgres.internal.Transactions.Work;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.testkit.Operation.Answer;
import dev.mintmark.testkit.Operation.Call;
import dev.mintmark.testkit.Operation.Held;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A pool of ours as a program sees it that calls the functions of SQL: {@code claim_value}, {@code
 * renew_value} and {@code release_value}. A claim for several slots is a transaction of several
 * calls. Safe for use by many threads.
 */
final class SqlAllocator implements Allocator {
  private static final SqlFile CLAIM = SqlFile.load(SqlAllocator.class, "sql_claim");
  private static final SqlFile RENEW = SqlFile.load(SqlAllocator.class, "sql_renew");
  private static final SqlFile RELEASE = SqlFile.load(SqlAllocator.class, "sql_release");
  private static final SqlFile HELD = SqlFile.load(SqlAllocator.class, "sql_held");

  private final String pool;
  private final Transactions transactions;
  private final CheckedDatabase database;

  /**
   * @param instance the connections of the program
   * @param connections where values are counted: connections without planted faults
   */
  SqlAllocator(String pool, DataSource instance, DataSource connections) {
    this.pool = pool;
    this.transactions = new Transactions(instance);
    this.database = new CheckedDatabase(connections, pool);
  }

  /** What one call of claim_value returned. */
  private record Row(String outcome, String value, long token) {
    static Row read(ResultSet row) throws SQLException {
      String value = row.getString("value");
      return new Row(row.getString("outcome"), value == null ? "" : value, row.getLong("token"));
    }
  }

  @Override
  public Answer claim(Call.Claim claim) {
    return run(
        statements -> {
          List<Held> held = new ArrayList<>();
          boolean granted = false;
          for (int slot = claim.slot(); slot < claim.slot() + claim.count(); slot++) {
            Row row = claim(statements, claim, slot);
            if (row.value.isEmpty()) {
              return refusal(row.outcome);
            }
            granted |= row.outcome.equals("granted");
            Optional<Held> claimed = held(statements, claim, slot, row);
            if (claimed.isEmpty()) {
              return new Answer.Unknown("the claim ended before its slot was read");
            }
            held.add(claimed.get());
          }
          return granted ? new Answer.Granted(held) : new Answer.AlreadyHeld(held);
        });
  }

  private Row claim(Statements statements, Call.Claim claim, int slot) throws SQLException {
    return statements
        .query(
            CLAIM,
            Row::read,
            bind("pool", pool),
            bind("client", claim.client()),
            bind("owner", claim.owner().orElse(null)),
            bind("lease_millis", claim.lease().map(Duration::toMillis).orElse(null)),
            bind("slot", slot),
            bind("value", claim.value().orElse(null)))
        .get(0);
  }

  /**
   * A named value is in any slot of the client, which a second statement reads: empty if the claim
   * has ended meanwhile.
   */
  private Optional<Held> held(Statements statements, Call.Claim claim, int slot, Row row)
      throws SQLException {
    return claim.value().isEmpty()
        ? Optional.of(new Held(row.value, claim.client(), slot, row.token))
        : statements.query(HELD, SqlAllocator::readHeld, binds(row.token)).stream().findFirst();
  }

  private static Answer refusal(String outcome) {
    return switch (outcome) {
      case "exhausted" -> new Answer.Exhausted();
      case "quota-client", "quota-owner" -> new Answer.QuotaReached();
      case "taken" -> new Answer.ValueTaken();
      default -> new Answer.Unknown(outcome);
    };
  }

  @Override
  public Answer renew(Held held, Duration lease) {
    return run(
        statements ->
            answer(
                statements.query(
                    RENEW,
                    row -> row.getString("outcome"),
                    bind("pool", pool),
                    bind("value", held.value()),
                    bind("token", held.token()),
                    bind("lease_millis", lease.toMillis())),
                "renewed",
                new Answer.Renewed()));
  }

  @Override
  public Answer release(Held held) {
    return run(
        statements ->
            answer(
                statements.query(
                    RELEASE,
                    row -> row.getString("outcome"),
                    bind("pool", pool),
                    bind("value", held.value()),
                    bind("token", held.token())),
                "released",
                new Answer.Released()));
  }

  private static Answer answer(List<String> outcome, String done, Answer answer) {
    if (outcome.contains("contended")) {
      return new Answer.Unknown("contended");
    }
    return outcome.contains(done) ? answer : new Answer.Refused();
  }

  @Override
  public PoolCounts counts() {
    return database.counts();
  }

  @Override
  public List<Held> held() {
    return query(statements -> statements.query(HELD, SqlAllocator::readHeld, binds(null)));
  }

  private Bind[] binds(@Nullable Long token) {
    return new Bind[] {bind("pool", pool), bind("token", token)};
  }

  private static Held readHeld(ResultSet row) throws SQLException {
    return new Held(
        row.getString("value"), row.getString("client"), row.getInt("slot"), row.getLong("token"));
  }

  /** Runs a call in a transaction, which is rolled back if the call is refused. */
  private Answer run(Work<Answer> call) {
    try {
      return transactions.transaction(call, SqlAllocator::changes);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private static boolean changes(Answer answer) {
    return answer instanceof Answer.Granted
        || answer instanceof Answer.Renewed
        || answer instanceof Answer.Released;
  }

  private <T> T query(Work<T> work) {
    try {
      return transactions.single(work);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private PoolUnavailableException failure(SQLException e) {
    return new PoolUnavailableException(
        "pool %s: the database failed: %s".formatted(Quoted.of(pool), e.getMessage()), e);
  }
}
