/** The database that a command or the server works on. */
@NullMarked
package dev.mintmark.app.database;

import org.jspecify.annotations.NullMarked;
