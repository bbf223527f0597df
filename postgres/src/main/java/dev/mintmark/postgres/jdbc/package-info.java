/** Identifiers in plain JDBC: bound, read, in arrays, and loaded in bulk. */
@NullMarked
package dev.mintmark.postgres.jdbc;

import org.jspecify.annotations.NullMarked;
