package dev.mintmark.testkit;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.testkit.Operation.Answer;
import dev.mintmark.testkit.Operation.Call;
import dev.mintmark.testkit.Operation.Held;
import java.time.Duration;
import java.util.HashSet;
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
   * is over. New clients claim repeatedly until every value is held, or nothing has changed for
   * twice the patience; that the same values are not held as at an earlier time is no change.
   * Counts once at the end.
   *
   * @param values all values of the allocator
   * @param patience as {@link AllocatorChecker.Rules#patience}
   * @throws PoolUnavailableException if calls are not answered
   */
  public void settle(Set<String> values, Duration patience) {
    Set<Set<String>> seen = new HashSet<>();
    Set<String> missing = missing(list(), values);
    long seenNanos = System.nanoTime();
    int client = 0;
    while (!missing.isEmpty()) {
      // Only claims that begin after the patience show that a value is lost.
      long now = System.nanoTime();
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
      Answer listed = list();
      missing = missing(listed, values);
      if (seen.add(missing)) {
        seenNanos = System.nanoTime();
      } else if (now - seenNanos > 2 * patience.toNanos()) {
        requireAnswered(last);
        requireAnswered(listed);
        break;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    count();
  }

  private void requireAnswered(Answer answer) {
    if (answer instanceof Answer.Unknown unknown) {
      throw new PoolUnavailableException(
          "pool %s: claims are not answered: %s".formatted(Quoted.of(instance), unknown.why()));
    }
  }

  /** The values that are not held; all values if that is not known. */
  private static Set<String> missing(Answer list, Set<String> values) {
    Set<String> missing = new TreeSet<>(values);
    if (list instanceof Answer.Listed listed) {
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
