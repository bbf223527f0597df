/**
 * Identifiers for analysts: the functions and views that a warehouse is given, written from one
 * list of functions and from the catalog.
 */
@NullMarked
package dev.mintmark.warehouse;

import org.jspecify.annotations.NullMarked;
