/** The embedded PostgreSQL, which the program starts on a data directory. */
@NullMarked
package dev.mintmark.embedded;

import org.jspecify.annotations.NullMarked;
