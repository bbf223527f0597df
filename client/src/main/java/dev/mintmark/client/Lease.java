package dev.mintmark.client;

import dev.mintmark.DurationText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A claim that is kept alive: a daemon thread renews it at each third of its lease. Safe for use by
 * many threads.
 *
 * <p>The value may be used while {@link #isHeld} is true. That ends 19/20 of the lease after the
 * last renewal that succeeded was sent, by the monotonic clock of this machine. The server's lease
 * began after that, so it ends later, whatever the clocks of the two show; a twentieth of the lease
 * is left for what is in progress and for clocks that run at different speeds. The clock stands
 * still while a machine is suspended. Where that happens, let the resource that the value protects
 * compare the token of the claim as well.
 *
 * <p>Once lost, a lease stays lost: claim again.
 */
public final class Lease implements AutoCloseable {
  private static final int RENEWALS_PER_LEASE = 3;
  private static final int MARGIN_PARTS = 20;
  private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

  private final Pool pool;
  private final Transport transport;
  private final Ticker ticker;
  private final Duration length;
  private final Consumer<LeaseLoss> onLoss;
  private final Thread thread;
  private volatile Term term;
  private volatile @Nullable LeaseLoss loss;
  private volatile boolean isClosed;

  /**
   * From one renewal to the next.
   *
   * @param sentNanos when the renewal was sent, by the monotonic clock
   */
  private record Term(Claim claim, long sentNanos) {}

  private Lease(
      Pool pool, Transport transport, Duration length, Term first, Consumer<LeaseLoss> onLoss) {
    this.pool = pool;
    this.transport = transport;
    this.ticker = transport.ticker();
    this.length = length;
    this.term = first;
    this.onLoss = onLoss;
    this.thread = new Thread(this::run, "mintmark-lease-" + pool.name());
    thread.setDaemon(true);
  }

  static Lease start(
      Pool pool, Transport transport, Claim claim, Duration lease, Consumer<LeaseLoss> onLoss) {
    Duration length = lease.truncatedTo(ChronoUnit.MILLIS);
    Reply reply = transport.send(pool.renewal(claim.value(), claim.token(), Optional.of(length)));
    if (reply.isError()) {
      throw reply.failure();
    }
    Term first = new Term(reply.read(ClaimJson::claim), reply.sentNanos());
    Lease kept = new Lease(pool, transport, length, first, onLoss);
    kept.thread.start();
    return kept;
  }

  /** The claim, as it was renewed last. */
  public Claim claim() {
    return term.claim();
  }

  /** Whether the value may be used now. Costs no request. */
  public boolean isHeld() {
    return !remaining().isZero();
  }

  /** How long the value may be used if it is not renewed again; zero if it is not held. */
  public Duration remaining() {
    if (isClosed || loss != null) {
      return Duration.ZERO;
    }
    return Duration.ofNanos(Math.max(0, endNanos() - ticker.nanos()));
  }

  /** How the claim was lost; empty while it is held, and after it was closed. */
  public Optional<LeaseLoss> loss() {
    return Optional.ofNullable(loss);
  }

  /**
   * Stops using the claim: ends its renewals and releases it. Does nothing if it is lost or closed.
   *
   * @throws MintmarkException if the server did not release it; the server then holds it until the
   *     end of the lease
   */
  @Override
  public void close() {
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
    }
    if (Thread.currentThread() != thread) {
      thread.interrupt();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedCallException(e);
      }
    }
    if (loss == null) {
      ReleaseResult ignored = pool.release(term.claim());
    }
  }

  private long endNanos() {
    return term.sentNanos() + length.toNanos() - length.toNanos() / MARGIN_PARTS;
  }

  private void run() {
    try {
      while (loss == null && !isClosed) {
        long renewNanos = term.sentNanos() + length.toNanos() / RENEWALS_PER_LEASE;
        sleep(renewNanos - ticker.nanos());
        renew();
      }
    } catch (InterruptedException | InterruptedCallException e) {
      // The lease was closed.
    }
  }

  /** Returns when the claim is renewed or lost. */
  private void renew() throws InterruptedException {
    Optional<RuntimeException> failure = Optional.empty();
    while (endNanos() - ticker.nanos() > 0) {
      try {
        Claim claim = term.claim();
        Reply reply =
            transport.send(
                pool.renewal(claim.value(), claim.token(), Optional.of(length)), endNanos());
        if (!reply.isError()) {
          term = new Term(reply.read(ClaimJson::claim), reply.sentNanos());
          return;
        }
        failure = Optional.of(reply.failure());
        switch (Pool.code(reply)) {
          case "claim-not-found" -> {
            lose(LeaseLoss.Reason.NOT_HELD, failure);
            return;
          }
          case "token-superseded" -> {
            lose(LeaseLoss.Reason.SUPERSEDED, failure);
            return;
          }
          default -> {}
        }
      } catch (InterruptedCallException e) {
        throw e;
      } catch (RuntimeException e) {
        // Of the supplier of keys too: the next key may be right.
        failure = Optional.of(e);
      }
      sleep(Math.min(PAUSE_MAX.toNanos(), endNanos() - ticker.nanos()));
    }
    lose(LeaseLoss.Reason.NOT_RENEWED, failure);
  }

  private void lose(LeaseLoss.Reason reason, Optional<RuntimeException> cause) {
    LeaseLoss lost = new LeaseLoss(term.claim(), reason, cause);
    synchronized (this) {
      if (isClosed) {
        return;
      }
      loss = lost;
    }
    onLoss.accept(lost);
  }

  private void sleep(long nanos) throws InterruptedException {
    if (nanos > 0) {
      ticker.sleep(Duration.ofNanos(nanos));
    }
  }

  @Override
  public String toString() {
    return "Lease[%s, %s, remaining=%s]"
        .formatted(pool.name(), term.claim().value(), DurationText.format(remaining()));
  }
}
