/**
 * Keyset pages of tables that are written to at the same time. In some orders they lose or repeat
 * no row when transactions commit late, under stated conditions.
 */
@NullMarked
package dev.mintmark.postgres.page;

import org.jspecify.annotations.NullMarked;
