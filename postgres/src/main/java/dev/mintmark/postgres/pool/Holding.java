package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.pool.Operation.Answer;
import dev.mintmark.postgres.pool.Operation.Call;
import dev.mintmark.postgres.pool.Operation.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a log tells of one claim: when its value was surely held.
 *
 * <pre>
 *   claim sent     answered                     release sent    answered
 *   |------?-------|============ surely held ===|------?--------|
 * </pre>
 *
 * <p>A claim has one beginning and one end. It was surely held from the first answer that told of
 * it until the first release of it was sent, or until its lease may have ended, which it cannot
 * have before a lease's length after the request for it was <em>sent</em>. Between two answers that
 * told of it it was held in any case. For one thread.
 */
final class Holding {
  /** A database's clock may run faster than ours by that part of a lease. */
  private static final int CLOCK_ALLOWANCE = 100;

  private final Held held;
  private final List<Operation> grants = new ArrayList<>();
  private final List<Operation> claimsThatMay = new ArrayList<>();
  private final List<Operation> renewals = new ArrayList<>();
  private final List<Operation> releases = new ArrayList<>();
  private long firstTold = Long.MAX_VALUE;
  private long lastTold = Long.MIN_VALUE;
  private long until = Long.MIN_VALUE;
  private long leaseEnd = Long.MIN_VALUE;

  Holding(Held held) {
    this.held = held;
  }

  Held held() {
    return held;
  }

  /** An answer said that it was held at some moment between call and answer. */
  void told(Operation operation) {
    firstTold = Math.min(firstTold, operation.answeredNanos());
    lastTold = Math.max(lastTold, operation.invokedNanos());
    // One that granted several at once may have found this held already.
    if (operation.answer() instanceof Answer.Granted granted && granted.held().size() == 1) {
      grants.add(operation);
    }
  }

  /** A claim for its client and slot whose answer does not say that it did not make this. */
  void mayStemFrom(Operation claim) {
    claimsThatMay.add(claim);
  }

  /** A renewal of it was sent, and not refused. */
  void renewed(Operation renewal) {
    renewals.add(renewal);
  }

  /** A release of it was sent, whatever came of it. */
  void released(Operation release) {
    releases.add(release);
  }

  /** Works out the times, once all is known. */
  void settle() {
    leaseEnd = leaseEndAtLeast();
    until = Math.max(lastTold, Math.min(leaseEnd, firstRelease()));
  }

  /** Those of the log's claims that may have made it: one, where an answer says which. */
  List<Operation> claims() {
    return grants.isEmpty() ? claimsThatMay : grants;
  }

  /** The first release that was acknowledged. */
  Optional<Operation> acknowledgedRelease() {
    return releases.stream()
        .filter(release -> release.answer() instanceof Answer.Released)
        .min((a, b) -> Long.compare(a.answeredNanos(), b.answeredNanos()));
  }

  List<Operation> releases() {
    return releases;
  }

  /** The account that it was claimed for. */
  Optional<String> owner() {
    return claims().stream()
        .map(grant -> ((Call.Claim) grant.call()).owner())
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** No claim that may have made it was sent before. */
  long notBefore() {
    return claims().stream().mapToLong(Operation::invokedNanos).min().orElse(Long.MAX_VALUE);
  }

  /** It was surely held from then on. */
  long surelyFrom() {
    return firstTold;
  }

  /** It was surely held until then, and may have been for longer. */
  long surelyUntil() {
    return until;
  }

  /** Whether it was surely held at every moment between the two. */
  boolean covers(long from, long to) {
    return firstTold < from && until > to;
  }

  /** The same had nobody tried to release it; so it tells of a refused release too. */
  boolean wouldCoverButFor(Operation release) {
    boolean onlyOne =
        releases.stream()
            .allMatch(
                other -> other.equals(release) || other.invokedNanos() > release.answeredNanos());
    return onlyOne && firstTold < release.invokedNanos() && leaseEnd > release.answeredNanos();
  }

  /** It began after the other had surely begun. */
  boolean beganAfter(Holding other) {
    return notBefore() >= other.firstTold && notBefore() != Long.MAX_VALUE;
  }

  private long firstRelease() {
    return releases.stream().mapToLong(Operation::invokedNanos).min().orElse(Long.MAX_VALUE);
  }

  /**
   * The lease set by the claim or by a renewal, whichever was last. Which of two renewals was, when
   * one was sent before the other was answered, is not known: the earlier end counts.
   */
  private long leaseEndAtLeast() {
    long end =
        claims().stream()
            .mapToLong(claim -> after(claim, ((Call.Claim) claim.call()).lease()))
            .min()
            .orElse(Long.MAX_VALUE);
    for (Operation renewal : renewals) {
      end = Math.min(end, leaseEnd(renewal));
    }
    for (Operation renewal : renewals) {
      if (renewal.isAnswered()) {
        long renewedEnd = leaseEnd(renewal);
        for (Operation other : renewals) {
          if (other.answeredNanos() > renewal.invokedNanos()) {
            renewedEnd = Math.min(renewedEnd, leaseEnd(other));
          }
        }
        end = Math.max(end, renewedEnd);
      }
    }
    return end;
  }

  private static long leaseEnd(Operation renewal) {
    return after(renewal, Optional.of(((Call.Renew) renewal.call()).lease()));
  }

  private static long after(Operation sent, Optional<Duration> lease) {
    return lease
        .map(length -> sent.invokedNanos() + length.toNanos() - length.toNanos() / CLOCK_ALLOWANCE)
        .orElse(Long.MAX_VALUE);
  }
}
