package dev.mintmark.app.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Unpooled connections to the primary among several hosts. Safe for use by many threads.
 *
 * <pre>
 *   the host that was the primary last    is asked first
 *   a host that does not answer           costs a quarter of a second; then the next one is asked beside it
 *   the first that lets the client in     is used; a connection that another host opens later is closed
 * </pre>
 *
 * <p>The driver would ask one host after the other, and wait up to four seconds for one that hangs,
 * each time.
 */
final class PrimaryConnections extends WrappedConnections {
  private static final Duration HEAD_START = Duration.ofMillis(250);

  private final List<? extends DataSource> hosts;
  private final Duration headStart;
  private volatile int primary;

  /**
   * @param hosts each connects to one host, and fails if that is not the primary
   */
  PrimaryConnections(List<? extends DataSource> hosts) {
    this(hosts, HEAD_START);
  }

  /**
   * @param headStart after how long without an answer the next host is asked as well
   */
  PrimaryConnections(List<? extends DataSource> hosts, Duration headStart) {
    super(hosts.get(0));
    this.hosts = List.copyOf(hosts);
    this.headStart = headStart;
  }

  /**
   * {@inheritDoc}
   *
   * @throws SQLException if no host lets the client in: the failure of one, with those of the
   *     others as suppressed ones
   */
  @Override
  public Connection getConnection() throws SQLException {
    return new Race(primary).winner();
  }

  /** How an attempt ended: with a connection, or with a failure. */
  private record Outcome(
      int host, @Nullable Connection connection, @Nullable SQLException failure) {}

  /** The attempts for one connection. */
  private final class Race {
    private final BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
    private final List<SQLException> failures = new ArrayList<>();
    private final int first;
    private int begun;
    private boolean isOver;

    Race(int first) {
      this.first = first;
    }

    Connection winner() throws SQLException {
      try {
        while (failures.size() < hosts.size()) {
          Outcome outcome = next();
          if (outcome != null && outcome.connection != null) {
            primary = outcome.host;
            return outcome.connection;
          }
          if (outcome != null && outcome.failure != null) {
            failures.add(outcome.failure);
          }
        }
        throw failure();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new SQLException("interrupted", e);
      } finally {
        end();
      }
    }

    /**
     * Asks another host, if there is one, and returns what comes first; null if nothing does soon.
     */
    private @Nullable Outcome next() throws InterruptedException {
      if (begun < hosts.size()) {
        int host = (first + begun) % hosts.size();
        begun++;
        Thread attempt = new Thread(() -> attempt(host), "mintmark-connect");
        attempt.setDaemon(true);
        attempt.start();
      }
      return begun < hosts.size()
          ? outcomes.poll(headStart.toMillis(), TimeUnit.MILLISECONDS)
          : outcomes.take();
    }

    private void attempt(int host) {
      try {
        report(new Outcome(host, hosts.get(host).getConnection(), null));
      } catch (SQLException e) {
        report(new Outcome(host, null, e));
      } catch (RuntimeException e) {
        report(new Outcome(host, null, new SQLException(e)));
      }
    }

    private synchronized void report(Outcome outcome) {
      if (isOver) {
        close(outcome);
      } else {
        outcomes.add(outcome);
      }
    }

    private synchronized void end() {
      isOver = true;
      outcomes.forEach(Race::close);
    }

    private static void close(Outcome late) {
      try {
        if (late.connection != null) {
          late.connection.close();
        }
      } catch (SQLException e) {
        // Nobody uses it, and the driver has closed its socket.
      }
    }

    /** The failure that waiting does not mend, if there is one; otherwise that of the last host. */
    private SQLException failure() {
      SQLException told =
          failures.stream()
              .filter(failure -> !Database.isAwaited(failure))
              .findFirst()
              .orElseGet(() -> failures.get(failures.size() - 1));
      failures.stream().filter(failure -> failure != told).forEach(told::addSuppressed);
      return told;
    }
  }
}
