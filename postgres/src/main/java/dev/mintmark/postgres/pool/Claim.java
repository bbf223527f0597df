package dev.mintmark.postgres.pool;

import java.time.Instant;
import java.util.Optional;

/**
 * A value of a pool, held by a client.
 *
 * @param pool the pool's name
 * @param value the value: an address, a number
 * @param client who holds it: one machine, one process
 * @param slot which of the client's values it is, from 0
 * @param owner the account on whose behalf it is held, if one was named
 * @param token the fencing token: renewing and releasing must name it, and a later claim of the
 *     same value has a greater one
 * @param claimedAt when it was granted, by the database's clock
 * @param expiresAt when its lease ends unless renewed; empty: held until released
 * @param previousEnd until when the claim before was to be held at most, by the database's clock:
 *     the end of its lease, even where it was released before that; empty where there was none, or
 *     it is not known any more
 * @param ipv6 the IPv6 address that goes with it, where the pool declares one
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
