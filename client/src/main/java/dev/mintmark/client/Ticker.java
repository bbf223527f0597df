package dev.mintmark.client;

import java.time.Duration;

/** A monotonic clock, and pauses that are measured by it. */
interface Ticker {
  /** The clock of this machine. On most systems it stands still while the machine is suspended. */
  Ticker SYSTEM =
      new Ticker() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void sleep(Duration length) throws InterruptedException {
          Thread.sleep(length.toMillis(), length.toNanosPart() % 1_000_000);
        }
      };

  /** Nanoseconds since some time. Only differences mean something. */
  long nanos();

  /** Waits. Fails at once if the thread is interrupted. */
  void sleep(Duration length) throws InterruptedException;
}
