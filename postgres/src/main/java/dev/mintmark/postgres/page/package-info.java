/**
 * Keyset pages over tables that are written to meanwhile: which of them lose or repeat nothing when
 * transactions commit late, and under which conditions.
 */
@NullMarked
package dev.mintmark.postgres.page;

import org.jspecify.annotations.NullMarked;
