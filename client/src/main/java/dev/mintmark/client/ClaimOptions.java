package dev.mintmark.client;

import dev.mintmark.PoolSpec;
import java.time.Duration;
import java.util.Optional;

/**
 * What a client claims, besides its name: any value, a named value, or several values.
 *
 * <p>A client has slots, numbered from 0, as many as the pool allows it values. A request is for
 * slots. A second request for the same slots returns the values in them.
 *
 * @param owner the account on whose behalf the client claims: 1 to 255 characters, without control
 *     characters. A key with an owner sets it
 * @param value the value to claim; empty: any value
 * @param slot the first slot; 0 if a value is named
 * @param count the number of consecutive slots: all are filled, or none; 1 if a value is named
 * @param lease how long the values are held unless renewed, 1 second to 3,650 days, in whole
 *     milliseconds; empty: the lease of the pool
 * @param note what is written about the claims, in place of what was written before; {@link
 *     ClaimNote#NONE} changes nothing
 */
public record ClaimOptions(
    Optional<String> owner,
    Optional<String> value,
    int slot,
    int count,
    Optional<Duration> lease,
    ClaimNote note) {
  /** Any value, in slot 0, without an owner, with the lease of the pool. */
  public static final ClaimOptions DEFAULT =
      new ClaimOptions(Optional.empty(), Optional.empty(), 0, 1, Optional.empty(), ClaimNote.NONE);

  /**
   * @throws IllegalArgumentException if a part is outside of its limits
   */
  public ClaimOptions {
    owner.ifPresent(name -> Names.check("owner", name));
    value.ifPresent(text -> Names.checkCharacters("value", text));
    lease.ifPresent(PoolSpec::checkLease);
    if (slot < 0 || count < 1 || slot > PoolSpec.PER_CLIENT_MAX - count) {
      throw new IllegalArgumentException(
          "slot %s, count %s: expected a slot from 0, a count from 1, and at most %s slots"
              .formatted(slot, count, PoolSpec.PER_CLIENT_MAX));
    }
    if (value.isPresent() && (slot != 0 || count != 1)) {
      throw new IllegalArgumentException("a request for a named value has no slot and no count");
    }
  }

  /** The same on behalf of an owner. */
  public ClaimOptions withOwner(String owner) {
    return new ClaimOptions(Optional.of(owner), value, slot, count, lease, note);
  }

  /** The same for a named value. */
  public ClaimOptions withValue(String value) {
    return new ClaimOptions(owner, Optional.of(value), slot, count, lease, note);
  }

  /** The same for another slot. */
  public ClaimOptions withSlot(int slot) {
    return new ClaimOptions(owner, value, slot, count, lease, note);
  }

  /** The same for several slots. */
  public ClaimOptions withCount(int count) {
    return new ClaimOptions(owner, value, slot, count, lease, note);
  }

  /** The same with a lease. */
  public ClaimOptions withLease(Duration lease) {
    return new ClaimOptions(owner, value, slot, count, Optional.of(lease), note);
  }

  /** The same that writes about what is granted. */
  public ClaimOptions withNote(ClaimNote note) {
    return new ClaimOptions(owner, value, slot, count, lease, note);
  }
}
