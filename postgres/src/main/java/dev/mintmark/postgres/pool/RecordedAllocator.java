package dev.mintmark.postgres.pool;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.Operation.Answer;
import dev.mintmark.postgres.pool.Operation.Call;
import dev.mintmark.postgres.pool.Operation.Held;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

/**
 * An allocator as one instance of a program sees it, all of it recorded. What fails is answered by
 * {@link Answer.Unknown}. Safe for use by many threads.
 */
final class RecordedAllocator {
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final String instance;
  private final Allocator allocator;
  private final OperationLog log;

  RecordedAllocator(String instance, Allocator allocator, OperationLog log) {
    this.instance = instance;
    this.allocator = allocator;
    this.log = log;
  }

  Answer claim(Call.Claim claim) {
    return log.record(instance, claim, () -> allocator.claim(claim));
  }

  Answer renew(Held held, Duration lease) {
    return log.record(instance, new Call.Renew(held, lease), () -> allocator.renew(held, lease));
  }

  Answer release(Held held) {
    return log.record(instance, new Call.Release(held), () -> allocator.release(held));
  }

  Answer count() {
    return log.record(instance, new Call.Count(), () -> new Answer.Counted(allocator.counts()));
  }

  Answer list() {
    return log.record(instance, new Call.ListHeld(), () -> new Answer.Listed(allocator.held()));
  }

  /**
   * Has every value in somebody's hands, once work is over, so that it shows what is lost: new
   * clients claim what is missing, over and over, until nothing is or the patience has come to its
   * end. Counts once at the end.
   *
   * @throws PoolUnavailableException if by then nothing is answered any more
   */
  void settle(Set<String> values, Duration patience) {
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

  /** Those of the values that nobody holds; all of them where that is not known. */
  private Set<String> missing(Set<String> values) {
    Set<String> missing = new TreeSet<>(values);
    if (list() instanceof Answer.Listed listed) {
      listed.held().forEach(held -> missing.remove(held.value()));
    }
    return missing;
  }

  /** What was given to a client, whether just now or before. */
  static List<Held> held(Answer answer) {
    if (answer instanceof Answer.Granted granted) {
      return granted.held();
    }
    return answer instanceof Answer.AlreadyHeld already ? already.held() : List.of();
  }
}
