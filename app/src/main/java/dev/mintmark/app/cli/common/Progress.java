package dev.mintmark.app.cli.common;

import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * A progress bar on stderr, with a rate and the time that is left; nothing where stderr is no
 * terminal. For one thread.
 */
public final class Progress implements AutoCloseable {
  /** For a task whose end is not known: shown is how far it is and how fast. */
  public static final long TOTAL_UNKNOWN = -1;

  /** Java cannot tell by itself: the launcher does. */
  private static final boolean STDERR_IS_TERMINAL =
      Boolean.getBoolean("mintmark.stderr-is-terminal");

  /**
   * As wide as any terminal. Asked for its width, the library takes over the terminal and gives
   * Ctrl-C back to the system: the process would be gone without closing anything.
   */
  private static final int COLUMNS = 79;

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** How many steps go by between two looks at the clock, as a mask. */
  private static final long LOOK_EVERY = 0x3FFF;

  private static final long MEBIBYTE = 1 << 20;

  private final String task;
  private final String unit;
  private final long unitSize;
  private final long total;
  private final long startNanos = System.nanoTime();
  private final Duration showAfter;
  private @Nullable ProgressBar bar;

  private Progress(String task, String unit, long unitSize, long total, Duration showAfter) {
    this.task = task;
    this.unit = unit;
    this.unitSize = unitSize;
    this.total = total;
    this.showAfter = showAfter;
  }

  /**
   * Shown from the start.
   *
   * @param task what is being done
   * @param unit what is counted
   * @param total how many there will be, or {@link #TOTAL_UNKNOWN}
   */
  public static Progress of(String task, String unit, long total) {
    return new Progress(task, unit, 1, total, Duration.ZERO);
  }

  /** Shown once the task has taken two seconds, for what is usually over before. */
  public static Progress afterTwoSeconds(String task, String unit, long total) {
    return new Progress(task, unit, 1, total, PATIENCE);
  }

  /** The same for a task that counts bytes, shown in MiB. */
  public static Progress ofBytesAfterTwoSeconds(String task, long total) {
    return new Progress(task, "MiB", MEBIBYTE, total, PATIENCE);
  }

  /** Whether a task in small steps should call {@link #moveTo} at this one. */
  public boolean isDue(long count) {
    return (count & LOOK_EVERY) == LOOK_EVERY;
  }

  /** Whether a bar is on the terminal, on a line of its own. */
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
    return STDERR_IS_TERMINAL && System.nanoTime() - startNanos >= showAfter.toNanos();
  }

  /** Rate and time left count from here on: what a resumed task did before says nothing of them. */
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
