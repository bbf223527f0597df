/** Identifiers and their faces in JSON. */
@NullMarked
package dev.mintmark.jackson;

import org.jspecify.annotations.NullMarked;
