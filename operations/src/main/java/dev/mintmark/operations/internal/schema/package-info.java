/**
 * A reading of PostgreSQL's catalog that the doctor and migrations share. Each statement reads all
 * tables that are asked for at once, and follows domains down to their base type.
 */
@NullMarked
package dev.mintmark.operations.internal.schema;

import org.jspecify.annotations.NullMarked;
