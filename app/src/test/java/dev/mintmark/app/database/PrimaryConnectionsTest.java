package dev.mintmark.app.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.fixtures.Patience;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What comes of several hosts; {@link DriverConnectionsTest} has one that hangs. */
class PrimaryConnectionsTest {
  private final AtomicInteger closed = new AtomicInteger();

  @Test
  void theHostThatWasThePrimaryIsAskedFirst() throws SQLException {
    List<Integer> asked = new CopyOnWriteArrayList<>();
    PrimaryConnections connections =
        new PrimaryConnections(
            List.of(
                new StubConnections(
                    () -> {
                      asked.add(0);
                      throw new SQLException("a standby", "08001");
                    }),
                new StubConnections(
                    () -> {
                      asked.add(1);
                      return connection();
                    })),
            Patience.MAX);

    connections.getConnection().close();
    connections.getConnection().close();

    assertThat(asked).containsExactly(0, 1, 1);
  }

  @Test
  void aConnectionThatComesTooLateIsClosed() throws SQLException {
    CountDownLatch isAsked = new CountDownLatch(1);
    Connection first = connection();
    Connection second = connection();
    PrimaryConnections connections =
        new PrimaryConnections(
            List.of(
                new StubConnections(
                    () -> {
                      assertThat(isAsked.await(Patience.MAX.toSeconds(), TimeUnit.SECONDS))
                          .isTrue();
                      return first;
                    }),
                new StubConnections(() -> second)));

    assertThat(connections.getConnection()).isSameAs(second);
    isAsked.countDown();
    Patience.await("the late connection is closed", () -> closed.get() == 1);
  }

  @Test
  void aFailureThatWaitingDoesNotMendIsTold() {
    PrimaryConnections connections =
        new PrimaryConnections(
            List.of(
                StubConnections.refusing("08001"),
                StubConnections.refusing("28P01"),
                StubConnections.refusing("08001")));

    assertThatThrownBy(connections::getConnection)
        .isInstanceOfSatisfying(
            SQLException.class,
            failure -> {
              assertThat(failure.getSQLState()).isEqualTo("28P01");
              assertThat(failure.getSuppressed()).hasSize(2);
            });
  }

  private Connection connection() {
    return StubConnections.connection(closed::incrementAndGet);
  }
}
