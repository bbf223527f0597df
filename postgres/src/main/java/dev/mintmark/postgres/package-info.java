/** Types that callers of several packages of this module implement. */
@NullMarked
package dev.mintmark.postgres;

import org.jspecify.annotations.NullMarked;
