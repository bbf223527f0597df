/**
 * Key migrations on live tables: the difference between a catalog and a database as a plan, and its
 * steps, each with the one that undoes it, run while the tables are used.
 */
@NullMarked
package dev.mintmark.operations.migrate;

import org.jspecify.annotations.NullMarked;
