package dev.mintmark.client;

import java.time.Instant;
import java.util.Optional;

/**
 * A value of a pool that a client holds.
 *
 * @param pool the pool's name
 * @param value the value: an address, a number
 * @param client the client that holds it: one machine, one process
 * @param slot which of the client's values it is, from 0
 * @param owner the account on whose behalf it is held, if the request named one
 * @param token the fencing token: renewing and releasing must name it; a later claim of the same
 *     value has a greater token
 * @param claimedAt when it was granted, by the database's clock
 * @param expiresAt when its lease ends unless it is renewed, by the database's clock; empty: it is
 *     held until released. Do not compare it with the clock of this machine: {@link Lease} says
 *     whether the value may be used
 * @param previousEnd the latest time at which the previous claim of the value may have been used,
 *     by the database's clock; empty if that is not known
 * @param ipv6 the IPv6 address that embeds the value or the client, if the pool declares one
 * @param note what is written about the claim; empty if nothing is written, or if it was not read:
 *     the answers to a claim and to a renewal have only what the request wrote
 */
public record Claim(
    String pool,
    String value,
    String client,
    int slot,
    Optional<String> owner,
    long token,
    Instant claimedAt,
    Optional<Instant> expiresAt,
    Optional<Instant> previousEnd,
    Optional<String> ipv6,
    Optional<ClaimNote> note) {}
