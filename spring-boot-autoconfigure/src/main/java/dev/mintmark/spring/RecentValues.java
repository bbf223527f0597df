package dev.mintmark.spring;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What the database was asked for, by name: each value is read at most every ten seconds, by one
 * thread, however often meters show it. Safe for use by many threads.
 */
final class RecentValues<T> {
  private static final long RECENT_NANOS = 10_000_000_000L;

  private final Map<String, Read<T>> values = new ConcurrentHashMap<>();

  private record Read<T>(T value, long nanos) {
    boolean isRecent() {
      return System.nanoTime() - nanos < RECENT_NANOS;
    }
  }

  /** Returns the value that was read last, or reads it. */
  T get(String name, Supplier<T> read) {
    return values.compute(
            name,
            (key, before) ->
                before != null && before.isRecent()
                    ? before
                    : new Read<>(read.get(), System.nanoTime()))
        .value;
  }
}
