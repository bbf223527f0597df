/** Classes that the packages of this module share; not for use outside it. */
@NullMarked
package dev.mintmark.postgres.internal;

import org.jspecify.annotations.NullMarked;
