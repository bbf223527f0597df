/**
 * Identifiers as values: what they are, how they are written, how they are minted and what can be
 * read out of them; and the catalog, which gives them names. Needs the JDK alone.
 */
@NullMarked
package dev.mintmark;

import org.jspecify.annotations.NullMarked;
