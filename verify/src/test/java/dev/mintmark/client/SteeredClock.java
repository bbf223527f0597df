package dev.mintmark.client;

import dev.mintmark.fixtures.Patience;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;

/** A monotonic clock that a test can put forward, for clients of a server that runs. */
public final class SteeredClock {
  private final SteeredTicker ticker = new SteeredTicker();

  /** The clock of this machine, put forward. */
  private static final class SteeredTicker implements Ticker {
    private long aheadNanos;

    @Override
    public synchronized long nanos() {
      return System.nanoTime() + aheadNanos;
    }

    @Override
    public synchronized void sleep(Duration length) throws InterruptedException {
      long end = nanos() + length.toNanos();
      for (long left = length.toNanos(); left > 0; left = end - nanos()) {
        wait(Math.max(1, Duration.ofNanos(left).toMillis()));
      }
    }

    synchronized void advance(Duration length) {
      aheadNanos += length.toNanos();
      notifyAll();
    }
  }

  /** A client whose leases follow this clock. */
  public MintmarkClient client(URI server) {
    return MintmarkClient.builder(server)
        .answerTimeout(Patience.MAX)
        .deadline(Patience.MAX)
        .build(
            new Backoff(Duration.ofMillis(50), Duration.ofMillis(200), ThreadLocalRandom::current),
            ticker,
            InstantSource.system());
  }

  /** Puts the clock forward. */
  public void advance(Duration length) {
    ticker.advance(length);
  }
}
