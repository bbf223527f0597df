package dev.mintmark.testkit;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.testkit.Operation.Answer;
import dev.mintmark.testkit.Operation.Call;
import dev.mintmark.testkit.Operation.Held;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

/**
 * An allocator as one instance of a program sees it, with every call recorded in a log. A call that
 * fails is answered by {@link Answer.Unknown}. Safe for use by many threads.
 */
public final class RecordedAllocator {
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final String instance;
  private final Allocator allocator;
  private final OperationLog log;

  /**
   * @param instance the name of the instance in the log
   */
  public RecordedAllocator(String instance, Allocator allocator, OperationLog log) {
    this.instance = instance;
    this.allocator = allocator;
    this.log = log;
  }

  /** Claims as {@link Allocator#claim}. */
  public Answer claim(Call.Claim claim) {
    return log.record(instance, claim, () -> allocator.claim(claim));
  }

  /** Renews as {@link Allocator#renew}. */
  public Answer renew(Held held, Duration lease) {
    return log.record(instance, new Call.Renew(held, lease), () -> allocator.renew(held, lease));
  }

  /** Releases as {@link Allocator#release}. */
  public Answer release(Held held) {
    return log.record(instance, new Call.Release(held), () -> allocator.release(held));
  }

  /** Counts as {@link Allocator#counts}. */
  public Answer count() {
    return log.record(instance, new Call.Count(), () -> new Answer.Counted(allocator.counts()));
  }

  /** Lists as {@link Allocator#held}. */
  public Answer list() {
    return log.record(instance, new Call.ListHeld(), () -> new Answer.Listed(allocator.held()));
  }

  /**
   * Claims every value that is not held, so that lost values become visible: call it when all work
   * is over. New clients claim repeatedly until every value is held, or twice the patience has
   * passed. Counts once at the end.
   *
   * @param values all values of the allocator
   * @param patience as {@link AllocatorChecker.Rules#patience}
   * @throws PoolUnavailableException if calls are not answered
   */
  public void settle(Set<String> values, Duration patience) {
    Set<String> missing = missing(values);
    long missingSince = System.nanoTime();
    int client = 0;
    while (!missing.isEmpty()) {
      boolean turnedAway = false;
      Answer last = new Answer.Unknown("nothing was asked");
      for (int i = 0; i < missing.size() && !turnedAway; i++) {
        String name = "settling-" + client;
        Answer answer = claim(Call.Claim.of(name).withOwner(name));
        last = answer;
        turnedAway = answer instanceof Answer.Exhausted;
        if (!held(answer).isEmpty()) {
          client++;
        }
      }
      Set<String> missingBefore = missing;
      missing = missing(values);
      long now = System.nanoTime();
      if (!missing.equals(missingBefore)) {
        missingSince = now;
      } else if (now - missingSince > 2 * patience.toNanos()) {
        if (last instanceof Answer.Unknown unknown) {
          throw new PoolUnavailableException(
              "pool %s: claims are not answered: %s".formatted(Quoted.of(instance), unknown.why()));
        }
        if (turnedAway) {
          break;
        }
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    count();
  }

  /** The values that are not held; all values if that is not known. */
  private Set<String> missing(Set<String> values) {
    Set<String> missing = new TreeSet<>(values);
    if (list() instanceof Answer.Listed listed) {
      listed.held().forEach(held -> missing.remove(held.value()));
    }
    return missing;
  }

  /** Returns the values of a claim: those that it got, or held already. */
  public static List<Held> held(Answer answer) {
    if (answer instanceof Answer.Granted granted) {
      return granted.held();
    }
    return answer instanceof Answer.AlreadyHeld already ? already.held() : List.of();
  }
}
