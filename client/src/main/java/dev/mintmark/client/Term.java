package dev.mintmark.client;

import java.time.Duration;

/**
 * How long a claim is trusted after a request that has granted or renewed it, by the monotonic
 * clock.
 *
 * <pre>
 *   sent      renewed again                                  end
 *    |--- 1/3 ------|------------------ 19/20 ----------------|- 1/20 -|
 * </pre>
 *
 * <p>The server's lease began after the request was sent, so it ends later, whatever the clocks of
 * the two show; the last twentieth is for what is in progress and for clocks that run at different
 * speeds.
 *
 * @param claim the claim, as the request has returned it
 * @param sentNanos when the request was sent, or before that
 * @param length the length of the lease
 */
record Term(Claim claim, long sentNanos, Duration length) {
  static final Duration PAUSE_MAX = Duration.ofSeconds(1);

  static final int RENEWALS_PER_LEASE = 3;
  private static final int MARGIN_PARTS = 20;

  /** When the claim is to be renewed. */
  long renewNanos() {
    return sentNanos + length.toNanos() / RENEWALS_PER_LEASE;
  }

  /** When its value must not be used any more. */
  long endNanos() {
    return sentNanos + length.toNanos() - length.toNanos() / MARGIN_PARTS;
  }

  /** The same after a renewal. */
  Term renewed(Claim renewal, long renewalSentNanos) {
    return new Term(renewal, renewalSentNanos, length);
  }
}
