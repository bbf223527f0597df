/** Identifiers in plain JDBC: binds, reads, arrays and bulk loads. */
@NullMarked
package dev.mintmark.postgres.jdbc;

import org.jspecify.annotations.NullMarked;
