package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.postgres.internal.SqlFile;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Applies the {@link PoolGate} of a pool to claims, without a statement. If it has one, the
 * settings are read again in the background when they are old, since claims that are refused here
 * do not do so. Safe for use by many threads.
 */
final class ClaimGate {
  private static final SqlFile SET_GATE = SqlFile.load(ClaimGate.class, "set_gate");

  private final PoolContext context;
  private final Executor executor;
  private final ClaimRates rates = new ClaimRates(System::nanoTime);
  private final AtomicBoolean refreshing = new AtomicBoolean();

  ClaimGate(PoolContext context, Executor executor) {
    this.context = context;
    this.executor = executor;
  }

  /** Returns the answer to a claim that is not let in; else counts it for the rate of its owner. */
  Optional<ClaimResult> refusal(ClaimRequest request) {
    PoolGate gate = context.stored().gate();
    if (gate.isOpen()) {
      return Optional.empty();
    }
    if (context.isOld()) {
      refresh();
    }
    Optional<ClaimResult> notOpen = context.notOpen(request);
    if (notOpen.isPresent()) {
      return notOpen;
    }
    String owner = request.owner().orElseGet(request::client);
    Optional<Duration> wait = gate.rate().flatMap(rate -> rates.take(owner, request.count(), rate));
    return wait.map(after -> new ClaimResult.TooManyClaims(context.name(), owner, after));
  }

  /** Another instance may have changed the gate. */
  void refreshIfSet() {
    if (!context.stored().gate().isOpen()) {
      refresh();
    }
  }

  private void refresh() {
    if (refreshing.compareAndSet(false, true)) {
      try {
        executor.execute(this::reload);
      } catch (RuntimeException e) {
        refreshing.set(false); // Out of threads: the settings stay as they are.
      }
    }
  }

  private void reload() {
    try {
      context.reload();
    } catch (PoolUnavailableException | UnknownPoolException e) {
      // The next claim that is let in reports it.
    } finally {
      refreshing.set(false);
    }
  }

  /** Stores another gate, as {@link Pool#setGate} says. */
  void set(PoolGate gate) {
    List<Integer> set =
        context
            .database()
            .query(
                SET_GATE,
                row -> row.getInt("pool_id"),
                context.poolId(),
                bind("owners", gate.owners().toArray(String[]::new)),
                bind("share", gate.share().orElse(null)),
                bind("rate_claims", gate.rate().map(PoolGate.Rate::claims).orElse(null)),
                bind("rate_millis", gate.rate().map(rate -> rate.per().toMillis()).orElse(null)));
    if (set.isEmpty()) {
      throw context.unknown();
    }
    context.reload();
  }
}
