/** Import of values that are in use as claims of a pool, and export of the claims of a pool. */
@NullMarked
package dev.mintmark.app.transfer;

import org.jspecify.annotations.NullMarked;
