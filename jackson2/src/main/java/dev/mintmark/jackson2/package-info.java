/** Identifiers and their faces in JSON. */
@NullMarked
package dev.mintmark.jackson2;

import org.jspecify.annotations.NullMarked;
