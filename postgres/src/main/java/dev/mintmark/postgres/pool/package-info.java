/**
 * Pools of scarce identifiers on plain PostgreSQL: claimed, held, given back, never handed out
 * twice.
 */
@NullMarked
package dev.mintmark.postgres.pool;

import org.jspecify.annotations.NullMarked;
