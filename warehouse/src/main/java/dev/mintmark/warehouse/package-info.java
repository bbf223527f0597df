/**
 * Identifiers for analysts: scripts with functions and views for a warehouse, generated from one
 * list of functions and from the catalog.
 */
@NullMarked
package dev.mintmark.warehouse;

import org.jspecify.annotations.NullMarked;
