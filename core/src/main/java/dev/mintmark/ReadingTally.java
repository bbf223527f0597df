package dev.mintmark;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts what the identifiers of a stream were read as, see {@link Transcoder#transcode(byte[],
 * int, int, byte[], int, ReadingTally)}.
 *
 * <p>Identifiers are counted when their row is: {@link #commit} counts those since the last call,
 * {@link #discard} forgets them. Not thread-safe; each thread has its own, and {@link #add} sums
 * them.
 */
public final class ReadingTally {
  private final Map<Layout, long[]> counts = new HashMap<>();

  /** The layouts of identifiers that are not counted yet. */
  private Layout[] pending = new Layout[4];

  private int pendingCount;

  /** Creates a tally of nothing. */
  public ReadingTally() {}

  void note(Layout layout) {
    if (pendingCount == pending.length) {
      pending = Arrays.copyOf(pending, 2 * pendingCount);
    }
    pending[pendingCount++] = layout;
  }

  /** Counts the identifiers of the current row. */
  public void commit() {
    for (int i = 0; i < pendingCount; i++) {
      count(pending[i], 1);
    }
    pendingCount = 0;
  }

  /** Forgets the identifiers of the current row. */
  public void discard() {
    pendingCount = 0;
  }

  /** Adds what another tally has counted. */
  public void add(ReadingTally other) {
    other.counts.forEach((layout, count) -> count(layout, count[0]));
  }

  /** Forgets everything. */
  public void clear() {
    counts.clear();
    pendingCount = 0;
  }

  private void count(Layout layout, long more) {
    counts.computeIfAbsent(layout, none -> new long[1])[0] += more;
  }

  /** The counts by the {@link Reading#kind} of the readings, the highest first. */
  public Map<String, Long> counts() {
    Map<String, Long> byKind = new TreeMap<>();
    counts.forEach((layout, count) -> byKind.merge(layout.kind(), count[0], Long::sum));
    Map<String, Long> sorted = new LinkedHashMap<>();
    byKind.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
    return sorted;
  }
}
