/** A plugin for Jdbi: identifiers as arguments, columns and arrays. */
@NullMarked
package dev.mintmark.jdbi;

import org.jspecify.annotations.NullMarked;
