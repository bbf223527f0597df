package dev.mintmark.app.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * How often the same line is logged: {@value #LINES_MAX} times a minute. The others are counted.
 *
 * <pre>
 *   admits(kind)     ten times true, then false
 *   ended()          a minute after the first: how many were left out
 *   admits(kind)     true: the next minute has begun
 * </pre>
 *
 * <p>At most {@value #KINDS_MAX} kinds are counted by themselves at a time; further ones share one
 * count, so that clients without number can neither fill the memory nor the log. Safe for use by
 * many threads.
 */
final class RepeatLimit {
  /** Lines of a kind in a minute. */
  static final int LINES_MAX = 10;

  static final int KINDS_MAX = 1_000;

  static final Duration WINDOW = Duration.ofMinutes(1);

  /** All kinds for which there is no room. */
  static final Kind OTHERS = new Kind("dev.mintmark.app.log.RepeatLimit", "others", "others");

  private final LongSupplier nanoTime;
  private final Map<Kind, Window> windows = new HashMap<>();

  RepeatLimit(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Lines that count as the same.
   *
   * @param code the code of a problem, or the message without its values
   * @param caller empty if no request caused it
   */
  record Kind(String logger, String code, String caller) {}

  /** How many lines of a kind were left out in a minute. */
  record LeftOut(Kind kind, long lines) {}

  private static final class Window {
    private final long beganNanos;
    private long lines;

    Window(long beganNanos) {
      this.beganNanos = beganNanos;
    }

    boolean isOver(long now) {
      return now - beganNanos >= WINDOW.toNanos();
    }

    long leftOut() {
      return Math.max(0, lines - LINES_MAX);
    }
  }

  /**
   * Counts a line.
   *
   * @return whether it is logged
   */
  synchronized boolean admits(Kind kind) {
    Window window = windows.get(kind);
    if (window == null) {
      Kind counted = windows.size() < KINDS_MAX ? kind : OTHERS;
      window = windows.computeIfAbsent(counted, first -> new Window(nanoTime.getAsLong()));
    }
    window.lines++;
    return window.lines <= LINES_MAX;
  }

  /** Forgets the minutes that are over, and returns what was left out in them. */
  synchronized List<LeftOut> ended() {
    long now = nanoTime.getAsLong();
    return end(window -> window.isOver(now));
  }

  /** Ends all minutes, because nothing will be logged any more. */
  synchronized List<LeftOut> close() {
    return end(window -> true);
  }

  private List<LeftOut> end(Predicate<Window> isOver) {
    List<LeftOut> leftOut = new ArrayList<>();
    for (Iterator<Map.Entry<Kind, Window>> all = windows.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<Kind, Window> each = all.next();
      if (isOver.test(each.getValue())) {
        all.remove();
        if (each.getValue().leftOut() > 0) {
          leftOut.add(new LeftOut(each.getKey(), each.getValue().leftOut()));
        }
      }
    }
    return leftOut;
  }

  /** How many kinds are counted. */
  synchronized int size() {
    return windows.size();
  }
}
