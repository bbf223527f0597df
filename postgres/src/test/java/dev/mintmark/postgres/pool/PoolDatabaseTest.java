package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Transactions that wait for a lock for a limited time. */
@Tag("database")
class PoolDatabaseTest {
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private final TestDatabase database = TestDatabase.create();

  @Test
  void aTransactionEndsWithoutAResultOnceItWaitedForALockInVain() {
    database.execute("create table shelf (item text)");
    database.execute("insert into shelf values ('book')");
    try (Session reader = new Session(database)) {
      reader.run("select from shelf for update");

      assertThat(inTime("select item from public.shelf for update")).isEmpty();
    }
    assertThat(inTime("select item from public.shelf for update")).contains(List.of("book"));
  }

  /** PostgreSQL reports some lock timeouts as requests to cancel; see LockTimeout. */
  @Test
  void aStatementThatIsCanceledWhenItsPatienceIsOverWaitedInVain() {
    assertThat(inTime("select pg_sleep(0.25), pg_cancel_backend(pg_backend_pid()), pg_sleep(60)"))
        .isEmpty();
  }

  @Test
  void aStatementThatIsCanceledBeforeHasFailed() {
    assertHasFailed(
        () -> in(Patience.MAX, "select pg_cancel_backend(pg_backend_pid()), pg_sleep(60)"));
  }

  /** It is reported as a request to cancel as well, and does not mean that others have the row. */
  @Test
  void aStatementThatTookLongerThanAnyMayHasFailed() {
    database.execute("alter database " + database.name() + " set statement_timeout = '300ms'");

    assertHasFailed(() -> inTime("select pg_sleep(60)"));
  }

  private static void assertHasFailed(ThrowingCallable work) {
    assertThatThrownBy(work)
        .isInstanceOf(PoolUnavailableException.class)
        .hasMessageContaining("the database failed: ERROR: canceling statement");
  }

  private Optional<List<String>> inTime(String sql) {
    return in(PATIENCE, sql);
  }

  private Optional<List<String>> in(Duration patience, String sql) {
    return PoolDatabase.of(database.dataSource())
        .transaction(
            patience, statements -> statements.query(sql, row -> row.getString(1)), rows -> true);
  }
}
