/**
 * Search by value: a search box over chosen columns of a table and of those joined to it, which
 * finds identifiers in whichever text somebody has them.
 */
@NullMarked
package dev.mintmark.postgres.search;

import org.jspecify.annotations.NullMarked;
