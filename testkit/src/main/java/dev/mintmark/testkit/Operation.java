package dev.mintmark.testkit;

import dev.mintmark.postgres.pool.Claim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One call of an allocator of scarce values, as its caller saw it. It took effect at some moment
 * between call and answer, if at all.
 *
 * @param instance the instance of the program that made the call
 * @param call what was asked
 * @param invokedNanos {@link System#nanoTime} before the call was sent
 * @param answeredNanos {@link System#nanoTime} after the answer arrived; {@link #NEVER} if none
 *     arrived: the call may then take effect at any later time, or not at all
 * @param answer what was answered
 */
public record Operation(
    String instance, Call call, long invokedNanos, long answeredNanos, Answer answer) {
  /** The time of an answer that did not arrive. */
  public static final long NEVER = Long.MAX_VALUE;

  /** A call that was sent and not answered yet. */
  public static Operation sent(String instance, Call call, long nanos) {
    return new Operation(instance, call, nanos, NEVER, new Answer.Unknown("no answer came"));
  }

  /** The same with its answer. {@link Answer.Unknown} counts as no answer. */
  public Operation answered(long nanos, Answer answer) {
    boolean known = !(answer instanceof Answer.Unknown);
    return new Operation(instance, call, invokedNanos, known ? nanos : NEVER, answer);
  }

  /** The same with the answer, and its time, of another. */
  Operation answeredBy(Operation other) {
    return answered(other.answeredNanos, other.answer);
  }

  /** Whether an answer arrived. */
  public boolean isAnswered() {
    return answeredNanos != NEVER;
  }

  /** What an allocator is asked. */
  public sealed interface Call {
    /**
     * Claims values for a client: one for each of {@code count} slots starting at {@code slot}, all
     * or none.
     *
     * @param owner the account on whose behalf the client claims, if it names one
     * @param value the value that is wanted, in any slot; empty: any value
     * @param lease how long the values are held unless renewed; empty: until they are released
     */
    record Claim(
        String client,
        int slot,
        int count,
        Optional<String> owner,
        Optional<String> value,
        Optional<Duration> lease)
        implements Call {
      /** Claims any value, to be held until it is released. */
      public static Claim of(String client) {
        return new Claim(client, 0, 1, Optional.empty(), Optional.empty(), Optional.empty());
      }

      /** The same with a lease. */
      public Claim withLease(Duration lease) {
        return new Claim(client, slot, count, owner, value, Optional.of(lease));
      }

      /** The same for a named value. */
      public Claim withValue(String value) {
        return new Claim(client, slot, count, owner, Optional.of(value), lease);
      }

      /** The same on behalf of an owner. */
      public Claim withOwner(String owner) {
        return new Claim(client, slot, count, Optional.of(owner), value, lease);
      }

      /** The same for other slots. */
      public Claim withSlots(int slot, int count) {
        return new Claim(client, slot, count, owner, value, lease);
      }

      /**
       * Whether it may be given a value in this slot of the client: in any slot, if it names a
       * value.
       */
      boolean asksFor(int slot) {
        return value.isPresent() || (slot >= this.slot && slot < this.slot + count);
      }
    }

    /** Extends a claim to {@code lease} from now. */
    record Renew(Held held, Duration lease) implements Call {}

    /** Releases a value. */
    record Release(Held held) implements Call {}

    /** Counts the values by state, in one snapshot. */
    record Count() implements Call {}

    /** Lists the claims that are held. */
    record ListHeld() implements Call {}
  }

  /** What an allocator answers. */
  public sealed interface Answer {
    /** The client got these values. */
    record Granted(List<Held> held) implements Answer {}

    /** The client held these values already. */
    record AlreadyHeld(List<Held> held) implements Answer {}

    /** No value was free. */
    record Exhausted() implements Answer {}

    /** The owner or the client holds as many values as it may. */
    record QuotaReached() implements Answer {}

    /** The named value was not free. */
    record ValueTaken() implements Answer {}

    /** The claim was extended. */
    record Renewed() implements Answer {}

    /** The value was released. */
    record Released() implements Answer {}

    /** Nothing was done: the token is not that of the present claim, or there is no claim. */
    record Refused() implements Answer {}

    /** The values by state. */
    record Counted(PoolCounts counts) implements Answer {}

    /** Every claim whose lease had not ended when it was read. */
    record Listed(List<Held> held) implements Answer {}

    /** No answer arrived, or none that says what happened. */
    record Unknown(String why) implements Answer {}
  }

  /** A value that a client holds. The token identifies the claim. */
  public record Held(String value, String client, int slot, long token) {}
}
