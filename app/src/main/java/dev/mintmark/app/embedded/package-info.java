/** The PostgreSQL that the program brings along and runs on a directory. */
@NullMarked
package dev.mintmark.app.embedded;

import org.jspecify.annotations.NullMarked;
