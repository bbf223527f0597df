package dev.mintmark.postgres.pool;

import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.ClaimName;
import java.time.Duration;
import java.util.Optional;

/**
 * A request for values of a pool: any value, a named value, or several values.
 *
 * <p>A client has slots, numbered from 0, as many as the pool allows it values. A request is for
 * slots. A second request for the same slots returns the values in them, so a request can be
 * repeated after an unknown outcome. A request with a named value is for that value, in any slot.
 *
 * @param client the client that will hold the value: 1 to {@value #NAME_LENGTH_MAX} characters, no
 *     control characters
 * @param owner the account on whose behalf the client claims; the same limits
 * @param value the value to claim; empty: any value
 * @param slot the first slot; 0 if a value is named
 * @param count the number of consecutive slots: all are filled, or none; 1 if a value is named
 * @param lease how long the values are held unless renewed; empty: the lease of the pool
 * @param note what is written about the claims, also about those that the client holds already, in
 *     place of what was written before; {@link ClaimNote#NONE} changes nothing. If the request has
 *     an owner, claims that the client holds for another owner, or for none, keep what was written
 */
public record ClaimRequest(
    String client,
    Optional<String> owner,
    Optional<String> value,
    int slot,
    int count,
    Optional<Duration> lease,
    ClaimNote note) {
  /** The longest name of a client and of an owner, in characters. */
  public static final int NAME_LENGTH_MAX = ClaimName.LENGTH_MAX;

  public ClaimRequest {
    ClaimName.check("client", client);
    owner.ifPresent(name -> ClaimName.check("owner", name));
    lease.ifPresent(PoolSpec::checkLease);
    int max = PoolSpec.PER_CLIENT_MAX;
    if (slot < 0 || count < 1 || slot > max - count) {
      throw new IllegalArgumentException(
          "slot %s, count %s: expected a slot from 0, a count from 1, and at most %s slots"
              .formatted(slot, count, max));
    }
    if (value.isPresent() && (slot != 0 || count != 1)) {
      throw new IllegalArgumentException(
          "value "
              + Quoted.of(value.get())
              + ": a request for a named value has no slot and no count");
    }
  }

  /** A request that writes nothing about what it is granted. */
  public ClaimRequest(
      String client,
      Optional<String> owner,
      Optional<String> value,
      int slot,
      int count,
      Optional<Duration> lease) {
    this(client, owner, value, slot, count, lease, ClaimNote.NONE);
  }

  /** A request for any value, without an owner, with the lease of the pool. */
  public static ClaimRequest of(String client) {
    return new ClaimRequest(client, Optional.empty(), Optional.empty(), 0, 1, Optional.empty());
  }

  /** The same request on behalf of an owner. */
  public ClaimRequest withOwner(String owner) {
    return withOwner(Optional.of(owner));
  }

  /** The same request on behalf of an owner; empty: without an owner. */
  public ClaimRequest withOwner(Optional<String> owner) {
    return new ClaimRequest(client, owner, value, slot, count, lease, note);
  }

  /** The same request for a named value. */
  public ClaimRequest withValue(String value) {
    return new ClaimRequest(client, owner, Optional.of(value), slot, count, lease, note);
  }

  /** The same request for another slot. */
  public ClaimRequest withSlot(int slot) {
    return new ClaimRequest(client, owner, value, slot, count, lease, note);
  }

  /** The same request for several slots. */
  public ClaimRequest withCount(int count) {
    return new ClaimRequest(client, owner, value, slot, count, lease, note);
  }

  /** The same request with a lease. */
  public ClaimRequest withLease(Duration lease) {
    return withLease(Optional.of(lease));
  }

  /** The same request with a lease; empty: the lease of the pool. */
  public ClaimRequest withLease(Optional<Duration> lease) {
    return new ClaimRequest(client, owner, value, slot, count, lease, note);
  }

  /** The same request that writes about what it is granted. */
  public ClaimRequest withNote(ClaimNote note) {
    return new ClaimRequest(client, owner, value, slot, count, lease, note);
  }

  /**
   * What the request writes about a claim that it returned: its note, or {@link ClaimNote#NONE} if
   * the client holds the claim for another owner than that of the request.
   */
  public ClaimNote noteFor(Claim claim) {
    return owner.isEmpty() || owner.equals(claim.owner()) ? note : ClaimNote.NONE;
  }

  /** What a request is for: two requests with the same subject have the same answer. */
  record Subject(String client, Optional<String> value, int slot, int count) {}

  Subject subject() {
    return new Subject(client, value, slot, count);
  }

  /** Whether it is for one value, which may be any: such requests share a statement. */
  boolean isPlain() {
    return value.isEmpty() && count == 1;
  }
}
