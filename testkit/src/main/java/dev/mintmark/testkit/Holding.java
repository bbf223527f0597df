package dev.mintmark.testkit;

import dev.mintmark.testkit.Operation.Answer;
import dev.mintmark.testkit.Operation.Call;
import dev.mintmark.testkit.Operation.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * When the value of one claim was certainly held, according to a log.
 *
 * <pre>
 *   claim sent     answered                     release sent    answered
 *   |------?-------|========= certainly held ===|------?--------|
 * </pre>
 *
 * <p>A claim has one beginning and one end. It was certainly held from the first answer that
 * reports it until the first release of it was sent, or until its lease may have ended. A lease
 * cannot end before its length has passed since the request was <em>sent</em>. Between two answers
 * that report the claim it was held in any case. For one thread.
 */
final class Holding {
  /** A database's clock may run faster than ours by 1/100. */
  private static final int CLOCK_ALLOWANCE = 100;

  private final Held held;
  private final List<Operation> grants = new ArrayList<>();
  private final List<Operation> claimsThatMay = new ArrayList<>();
  private final List<Operation> renewals = new ArrayList<>();
  private final List<Operation> releases = new ArrayList<>();
  private long firstReported = Long.MAX_VALUE;
  private long lastReported = Long.MIN_VALUE;
  private long until = Long.MIN_VALUE;
  private long leaseEnd = Long.MIN_VALUE;

  Holding(Held held) {
    this.held = held;
  }

  Held held() {
    return held;
  }

  /** An answer reports that it was held at some moment between call and answer. */
  void reported(Operation operation) {
    firstReported = Math.min(firstReported, operation.answeredNanos());
    lastReported = Math.max(lastReported, operation.invokedNanos());
    // One that granted several at once may have found this held already.
    if (operation.answer() instanceof Answer.Granted granted && granted.held().size() == 1) {
      grants.add(operation);
    }
  }

  /** Adds a call whose answer does not exclude that it made this claim. */
  void mayStemFrom(Operation claim) {
    claimsThatMay.add(claim);
  }

  /** Adds a renewal that was not refused. */
  void renewed(Operation renewal) {
    renewals.add(renewal);
  }

  /** Adds a release, whatever its answer. */
  void released(Operation release) {
    releases.add(release);
  }

  /** Computes the times, after all calls were added. */
  void settle() {
    leaseEnd = leaseEndAtLeast();
    until = Math.max(lastReported, Math.min(leaseEnd, firstRelease()));
  }

  /** The calls that may have made this claim: one, if an answer says which. */
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

  /** The owner that it was claimed for. */
  Optional<String> owner() {
    return claims().stream()
        .map(grant -> ((Call.Claim) grant.call()).owner())
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** The time before which no call was sent that may have made this claim. */
  long notBefore() {
    return claims().stream().mapToLong(Operation::invokedNanos).min().orElse(Long.MAX_VALUE);
  }

  /** The time from which it was certainly held. */
  long certainFrom() {
    return firstReported;
  }

  /** The time until which it was certainly held; it may have been held for longer. */
  long certainUntil() {
    return until;
  }

  /**
   * The time before which the quarantine of the value certainly did not begin. A database counts it
   * from the beginning of the release; until that is committed, other answers report the value as
   * held.
   */
  long quarantinedFrom() {
    return Math.min(until, firstRelease());
  }

  /** Whether it was certainly held at every moment between two times. */
  boolean covers(long from, long to) {
    return firstReported < from && until > to;
  }

  /** Whether it would have covered a release, if that release had not been sent. */
  boolean wouldCoverButFor(Operation release) {
    boolean onlyOne =
        releases.stream()
            .allMatch(
                other -> other.equals(release) || other.invokedNanos() > release.answeredNanos());
    return onlyOne && firstReported < release.invokedNanos() && leaseEnd > release.answeredNanos();
  }

  /** Whether it began after another had certainly begun. */
  boolean beganAfter(Holding other) {
    return notBefore() >= other.firstReported && notBefore() != Long.MAX_VALUE;
  }

  private long firstRelease() {
    return releases.stream().mapToLong(Operation::invokedNanos).min().orElse(Long.MAX_VALUE);
  }

  /**
   * The end of the lease that the claim or its last renewal set. If one renewal was sent before
   * another was answered, their order is not known, and the earlier end counts.
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
