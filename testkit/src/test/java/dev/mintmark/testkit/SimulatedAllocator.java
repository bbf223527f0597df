package dev.mintmark.testkit;

import dev.mintmark.testkit.AllocatorChecker.Rules;
import dev.mintmark.testkit.Operation.Answer;
import dev.mintmark.testkit.Operation.Call;
import dev.mintmark.testkit.Operation.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * An allocator that is right, and the history of many who call it at once: in simulated time, where
 * each call takes effect at a random moment between its being sent and its answer, or after its
 * caller has given up, or never.
 */
final class SimulatedAllocator {
  private static final int OPERATIONS = 4_000;
  private static final int CALLERS = 6;
  private static final int CLIENTS = 12;
  private static final Set<String> VALUES =
      new TreeSet<>(List.of("v1", "v2", "v3", "v4", "v5", "v6"));
  private static final Duration QUARANTINE = Duration.ofMillis(5);
  private static final Duration LEASE = Duration.ofMillis(60);
  private static final long CALL_NANOS_MAX = 4_000_000;

  private record Hold(Held held, long untilNanos) {}

  private record Sent(Operation operation, long effectNanos, long answerNanos) {}

  private final Random random;
  private final int forgetEvery;
  private final Map<String, Hold> holds = new TreeMap<>();
  private final Map<String, Long> restUntil = new HashMap<>();
  private final List<Operation> log = new ArrayList<>();
  private final List<Held> known = new ArrayList<>();
  private long tokens;

  /**
   * @param forgetEvery loses one of that many claims after it was answered; 0: none
   */
  SimulatedAllocator(long seed, int forgetEvery) {
    this.random = new Random(seed);
    this.forgetEvery = forgetEvery;
  }

  Rules rules() {
    return Rules.of(VALUES, Duration.ofSeconds(1)).withQuarantine(QUARANTINE);
  }

  List<Operation> run() {
    PriorityQueue<Sent> underWay = new PriorityQueue<>(Comparator.comparingLong(Sent::effectNanos));
    for (int caller = 0; caller < CALLERS; caller++) {
      underWay.add(send("caller-" + caller, random.nextInt(1_000)));
    }
    while (log.size() < OPERATIONS) {
      Sent next = underWay.remove();
      Answer answer = takeEffect(next.operation.call(), next.effectNanos);
      boolean unanswered = next.answerNanos == Operation.NEVER;
      log.add(
          next.operation.answered(
              next.answerNanos, unanswered ? new Answer.Unknown("cut off") : answer));
      if (!unanswered && answer instanceof Answer.Granted granted) {
        known.addAll(granted.held());
      }
      long resumed = unanswered ? next.operation.invokedNanos() : next.answerNanos;
      // Nothing that is sent may take effect before what has taken effect already.
      long now = Math.max(resumed, next.effectNanos);
      underWay.add(send(next.operation.instance(), now + random.nextInt(1_000_000)));
    }
    return log;
  }

  private Sent send(String caller, long nanos) {
    long effect = nanos + random.nextLong(CALL_NANOS_MAX);
    boolean unanswered = random.nextInt(20) == 0;
    return new Sent(
        Operation.sent(caller, call(), nanos),
        unanswered ? effect + random.nextLong(3 * CALL_NANOS_MAX) : effect,
        unanswered ? Operation.NEVER : effect + random.nextLong(CALL_NANOS_MAX));
  }

  private Call call() {
    int kind = random.nextInt(10);
    if (kind == 0) {
      return random.nextBoolean() ? new Call.ListHeld() : new Call.Count();
    }
    if (kind < 6 || known.isEmpty()) {
      Call.Claim claim = Call.Claim.of("client-" + random.nextInt(CLIENTS));
      return random.nextBoolean() ? claim : claim.withLease(LEASE);
    }
    // Old ones too: their tokens have had their day.
    Held held = known.get(Math.max(0, known.size() - 1 - random.nextInt(12)));
    return kind == 6
        ? new Call.Renew(held, LEASE.dividedBy(1 + random.nextInt(3)))
        : new Call.Release(held);
  }

  private Answer takeEffect(Call call, long now) {
    List.copyOf(holds.values()).stream()
        .filter(hold -> hold.untilNanos <= now)
        .forEach(hold -> end(hold.held, hold.untilNanos));
    if (call instanceof Call.Claim claim) {
      return claim(claim, now);
    }
    if (call instanceof Call.Renew renew && holds(renew.held())) {
      holds.put(renew.held().value(), new Hold(renew.held(), now + renew.lease().toNanos()));
      return new Answer.Renewed();
    }
    if (call instanceof Call.Release release && holds(release.held())) {
      end(release.held(), now);
      return new Answer.Released();
    }
    if (call instanceof Call.Count) {
      long resting = restUntil.values().stream().filter(until -> until > now).count();
      long free = VALUES.size() - holds.size() - resting;
      return new Answer.Counted(
          new PoolCounts(VALUES.size(), free, 0, holds.size(), resting, 0, 0));
    }
    if (call instanceof Call.ListHeld) {
      return new Answer.Listed(holds.values().stream().map(Hold::held).toList());
    }
    return new Answer.Refused();
  }

  private Answer claim(Call.Claim claim, long now) {
    List<Held> already =
        holds.values().stream()
            .map(Hold::held)
            .filter(held -> held.client().equals(claim.client()))
            .toList();
    if (!already.isEmpty()) {
      return new Answer.AlreadyHeld(already);
    }
    List<String> free =
        VALUES.stream()
            .filter(value -> !holds.containsKey(value))
            .filter(value -> restUntil.getOrDefault(value, 0L) <= now)
            .toList();
    if (free.isEmpty()) {
      return new Answer.Exhausted();
    }
    String value = free.get(random.nextInt(free.size()));
    Held held = new Held(value, claim.client(), 0, ++tokens);
    if (forgetEvery == 0 || tokens % forgetEvery != 0) {
      long until = claim.lease().map(lease -> now + lease.toNanos()).orElse(Long.MAX_VALUE);
      holds.put(value, new Hold(held, until));
    }
    return new Answer.Granted(List.of(held));
  }

  private boolean holds(Held held) {
    Hold hold = holds.get(held.value());
    return hold != null && hold.held.equals(held);
  }

  private void end(Held held, long nanos) {
    holds.remove(held.value());
    restUntil.put(held.value(), nanos + QUARANTINE.toNanos());
  }
}
