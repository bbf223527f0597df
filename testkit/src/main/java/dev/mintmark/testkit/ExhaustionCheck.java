package dev.mintmark.testkit;

import dev.mintmark.testkit.AllocatorChecker.Rules;
import dev.mintmark.testkit.Operation.Call;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds claims that were rejected as exhausted although enough values were certainly free: at every
 * moment at which the allocator may have looked, whatever calls without an answer have done. For
 * one thread.
 */
final class ExhaustionCheck {
  private final Rules rules;
  private final long restNanos;

  /** The claims that answers report, by the time before which they were not made. */
  private final List<Holding> holdings;

  private final List<Operation> unanswered;

  ExhaustionCheck(Collection<Holding> holdings, List<Operation> operations, Rules rules) {
    this.rules = rules;
    // A value is free again after its quarantine and the sweep that ends it.
    this.restNanos =
        rules.quarantine().isZero() ? 0 : rules.quarantine().plus(rules.patience()).toNanos();
    this.holdings =
        holdings.stream().sorted(Comparator.comparingLong(ExhaustionCheck::madeAfter)).toList();
    this.unanswered =
        operations.stream()
            .filter(operation -> operation.call() instanceof Call.Claim && !operation.isAnswered())
            .toList();
  }

  /** Returns how many values were certainly free while a rejected claim was answered. */
  long certainlyFree(Operation rejected) {
    long from = rejected.invokedNanos() - rules.remembered().toNanos();
    long to = rejected.answeredNanos();
    long free =
        rules.values().size()
            - rules.withheld()
            - unanswered.stream()
                .filter(claim -> claim.invokedNanos() < to)
                .mapToLong(claim -> ((Call.Claim) claim.call()).count())
                .sum();
    Set<String> taken = new HashSet<>();
    for (int i = firstMadeAfter(to) - 1; i >= 0 && taken.size() < free; i--) {
      if (mayLastUntil(holdings.get(i)) >= from) {
        taken.add(holdings.get(i).held().value());
      }
    }
    return Math.max(0, free - taken.size());
  }

  /** The index of the first claim that was certainly made after a time. */
  private int firstMadeAfter(long nanos) {
    int low = 0;
    int high = holdings.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (madeAfter(holdings.get(middle)) < nanos) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static long madeAfter(Holding holding) {
    return holding.claims().isEmpty() ? Long.MIN_VALUE : holding.notBefore();
  }

  /** A time after which the value was certainly free; a lease may have been renewed unseen. */
  private long mayLastUntil(Holding holding) {
    return holding
        .acknowledgedRelease()
        .map(release -> release.answeredNanos() + restNanos)
        .orElse(Operation.NEVER);
  }
}
