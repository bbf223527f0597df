/** A list of several types, and its BFF. */
@NullMarked
package feed;

import org.jspecify.annotations.NullMarked;
