/**
 * The SQL pack: functions that mint, convert and check identifiers inside any PostgreSQL from 14
 * on, without an extension.
 */
@NullMarked
package dev.mintmark.postgres.pack;

import org.jspecify.annotations.NullMarked;
