/**
 * What proves the rest: the direction of the modules, one set of vectors through every surface, and
 * the whole program as its users run it.
 */
@NullMarked
package dev.mintmark.verify;

import org.jspecify.annotations.NullMarked;
