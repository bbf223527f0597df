/**
 * Pools of scarce values on PostgreSQL: clients claim, hold and release values, and no value is
 * held twice.
 */
@NullMarked
package dev.mintmark.postgres.pool;

import org.jspecify.annotations.NullMarked;
