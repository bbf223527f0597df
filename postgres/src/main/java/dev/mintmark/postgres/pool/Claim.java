package dev.mintmark.postgres.pool;

import java.time.Instant;
import java.util.Optional;

/**
 * A value of a pool, held by a client.
 *
 * @param pool the pool's name
 * @param value the value: an address, a number
 * @param client who holds it: one machine, one process
 * @param owner the account on whose behalf it is held, if one was named
 * @param token the fencing token: renewing and releasing must name it, and a later claim of the
 *     same value has a greater one
 * @param claimedAt when it was granted, by the database's clock
 * @param expiresAt when its lease ends unless renewed; empty: held until released
 * @param ipv6 the IPv6 address that goes with it, where the pool declares one
 */
public record Claim(
    String pool,
    String value,
    String client,
    Optional<String> owner,
    long token,
    Instant claimedAt,
    Optional<Instant> expiresAt,
    Optional<String> ipv6) {}
