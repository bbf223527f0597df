/**
 * The SQL pack: functions that mint, convert and check identifiers inside PostgreSQL 14 and later,
 * without an extension.
 */
@NullMarked
package dev.mintmark.postgres.pack;

import org.jspecify.annotations.NullMarked;
