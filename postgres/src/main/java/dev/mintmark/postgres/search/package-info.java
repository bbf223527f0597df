/**
 * Search by value: a search box over selected columns of a table and of joined tables, which finds
 * identifiers in any of their text forms.
 */
@NullMarked
package dev.mintmark.postgres.search;

import org.jspecify.annotations.NullMarked;
