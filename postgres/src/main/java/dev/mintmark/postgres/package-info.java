/** What several packages of this module take from their callers. */
@NullMarked
package dev.mintmark.postgres;

import org.jspecify.annotations.NullMarked;
