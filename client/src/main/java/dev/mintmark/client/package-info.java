/**
 * A client of the HTTP API for pools: claims values, renews and releases them, and keeps leases
 * alive. Start at {@link dev.mintmark.client.MintmarkClient}.
 *
 * <p>Every request of this package can be repeated: a client that claims again gets the claim that
 * it holds. So a request whose answer was lost is sent again. All types are thread-safe. Methods
 * that send a request block until they have an answer; they never return null.
 */
@NullMarked
package dev.mintmark.client;

import org.jspecify.annotations.NullMarked;
