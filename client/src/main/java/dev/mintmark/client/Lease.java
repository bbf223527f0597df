package dev.mintmark.client;

import dev.mintmark.DurationText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
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
  private final Pool pool;
  private final Transport transport;
  private final Duration length;
  private final Consumer<LeaseLoss> onLoss;
  private final Keeper keeper;
  private final AtomicBoolean isReleased = new AtomicBoolean();
  private volatile Term term;
  private volatile @Nullable LeaseLoss loss;

  private Lease(
      Pool pool, Transport transport, Duration length, Term first, Consumer<LeaseLoss> onLoss) {
    this.pool = pool;
    this.transport = transport;
    this.length = length;
    this.term = first;
    this.onLoss = onLoss;
    this.keeper = new Keeper("mintmark-lease-" + pool.name(), transport.ticker(), this::run);
  }

  static Lease start(
      Pool pool, Transport transport, Claim claim, Duration lease, Consumer<LeaseLoss> onLoss) {
    Duration length = lease.truncatedTo(ChronoUnit.MILLIS);
    Reply reply = transport.send(pool.renewal(claim.value(), claim.token(), Optional.of(length)));
    if (reply.isError()) {
      throw reply.failure();
    }
    Term first = new Term(reply.read(ClaimJson::claim), reply.sentNanos(), length);
    Lease kept = new Lease(pool, transport, length, first, onLoss);
    kept.keeper.start();
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
    if (keeper.isClosed() || loss != null) {
      return Duration.ZERO;
    }
    return Duration.ofNanos(Math.max(0, term.endNanos() - keeper.nanos()));
  }

  /** How the claim was lost; empty while it is held, and after it was closed. */
  public Optional<LeaseLoss> loss() {
    return Optional.ofNullable(loss);
  }

  /**
   * Stops using the claim: ends its renewals and releases it. Does nothing if it is lost or closed.
   *
   * @throws InterruptedCallException if the thread is interrupted; closing again releases the claim
   * @throws MintmarkException if the server did not release it; the server then holds it until the
   *     end of the lease
   */
  @Override
  public void close() {
    keeper.close();
    if (loss == null && isReleased.compareAndSet(false, true)) {
      try {
        ReleaseResult ignored = pool.release(term.claim());
      } catch (InterruptedCallException e) {
        isReleased.set(false);
        throw e;
      }
    }
  }

  private void run() throws InterruptedException {
    while (loss == null && !keeper.isClosed()) {
      keeper.sleep(term.renewNanos() - keeper.nanos());
      renew();
    }
  }

  /** Returns when the claim is renewed or lost. */
  private void renew() throws InterruptedException {
    Optional<RuntimeException> failure = Optional.empty();
    while (term.endNanos() - keeper.nanos() > 0) {
      try {
        Claim claim = term.claim();
        Reply reply =
            transport.send(
                pool.renewal(claim.value(), claim.token(), Optional.of(length)), term.endNanos());
        if (!reply.isError()) {
          term = term.renewed(reply.read(ClaimJson::claim), reply.sentNanos());
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
      } catch (Throwable e) {
        // Of the supplier of keys too: the next key may be right.
        failure = Optional.of(keeper.failure(e));
      }
      keeper.sleep(Math.min(Term.PAUSE_MAX.toNanos(), term.endNanos() - keeper.nanos()));
    }
    lose(LeaseLoss.Reason.NOT_RENEWED, failure);
  }

  private void lose(LeaseLoss.Reason reason, Optional<RuntimeException> cause) {
    LeaseLoss lost = new LeaseLoss(term.claim(), reason, cause);
    if (!keeper.isClosed()) {
      loss = lost;
      keeper.tell(() -> onLoss.accept(lost));
    }
  }

  @Override
  public String toString() {
    return "Lease[%s, %s, remaining=%s]"
        .formatted(pool.name(), term.claim().value(), DurationText.format(remaining()));
  }
}
