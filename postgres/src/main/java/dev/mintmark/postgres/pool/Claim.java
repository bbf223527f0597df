package dev.mintmark.postgres.pool;

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
 * @param expiresAt when its lease ends unless it is renewed; empty: it is held until released
 * @param previousEnd the latest time at which the previous claim of the value may have been used,
 *     by the database's clock: the end of its lease, even if it was released earlier; empty if
 *     there was no previous claim, or its end is no longer known
 * @param ipv6 the IPv6 address that embeds the value or the client, if the pool declares one
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
    Optional<String> ipv6) {}
