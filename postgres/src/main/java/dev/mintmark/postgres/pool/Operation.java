package dev.mintmark.postgres.pool;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One call of an allocator of scarce values, as its caller saw it: what was asked, from when to
 * when, and what was answered. It took effect at some moment between the two, if at all.
 *
 * @param instance through which instance of the program it was made
 * @param call what was asked
 * @param invokedNanos {@link System#nanoTime} before it was sent
 * @param answeredNanos {@link System#nanoTime} after the answer was there; {@link #NEVER} where
 *     none came: what was sent may then take effect at any later time, or not at all
 * @param answer what came of it
 */
record Operation(String instance, Call call, long invokedNanos, long answeredNanos, Answer answer) {
  /** The time of an answer that did not come. */
  static final long NEVER = Long.MAX_VALUE;

  /** One that was sent: nothing is known of it yet. */
  static Operation sent(String instance, Call call, long nanos) {
    return new Operation(instance, call, nanos, NEVER, new Answer.Unknown("no answer came"));
  }

  /** The same with its answer. */
  Operation answered(long nanos, Answer answer) {
    boolean known = !(answer instanceof Answer.Unknown);
    return new Operation(instance, call, invokedNanos, known ? nanos : NEVER, answer);
  }

  /** The same with the answer, and its time, of another. */
  Operation answeredBy(Operation other) {
    return answered(other.answeredNanos, other.answer);
  }

  /** Whether it is known what came of it. */
  boolean isAnswered() {
    return answeredNanos != NEVER;
  }

  /** What is asked of an allocator. */
  sealed interface Call {
    /**
     * Values for a client: one for each of {@code count} slots from {@code slot} on, all or none.
     *
     * @param value the value that is wanted, if it is a certain one, in whichever slot
     * @param lease how long it is held unless renewed; empty: until it is released
     */
    record Claim(
        String client,
        int slot,
        int count,
        Optional<String> owner,
        Optional<String> value,
        Optional<Duration> lease)
        implements Call {
      /** Any value, held until it is released. */
      static Claim of(String client) {
        return new Claim(client, 0, 1, Optional.empty(), Optional.empty(), Optional.empty());
      }

      Claim withLease(Duration lease) {
        return new Claim(client, slot, count, owner, value, Optional.of(lease));
      }

      Claim withValue(String value) {
        return new Claim(client, slot, count, owner, Optional.of(value), lease);
      }

      Claim withOwner(String owner) {
        return new Claim(client, slot, count, Optional.of(owner), value, lease);
      }

      Claim withSlots(int slot, int count) {
        return new Claim(client, slot, count, owner, value, lease);
      }

      /**
       * Whether what it is given may be in that slot of the client: in any, if it names a value.
       */
      boolean asksFor(int slot) {
        return value.isPresent() || (slot >= this.slot && slot < this.slot + count);
      }
    }

    /** That a claim be held for {@code lease} from now. */
    record Renew(Held held, Duration lease) implements Call {}

    /** That a value be taken back. */
    record Release(Held held) implements Call {}

    /** How many values are in which state, in one snapshot. */
    record Count() implements Call {}

    /** Who holds what. */
    record ListHeld() implements Call {}
  }

  /** What an allocator answered. */
  sealed interface Answer {
    /** The client has been given these just now. */
    record Granted(List<Held> held) implements Answer {}

    /** The client held these already. */
    record AlreadyHeld(List<Held> held) implements Answer {}

    /** Nothing was free. */
    record Exhausted() implements Answer {}

    /** The owner or the client holds as much as it may. */
    record QuotaReached() implements Answer {}

    /** The value that was asked for by name was not free. */
    record ValueTaken() implements Answer {}

    /** It was renewed. */
    record Renewed() implements Answer {}

    /** It was taken back. */
    record Released() implements Answer {}

    /** Nothing was done: the token is not that of the present claim, or there is none. */
    record Refused() implements Answer {}

    /** The values by state. */
    record Counted(PoolCounts counts) implements Answer {}

    /** Every claim whose lease had not ended when it was read. */
    record Listed(List<Held> held) implements Answer {}

    /** No answer came, or none that says what has happened. */
    record Unknown(String why) implements Answer {}
  }

  /** A value in the hands of a client: the same token, the same claim. */
  record Held(String value, String client, int slot, long token) {}
}
