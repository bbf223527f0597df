package dev.mintmark.app.maintenance;

import dev.mintmark.operations.migrate.MigrationException;
import dev.mintmark.operations.migrate.MigrationListener;
import dev.mintmark.operations.migrate.MigrationOutcome;
import dev.mintmark.operations.migrate.Migrations;
import dev.mintmark.operations.migrate.Pace;
import dev.mintmark.operations.migrate.Step;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs of migrations in a server: continues, rolls back and contracts the migration of its
 * database in a thread of its own, at the {@linkplain Pace#GENTLE default pace}. A run that ends
 * with the server can be resumed, as after a kill. Safe for use by many threads.
 */
public final class MigrationRuns implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MigrationRuns.class);

  /** How long a request waits for the first step, or for the reason why there is none. */
  private static final Duration BEGINNING = Duration.ofSeconds(3);

  /** How long the end of the server waits for the batch in progress. */
  private static final Duration ENDING = Duration.ofSeconds(5);

  private static final String STOPPED = "the server was stopped";

  private final Migrations migrations;
  private final InstantSource clock;
  private @Nullable Thread thread;
  private @Nullable Run last;
  private volatile boolean isStopping;

  /**
   * @param connections a new connection for each use, directly to the server, without a limit for
   *     an answer
   */
  MigrationRuns(DataSource connections, InstantSource clock) {
    this.migrations = Migrations.over(connections);
    this.clock = clock;
  }

  /** What a run does. */
  public enum Command {
    RESUME,
    ROLLBACK,
    CONTRACT;

    /** The name, as on the command line: {@code rollback}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A run.
   *
   * @param ended when it ended; empty while it runs
   * @param outcome empty while it runs, and if it failed
   * @param failure why it failed
   */
  public record Run(
      Command command,
      Instant started,
      Optional<Instant> ended,
      Optional<MigrationOutcome> outcome,
      Optional<String> failure) {
    private Run ended(Instant at, Optional<MigrationOutcome> outcome, Optional<String> failure) {
      return new Run(command, started, Optional.of(at), outcome, failure);
    }
  }

  /** Returns the last run since the server started. */
  public synchronized Optional<Run> last() {
    return Optional.ofNullable(last);
  }

  /**
   * Starts a run and returns once its first step has begun, or after 3 s. Progress and end are in
   * {@link Migrations#status} and {@link #last}.
   *
   * @return false if a run of this server is in progress, and no other was started
   * @throws MigrationException if the migration cannot be run so, or another run works on it
   * @throws SQLException if the database failed before the first step
   */
  public boolean start(Command command) throws SQLException {
    CompletableFuture<Boolean> begun = new CompletableFuture<>();
    synchronized (this) {
      if (thread != null) {
        return false;
      }
      thread = new Thread(() -> run(command, begun), "mintmark-migrate");
      thread.setDaemon(true);
      thread.start();
    }
    await(begun);
    return true;
  }

  private static void await(CompletableFuture<Boolean> begun) throws SQLException {
    try {
      begun.get(BEGINNING.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // Whoever started it no longer waits: if it fails now, that is in last().
      begun.complete(true);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SQLException failed) {
        throw failed;
      }
      if (e.getCause() instanceof RuntimeException failed) {
        throw failed;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private void run(Command command, CompletableFuture<Boolean> begun) {
    Run run =
        new Run(command, clock.instant(), Optional.empty(), Optional.empty(), Optional.empty());
    try {
      MigrationOutcome outcome = run(command, new RunListener(run, begun));
      end(Optional.of(run.ended(clock.instant(), Optional.of(outcome), Optional.empty())));
      begun.complete(true);
    } catch (SQLException | RuntimeException e) {
      if (begun.isDone()) {
        String why = isStopping ? STOPPED : Failure.text(e);
        LOG.warn("migrate {} ended: {}", command.label(), why);
        end(Optional.of(run.ended(clock.instant(), Optional.empty(), Optional.of(why))));
      } else {
        // A run without a step changed nothing: the request is answered with the reason.
        end(Optional.empty());
        begun.completeExceptionally(e);
      }
    }
  }

  private synchronized void end(Optional<Run> run) {
    thread = null;
    run.ifPresent(ended -> last = ended);
  }

  private MigrationOutcome run(Command command, MigrationListener listener) throws SQLException {
    return switch (command) {
      case RESUME -> migrations.resume(Pace.GENTLE, listener);
      case ROLLBACK -> migrations.rollback(Pace.GENTLE, listener);
      case CONTRACT -> migrations.contract(Pace.GENTLE, listener);
    };
  }

  private synchronized void begin(Run run) {
    last = run;
  }

  /** Notes the first step, and ends the run when the server stops. */
  private final class RunListener implements MigrationListener {
    private final Run run;
    private final CompletableFuture<Boolean> begun;

    RunListener(Run run, CompletableFuture<Boolean> begun) {
      this.run = run;
      this.begun = begun;
    }

    @Override
    public void started(Step step, StepPosition position) {
      endIfStopping();
      begin(run);
      begun.complete(true);
    }

    @Override
    public void progressed(Step step, long rows) {
      endIfStopping();
    }

    @Override
    public void waiting(Step step, String why, Duration howLong) {
      endIfStopping();
    }

    private void endIfStopping() {
      if (isStopping) {
        throw new IllegalStateException(STOPPED);
      }
    }
  }

  /** Ends the run after its transaction in progress, or cancels the index that it creates. */
  @Override
  public void close() {
    isStopping = true;
    Thread running;
    synchronized (this) {
      running = thread;
    }
    if (running == null) {
      return;
    }
    running.interrupt();
    try {
      running.join(ENDING.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
