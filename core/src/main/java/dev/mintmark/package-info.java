/**
 * Identifiers as values: parsed, written, minted and inspected; and the model of the catalog, which
 * declares them. Requires only the JDK.
 */
@NullMarked
package dev.mintmark;

import org.jspecify.annotations.NullMarked;
