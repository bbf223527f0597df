package dev.mintmark.app.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.ThreadPerTask;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

@Tag("long")
class FailFastConnectionsTest {
  @Test
  void aDatabaseThatIsDownIsNotAskedByEveryCaller() throws SQLException {
    EmbeddedDatabase embedded = EmbeddedDatabase.startTemporary();
    try (Database database = Database.over(embedded)) {
      DataSource connections = database.servingConnections("test", 2);
      try (Connection connection = connections.getConnection()) {
        assertThat(connection.isValid(60)).isTrue();
      }

      embedded.close();

      Set<Throwable> failures = new HashSet<>();
      for (int i = 0; i < 30; i++) {
        SQLException failure = catchThrowableOfType(SQLException.class, () -> query(connections));
        // A connection that was used a moment ago is handed out without a check.
        if ("08001".equals(failure.getSQLState())) {
          failures.add(failure.getCause());
        }
      }
      assertThat(failures).as("attempts").hasSizeBetween(1, 15);
    }
  }

  @Test
  void fewCallersWaitForADatabaseThatDoesNotAnswer() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        HikariDataSource pool = new HikariDataSource()) {
      PGSimpleDataSource driver = new PGSimpleDataSource();
      driver.setUrl("jdbc:postgresql://127.0.0.1:%d/any".formatted(silent.getLocalPort()));
      // It stands still until all callers wait, and then for those who may go on waiting.
      AtomicLong clock = new AtomicLong();
      Set<Thread> waiting = ConcurrentHashMap.newKeySet();
      LongSupplier nanoTime =
          () -> {
            waiting.add(Thread.currentThread());
            return clock.get();
          };
      FailFastConnections.Attempts attempts = new FailFastConnections.Attempts(driver, clock::get);
      HikariConfig config = pool;
      config.setDataSource(attempts);
      config.setMaximumPoolSize(2);
      config.setConnectionTimeout(250);
      config.setInitializationFailTimeout(-1);
      FailFastConnections connections = new FailFastConnections(pool, attempts, nanoTime);
      waiting.clear();

      List<CompletableFuture<String>> callers = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        callers.add(
            CompletableFuture.supplyAsync(() -> failure(connections), ThreadPerTask.EXECUTOR));
      }

      Patience.await("all wait", () -> waiting.size() == callers.size());
      assertThat(callers).as("the clock stands still").noneMatch(CompletableFuture::isDone);
      clock.set(TimeUnit.SECONDS.toNanos(2));
      Patience.await(
          "only few wait",
          () -> callers.stream().filter(CompletableFuture::isDone).count() >= 60 - 16);
      clock.set(TimeUnit.SECONDS.toNanos(6));

      List<String> failures = callers.stream().map(CompletableFuture::join).toList();
      assertThat(failures.stream().filter(text -> text.contains("waiting=")).count())
          .as(failures.toString())
          .isGreaterThanOrEqualTo(60 - 16);
    }
  }

  /** HikariCP itself would pause for twice as long after each failure. */
  @Test
  void aDatabaseThatIsNotThereIsTriedAgainUntilItIsOrThePoolIsClosed() throws SQLException {
    AtomicInteger tried = new AtomicInteger();
    Connection opened = StubConnections.connection(() -> {});
    AtomicReference<String> state = new AtomicReference<>("08001");
    FailFastConnections.Attempts attempts =
        new FailFastConnections.Attempts(
            new StubConnections(
                () -> {
                  if (tried.incrementAndGet() % 4 == 0) {
                    return opened;
                  }
                  throw new SQLException("refused", state.get());
                }),
            System::nanoTime);
    long start = System.nanoTime();

    assertThatThrownBy(attempts::getConnection).hasMessage("refused");
    attempts.repeatWhile(() -> tried.get() < 6);
    assertThat(attempts.getConnection()).isSameAs(opened);
    assertThat(tried).hasValue(4);
    assertThat((Throwable) attempts.failureSince(start)).hasMessage("refused");
    assertThat(attempts.hasSucceededSince(start)).isTrue();
    assertThat(attempts.hasSucceededSince(System.nanoTime())).isFalse();

    assertThatThrownBy(attempts::getConnection).hasMessage("refused");
    assertThat(tried).as("until the pool is closed").hasValue(6);

    attempts.repeatWhile(() -> true);
    state.set("53300");
    assertThatThrownBy(attempts::getConnection).hasMessage("refused");
    assertThat(tried).as("a server that is full is left alone").hasValue(7);
  }

  private static void query(DataSource connections) throws SQLException {
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("select 1");
    }
  }

  private static String failure(DataSource connections) {
    SQLException failure =
        catchThrowableOfType(SQLException.class, () -> connections.getConnection().close());
    return String.valueOf(failure.getMessage());
  }
}
