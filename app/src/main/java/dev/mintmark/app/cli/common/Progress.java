package dev.mintmark.app.cli.common;

import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A progress bar on stderr, with the rate and the remaining time. It is not shown if stderr is not
 * a terminal, or with {@code -q}. Not thread-safe.
 */
public final class Progress implements AutoCloseable {
  /** The total of a task whose end is unknown: only the count and the rate are shown. */
  public static final long TOTAL_UNKNOWN = -1;

  /** The launcher sets this property: Java cannot test a single stream. */
  private static final boolean STDERR_IS_TERMINAL =
      Boolean.getBoolean("mintmark.stderr-is-terminal");

  /**
   * A width that fits every terminal. If the library had to ask for the width, it would take over
   * the terminal and reset the handler of Ctrl-C: the process would end without closing anything.
   */
  private static final int COLUMNS = 79;

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** The number of steps between two readings of the clock, as a mask. */
  private static final long LOOK_EVERY = 0x3FFF;

  private static final long MEBIBYTE = 1 << 20;

  private final String task;
  private final String unit;
  private final long unitSize;
  private final long total;
  private final long startNanos = System.nanoTime();
  private final Duration showAfter;
  private final boolean mayShow;
  private @Nullable ProgressBar bar;

  private Progress(
      CommandSpec command,
      String task,
      String unit,
      long unitSize,
      long total,
      Duration showAfter) {
    this.mayShow = STDERR_IS_TERMINAL && Verbosity.of(command).showsProgress();
    this.task = task;
    this.unit = unit;
    this.unitSize = unitSize;
    this.total = total;
    this.showAfter = showAfter;
  }

  /**
   * Returns a bar that is shown from the start.
   *
   * @param command the command that shows it
   * @param task the name of the task
   * @param unit the name of what is counted
   * @param total the expected count, or {@link #TOTAL_UNKNOWN}
   */
  public static Progress of(CommandSpec command, String task, String unit, long total) {
    return new Progress(command, task, unit, 1, total, Duration.ZERO);
  }

  /** Returns a bar that is shown after two seconds, for tasks that are usually shorter. */
  public static Progress afterTwoSeconds(
      CommandSpec command, String task, String unit, long total) {
    return new Progress(command, task, unit, 1, total, PATIENCE);
  }

  /** As {@link #afterTwoSeconds} for a task that counts bytes; they are shown in MiB. */
  public static Progress ofBytesAfterTwoSeconds(CommandSpec command, String task, long total) {
    return new Progress(command, task, "MiB", MEBIBYTE, total, PATIENCE);
  }

  /** Whether a task in small steps should call {@link #moveTo} for this step. */
  public boolean isDue(long count) {
    return (count & LOOK_EVERY) == LOOK_EVERY;
  }

  /** Whether a bar is shown on the current line of the terminal. */
  public boolean isDrawn() {
    return bar != null;
  }

  public void moveTo(long count) {
    if (bar == null && isShown()) {
      bar = newBar(count);
    }
    if (bar != null) {
      bar.stepTo(count);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }

  private boolean isShown() {
    return mayShow && System.nanoTime() - startNanos >= showAfter.toNanos();
  }

  /** The rate is measured from {@code count} on, so a resumed task does not distort it. */
  private ProgressBar newBar(long count) {
    return new ProgressBarBuilder()
        .setTaskName(task)
        .setUnit(" " + unit, unitSize)
        .setInitialMax(total)
        .startsFrom(count, Duration.ofNanos(System.nanoTime() - startNanos))
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(200)
        .showSpeed()
        .setConsumer(new ConsoleProgressBarConsumer(System.err, COLUMNS))
        .build();
  }
}
