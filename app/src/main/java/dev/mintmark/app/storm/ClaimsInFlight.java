package dev.mintmark.app.storm;

import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Contended;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.testkit.StartGate;
import java.time.Duration;
import java.util.PrimitiveIterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The clients of a storm as claims in flight, not threads: each instance with clients has a thread,
 * which submits claims without waiting for the answers, up to {@link #MAX} in all instances.
 */
final class ClaimsInFlight {
  /** The most claims in flight: a larger storm comes in waves, so that its memory is bounded. */
  private static final int MAX = 500_000;

  private static final long LOOK_EVERY_MILLIS = 20;

  private final CountDownLatch unanswered;
  private final AnswerLog log;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** No more claims are submitted: they would delay the deletion of the pool. */
  private volatile boolean closed;

  ClaimsInFlight(int clients, AnswerLog log) {
    this.unanswered = new CountDownLatch(clients);
    this.log = log;
  }

  /** Submits the claim of a client through an instance. */
  interface Claims {
    CompletableFuture<ClaimResult> claim(int instance, int client);
  }

  /**
   * Lets all clients claim, and waits for the answers.
   *
   * @param clients those of each instance
   */
  void run(
      int instances,
      String name,
      IntFunction<IntStream> clients,
      Claims claims,
      LongConsumer progress)
      throws InterruptedException {
    StartGate gate =
        StartGate.of(
            instances,
            name,
            instance -> {
              Semaphore inFlight = new Semaphore(Math.max(1, MAX / instances));
              PrimitiveIterator.OfInt own = clients.apply(instance).iterator();
              while (own.hasNext() && !closed) {
                inFlight.acquireUninterruptibly();
                submit(claims, instance, own.nextInt(), inFlight);
              }
            });
    log.start();
    gate.go();
    while (!unanswered.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS) && failure.get() == null) {
      progress.accept(log.answered());
    }
    log.end();
    Throwable failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException("a claim failed: " + failed.getMessage(), failed);
    }
  }

  void close() {
    closed = true;
  }

  private void submit(Claims claims, int instance, int client, Semaphore inFlight) {
    try {
      var unused =
          claims
              .claim(instance, client)
              .whenComplete(
                  (result, e) -> {
                    if (result instanceof Contended contended && !closed) {
                      submitAgain(claims, instance, client, inFlight, contended.retryAfter());
                      return;
                    }
                    try {
                      if (e == null) {
                        record(client, result);
                      } else {
                        failure.set(e);
                      }
                    } catch (RuntimeException wrong) {
                      failure.set(wrong);
                    }
                    inFlight.release();
                    unanswered.countDown();
                  });
    } catch (RuntimeException | Error e) {
      // Otherwise the storm would wait for claims that were never submitted.
      failure.set(e);
      throw e;
    }
  }

  /** A client whose claim was contended claims again when it is told to. */
  private void submitAgain(
      Claims claims, int instance, int client, Semaphore inFlight, Duration delay) {
    CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, Runnable::run)
        .execute(() -> submit(claims, instance, client, inFlight));
  }

  private void record(int client, ClaimResult result) {
    if (result instanceof Granted granted) {
      log.granted(client, granted.claim().value());
    } else if (result instanceof AlreadyHeld held) {
      log.granted(client, held.claim().value());
    } else {
      log.rejected(client);
    }
  }
}
