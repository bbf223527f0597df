package dev.mintmark.testkit;

import dev.mintmark.testkit.Operation.Answer;
import dev.mintmark.testkit.Operation.Call;
import dev.mintmark.testkit.Operation.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Clients that claim, renew and release at random: also twice at the same time, again after a call
 * without an answer, and with old tokens. Many threads may share one.
 */
public final class RandomWorkload {
  /** The longest lease that is claimed. */
  public static final Duration LEASE_MAX = Duration.ofMillis(1_500);

  /** The most values that a client holds. */
  public static final int SLOTS = 2;

  private static final Duration LEASE_MIN = Duration.ofSeconds(1);

  /** How many claims are remembered: most of them have ended. */
  private static final int REMEMBERED_MAX = 64;

  /** How many of the latest claims are likely to be held still. */
  private static final int FRESH = 4;

  private static final int PAUSE_NANOS_MAX = 1_000_000;

  private final int clients;
  private final List<String> values;
  private final List<Held> remembered = new ArrayList<>();

  /**
   * @param clients how many clients there are; any instance may claim for each of them
   * @param values the values of the allocator, some of which are claimed by name
   */
  public RandomWorkload(int clients, List<String> values) {
    this.clients = clients;
    this.values = List.copyOf(values);
  }

  /**
   * Works through one instance, for one thread.
   *
   * @param random of this thread alone
   * @param isDone when to stop
   */
  public void run(RecordedAllocator allocator, Random random, BooleanSupplier isDone) {
    while (!isDone.getAsBoolean()) {
      int kind = random.nextInt(20);
      Optional<Held> known = kind < 9 ? Optional.empty() : recall(random);
      if (known.isEmpty()) {
        Answer answer = allocator.claim(randomClaim(random));
        RecordedAllocator.held(answer).forEach(this::remember);
      } else if (kind < 13) {
        allocator.renew(known.get(), randomLease(random));
      } else {
        allocator.release(known.get());
      }
      LockSupport.parkNanos(random.nextInt(PAUSE_NANOS_MAX));
    }
  }

  private Call.Claim randomClaim(Random random) {
    Call.Claim claim = Call.Claim.of("client-" + random.nextInt(clients));
    Call.Claim leased = random.nextInt(16) == 0 ? claim : claim.withLease(randomLease(random));
    return switch (random.nextInt(8)) {
      case 0 -> leased.withValue(values.get(random.nextInt(values.size())));
      case 1 -> leased.withSlots(0, SLOTS);
      case 2, 3 -> leased.withSlots(1, 1);
      default -> leased;
    };
  }

  private static Duration randomLease(Random random) {
    return LEASE_MIN.plusMillis(random.nextInt((int) LEASE_MAX.minus(LEASE_MIN).toMillis() + 1));
  }

  private synchronized void remember(Held held) {
    if (remembered.size() == REMEMBERED_MAX) {
      remembered.remove(0);
    }
    remembered.add(held);
  }

  private synchronized Optional<Held> recall(Random random) {
    if (remembered.isEmpty()) {
      return Optional.empty();
    }
    int back = random.nextInt(random.nextInt(4) == 0 ? REMEMBERED_MAX : FRESH);
    return Optional.of(remembered.get(Math.max(0, remembered.size() - 1 - back)));
  }
}
