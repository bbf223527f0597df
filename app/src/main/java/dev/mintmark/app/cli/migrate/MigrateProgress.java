package dev.mintmark.app.cli.migrate;

import dev.mintmark.DurationText;
import dev.mintmark.app.cli.common.CalledAs;
import dev.mintmark.app.cli.common.Progress;
import dev.mintmark.app.cli.common.Verbosity;
import dev.mintmark.operations.migrate.MigrationListener;
import dev.mintmark.operations.migrate.Step;
import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Shows the progress of a migration: a line for each step and, on a terminal, a bar with the rate
 * and the remaining time for each step that processes rows. The reason for a wait is printed at
 * once, then every ten seconds. Not thread-safe, except for {@link #interrupted}.
 */
final class MigrateProgress implements MigrationListener, AutoCloseable {
  private static final Duration QUIET = Duration.ofSeconds(10);

  /** Clears the line of the bar. */
  private static final String OVER_BAR = "\r\u001B[K";

  private final CommandSpec command;
  private volatile @Nullable Progress bar;
  private @Nullable Long reportedNanos;
  private boolean begun;

  MigrateProgress(CommandSpec command) {
    this.command = command;
  }

  /** Reports that the process ends. Called by another thread. */
  void interrupted() {
    println(
        command.commandLine().getErr(),
        "mintmark: interrupted: " + CalledAs.in(MigrateRunSubcommand.CONTINUE));
  }

  /** Whether a step has started. */
  boolean hasBegun() {
    return begun;
  }

  @Override
  public void started(Step step, StepPosition position) {
    begun = true;
    reportedNanos = null;
    closeBar();
    println(
        "[%s/%s] %s: %s%s"
            .formatted(
                position.ordinal(),
                position.steps(),
                step.phase().label(),
                position.backwards() ? "undo: " : "",
                step.title()));
    boolean throughRows = step.work() != Step.Work.TRANSACTION && !position.backwards();
    if (throughRows && step.estimate().rows() > 0) {
      bar = Progress.afterTwoSeconds(command, step.target(), "rows", step.estimate().rows());
    }
  }

  @Override
  public void progressed(Step step, long rows) {
    Progress shown = bar;
    if (shown != null) {
      shown.moveTo(rows);
    }
  }

  @Override
  public void waiting(Step step, String why, Duration howLong) {
    long now = System.nanoTime();
    boolean notice = howLong.isZero();
    if (!notice && reportedNanos != null && now - reportedNanos < QUIET.toNanos()) {
      return;
    }
    if (notice) {
      println("  " + why);
    } else {
      reportedNanos = now;
      println("  waits %s: %s".formatted(DurationText.format(howLong), why));
    }
  }

  @Override
  public void finished(Step step) {
    closeBar();
  }

  @Override
  public void close() {
    closeBar();
  }

  private void closeBar() {
    Progress shown = bar;
    if (shown != null) {
      shown.close();
      bar = null;
    }
  }

  private void println(String line) {
    println(Verbosity.notices(command), line);
  }

  private void println(PrintWriter to, String line) {
    Progress shown = bar;
    to.println(shown != null && shown.isDrawn() ? OVER_BAR + line : line);
    to.flush();
  }
}
