/**
 * Backups of the tables of Mintmark: one file, of any PostgreSQL, restored into an embedded one.
 */
@NullMarked
package dev.mintmark.app.backup;

import org.jspecify.annotations.NullMarked;
