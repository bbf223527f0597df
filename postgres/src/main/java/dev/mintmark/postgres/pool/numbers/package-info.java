/**
 * Numbers from pools: Snowflakes with a leased node number, and sequences of several databases that
 * share the numbers of one pool.
 */
@NullMarked
package dev.mintmark.postgres.pool.numbers;

import org.jspecify.annotations.NullMarked;
